//===--- normalization.c - decompositions and compositions ------------===//
//
// Owns: the data of normalization. README.md explains the numbers.
//
//===----------------------------------------------------------------------===//

#include "lookup.h"

#include "normalization.inc"

RUNTIME_ENTRY uint16_t _swift_stdlib_getNormData(uint32_t scalar) {
  return scalar < 0xC0 ? 0 : norm_values[RUN_VALUE(norm_data, scalar)];
}

// Declared, and not static, as Swift reads the pointer itself.
extern const uint8_t *const _swift_stdlib_nfd_decompositions;
RUNTIME_STATE const uint8_t *const _swift_stdlib_nfd_decompositions =
    nfd_decompositions;

#define ENTRY_SCALAR 0x3FFFFu

RUNTIME_ENTRY uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
  size_t below = 0;
  size_t count = COUNT(nfd_entries);
  while (count > 0) {
    size_t half = count / 2;
    uint32_t found = nfd_entries[below + half] & ENTRY_SCALAR;
    if (found == scalar)
      return nfd_entries[below + half];
    if (found < scalar) {
      below += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  // An entry of another scalar means that there is none.
  return ~scalar & ENTRY_SCALAR;
}

RUNTIME_ENTRY uint32_t _swift_stdlib_getComposition(uint32_t first,
                                                    uint32_t second) {
  uint64_t key = (uint64_t)second << 42 | (uint64_t)first << 21;
  size_t count = COUNT(nfc_compositions);
  size_t found = first_entry_from(nfc_compositions, count, key);
  if (found == count || nfc_compositions[found] >> 21 != key >> 21)
    return UINT32_MAX;
  return (uint32_t)(nfc_compositions[found] & 0x1FFFFF);
}
