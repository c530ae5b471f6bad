//===--- categories.c - general categories ----------------------------===//
//
// Owns: the general category of a scalar.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "categories.inc"

RUNTIME_ENTRY uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar) {
  return (uint8_t)RUN_VALUE(categories, scalar);
}
