//===--- ages.c - since when a scalar is there ------------------------===//
//
// Owns: the version that brought a scalar.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "ages.inc"

RUNTIME_ENTRY uint16_t _swift_stdlib_getAge(uint32_t scalar) {
  return age_versions[RUN_VALUE(ages, scalar)];
}
