//===--- lookup.h - how the tables of Unicode data are searched -----------===//
//
// Owns: the search in runs of scalars, and in sorted entries. Does not own: the
// tables (scripts/unicode-data writes them) and the meaning of their values
// (README.md).
//
//===----------------------------------------------------------------------===//

#ifndef SILC_UNICODE_LOOKUP_H
#define SILC_UNICODE_LOOKUP_H

#include "../runtime.h"

// A run is the first scalar of several with one value, above that value.
#define RUN_VALUE_BITS 11
#define RUN_VALUE_MASK ((1u << RUN_VALUE_BITS) - 1)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define RUN_VALUE(runs, scalar) run_value(runs, COUNT(runs), scalar)

// How many of the ascending `entries`, shifted right by `shift`, are not above
// `key`.
ALWAYS_INLINE size_t entries_up_to(const uint32_t *entries, size_t count,
                                   unsigned shift, uint32_t key) {
  size_t below = 0;
  while (count > 0) {
    size_t half = count / 2;
    if (entries[below + half] >> shift <= key) {
      below += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return below;
}

// The value of the run that `scalar` lies in. The first run begins at 0.
ALWAYS_INLINE uint32_t run_value(const uint32_t *runs, size_t count,
                                 uint32_t scalar) {
  size_t after = entries_up_to(runs, count, RUN_VALUE_BITS, scalar);
  return runs[after - 1] & RUN_VALUE_MASK;
}

// The first entry that is not below `key`; `count` where there is none.
ALWAYS_INLINE size_t first_entry_from(const uint64_t *entries, size_t count,
                                      uint64_t key) {
  size_t below = 0;
  while (count > 0) {
    size_t half = count / 2;
    if (entries[below + half] < key) {
      below += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return below;
}

#endif
