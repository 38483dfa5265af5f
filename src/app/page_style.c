/* page_style.c: how pages that weft writes look, on light and dark screens. */
#include "svg.h"

const char weft_page_style[] =
    ":root{color-scheme:light dark;--line:#8886;--soft:#8882;--bad:#c62f33;--good:#11845b}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;"
    "background:#fff;color:#1b1d20}"
    "h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.25rem;margin:2.5rem 0 .3rem}"
    "p{max-width:52rem}.scroll{overflow-x:auto}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px}"
    "th,td{padding:.18rem .6rem;text-align:right;border-bottom:1px solid var(--line);"
    "white-space:nowrap}"
    "th{font-weight:600}td:first-child,th:first-child{text-align:left;white-space:normal;"
    "min-width:15rem}"
    "tr.words td{white-space:normal;text-align:left;background:var(--soft);font-size:12px;"
    "border-bottom:2px solid var(--line)}"
    ".pass{color:var(--good)}.fail{color:var(--bad);font-weight:700}"
    "svg{width:100%;max-width:48rem;height:auto;display:block;margin:1rem 0}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}dd{margin:0}"
    "@media(prefers-color-scheme:dark){:root{--bad:#ff7b76;--good:#4fc796}"
    "body{background:#15171a;color:#e4e6e9}}";
