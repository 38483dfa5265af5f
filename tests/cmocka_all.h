/* What cmocka.h wants before it. */
#ifndef WEFT_TESTS_CMOCKA_ALL_H
#define WEFT_TESTS_CMOCKA_ALL_H
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>
/* clang-format on */
#endif
