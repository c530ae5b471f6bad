//===--- numbers.c - scalars that are numbers -------------------------===//
//
// Owns: numeric types and values.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "numbers.inc"

RUNTIME_ENTRY uint8_t _swift_stdlib_getNumericType(uint32_t scalar) {
  return (uint8_t)RUN_VALUE(numeric_types, scalar);
}

RUNTIME_ENTRY double _swift_stdlib_getNumericValue(uint32_t scalar) {
  return numeric_values[RUN_VALUE(numeric_value_numbers, scalar)];
}
