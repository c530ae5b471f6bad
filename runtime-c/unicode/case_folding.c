//===--- case_folding.c - scalars without regard to case --------------===//
//
// Owns: the form of a scalar for comparisons without case. README.md explains
// the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "case_folding.inc"

// Writes up to three scalars.
RUNTIME_ENTRY void _swift_stdlib_getCaseMapping(uint32_t scalar,
                                                uint32_t *buffer) {
  size_t count = COUNT(case_folding);
  size_t found = first_entry_from(case_folding, count, (uint64_t)scalar << 32);
  if (found == count || case_folding[found] >> 32 != scalar) {
    buffer[0] = scalar;
    return;
  }
  uint32_t entry = (uint32_t)case_folding[found];
  uint32_t scalars = entry >> 24;
  uint32_t value = entry & 0xFFFFFF;
  if (scalars == 1) {
    buffer[0] = value;
    return;
  }
  for (uint32_t index = 0; index < scalars; index++)
    buffer[index] = case_folding_to_several[value + index];
}
