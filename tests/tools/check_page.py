"""What every page that weft draws keeps to: check_page.py PAGE.html [--layout]. Prints what is wrong; status 1 then.

Well-formed XML, one file that fetches nothing and runs nothing, every id once, every reference to one that is
there, no number that is none, nothing wider than 1280 px: the body has a width, plots shrink with it, tables are in
boxes of their own. With --layout, and a Chromium at hand, the page is laid out as well, 1280 and 800 px wide."""
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

WIDTH = 1280
wrong = []


def demand(true, text):
    if not true:
        wrong.append(text)


def ancestors(node):
    while node.parentNode is not None and node.parentNode.nodeType == node.ELEMENT_NODE:
        node = node.parentNode
        yield node


def pixels(text):
    number, unit = re.fullmatch(r"([\d.]+)(px|rem|em)", text).groups()
    return float(number) * (1 if unit == "px" else 16)


def check_structure(page, text):
    elements = page.getElementsByTagName("*")
    for name in ("script", "link", "img", "iframe", "object", "image"):
        demand(not page.getElementsByTagName(name), "there is a <%s>" % name)
    addresses = set(re.findall(r"https?://[^\"'<> ]*", text)) - {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}
    demand(not addresses, "addresses: %s" % addresses)
    demand(not re.search(r"@import|url\((?!#)|javascript:|\bon[a-z]+=", text), "something is fetched or run")
    ids = [e.getAttribute("id") for e in elements if e.hasAttribute("id")]
    demand(len(ids) == len(set(ids)), "an id is there twice")
    references = {r for e in elements for _, v in e.attributes.items() for r in re.findall(r"(?:^|url\()#([^)]+)", v)}
    # A colour written #123456 is no reference.
    missing = {r for r in references if not re.fullmatch(r"[0-9a-f]{6}", r)} - set(ids)
    demand(not missing, "references to nothing: %s" % sorted(missing)[:5])
    words = "".join(t.data for e in elements if e.tagName in ("td", "h1", "li", "figcaption", "p") for t in e.childNodes
                    if t.nodeType == t.TEXT_NODE)
    demand(not re.search(r"\b(nan|inf|None)\b", words), "a number that is none")


def check_width(page, text):
    body = re.search(r"\bbody\{[^}]*max-width:([\w.]+)", text)
    demand(body and pixels(body[1]) <= WIDTH, "the body has no width")
    demand(re.search(r"\bsvg\{width:100%", text), "plots do not shrink with the page")
    for svg in page.getElementsByTagName("svg"):
        own = re.search(r"max-width:(\d+px)", svg.getAttribute("style"))
        demand(own and pixels(own[1]) <= WIDTH and svg.getAttribute("viewBox"), "a plot without a width")
        demand(svg.getAttribute("role") == "img" and svg.getAttribute("aria-label"), "a plot without a name")
    for table in page.getElementsByTagName("table"):
        demand(any(a.getAttribute("class") == "scroll" for a in ancestors(table)), "a table outside a box of its own")


def laid_out(text, width, program):
    """Width in px of all that is on the page, when the window is this wide."""
    probe = "<script>document.title='wide:'+document.documentElement.scrollWidth</script></body>"
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/page.html", "w", encoding="utf-8") as file:
            file.write(text.replace("<details>", '<details open="open">').replace("</body>", probe))
        out = subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + folder,
                              "--window-size=%d,900" % width, "--dump-dom", "file://%s/page.html" % folder],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120).stdout.decode()
    found = re.search(r"<title>wide:(\d+)", out)
    return int(found[1]) if found else None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    page = xml.dom.minidom.parseString(text)
    check_structure(page, text)
    check_width(page, text)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    for width in (WIDTH, 800) if program and "--layout" in sys.argv else ():
        wide = laid_out(text, width, program)
        demand(wide is not None and wide <= width, "laid out in %d px it is %s px wide" % (width, wide))
    for line in wrong:
        print("%s: %s" % (sys.argv[1], line))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
