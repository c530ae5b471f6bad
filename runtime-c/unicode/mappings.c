//===--- mappings.c - upper, lower and title case ---------------------===//
//
// Owns: the mappings of a scalar to other cases. README.md explains the
// numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "mappings.inc"

enum { UPPER, LOWER, TITLE, MAPPINGS };

RUNTIME_ENTRY int32_t _swift_stdlib_getMapping(uint32_t scalar,
                                               uint8_t mapping) {
  if (mapping >= MAPPINGS)
    return 0;
  return mapping_distances[RUN_VALUE(mapping_numbers, scalar)][mapping];
}

RUNTIME_ENTRY const uint8_t *
_swift_stdlib_getSpecialMapping(uint32_t scalar, uint8_t mapping,
                                intptr_t *length) {
  size_t after = entries_up_to(special_mappings, COUNT(special_mappings),
                               RUN_VALUE_BITS, scalar);
  if (mapping >= MAPPINGS || after == 0 ||
      special_mappings[after - 1] >> RUN_VALUE_BITS != scalar)
    return NULL;
  const uint8_t *text =
      special_texts + (special_mappings[after - 1] & RUN_VALUE_MASK);
  for (; mapping > UPPER; mapping--)
    text += 1 + *text;
  *length = *text;
  return text + 1;
}
