//===--- string.c - zero-terminated strings -------------------------------===//
//
// Owns: strlen, strcmp, strncmp.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"

C_FUNCTION size_t strlen(const char *text) {
  const char *end = text;
  while (*end != 0)
    ++end;
  return (size_t)(end - text);
}

C_FUNCTION int strcmp(const char *left, const char *right) {
  while (*left != 0 && *left == *right)
    ++left, ++right;
  return (unsigned char)*left - (unsigned char)*right;
}

C_FUNCTION int strncmp(const char *left, const char *right, size_t length) {
  for (; length != 0; ++left, ++right, --length)
    if (*left != *right || *left == 0)
      return (unsigned char)*left - (unsigned char)*right;
  return 0;
}
