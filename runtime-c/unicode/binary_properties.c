//===--- binary_properties.c - the properties of a scalar -------------===//
//
// Owns: the properties that a scalar has or has not.
// README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "binary_properties.inc"

RUNTIME_ENTRY uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) {
  return binary_property_sets[RUN_VALUE(binary_properties, scalar)];
}
