//===--- libc.c - LibcShims.h ---------------------------------------------===//
//
// Owns: the C library's functions under the names by which the standard library
// calls them.
//
//===----------------------------------------------------------------------===//

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "../libc.h"

int memcmp(const void *left, const void *right, size_t length)
    __attribute__((visibility("default")));
int vprintf(const char *format, va_list arguments)
    __attribute__((visibility("default")));

void _swift_stdlib_free(void *memory) { free(memory); }

size_t _swift_stdlib_strlen(const char *text) { return strlen(text); }

size_t _swift_stdlib_strlen_unsigned(const unsigned char *text) {
  return strlen((const char *)text);
}

int _swift_stdlib_memcmp(const void *left, const void *right, size_t length) {
  return memcmp(left, right, length);
}

int _swift_stdlib_vprintf(const char *format, va_list arguments) {
  return vprintf(format, arguments);
}

//===--- The size of allocations ------------------------------------------===//

#if defined(__APPLE__)

bool _swift_stdlib_has_malloc_size(void) { return true; }

size_t _swift_stdlib_malloc_size(const void *memory) {
  return malloc_size(memory);
}

#elif defined(__linux__) || defined(__wasi__)

size_t malloc_usable_size(void *memory);

bool _swift_stdlib_has_malloc_size(void) { return true; }

size_t _swift_stdlib_malloc_size(const void *memory) {
  return malloc_usable_size((void *)memory);
}

#else

bool _swift_stdlib_has_malloc_size(void) { return false; }

size_t _swift_stdlib_malloc_size(const void *memory) {
  (void)memory;
  return 0;
}

#endif

//===--- Mathematics ------------------------------------------------------===//

float _stdlib_squareRootf(float number) { return __builtin_sqrtf(number); }
double _stdlib_squareRoot(double number) { return __builtin_sqrt(number); }

float _stdlib_remainderf(float dividend, float divisor) {
  return __builtin_remainderf(dividend, divisor);
}

double _stdlib_remainder(double dividend, double divisor) {
  return __builtin_remainder(dividend, divisor);
}

#ifdef __x86_64__

long double _stdlib_squareRootl(long double number) {
  return __builtin_sqrtl(number);
}

long double _stdlib_remainderl(long double dividend, long double divisor) {
  return __builtin_remainderl(dividend, divisor);
}

#endif
