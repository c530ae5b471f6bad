//===--- int128_shift.c - shifts of 128-bit integers ----------------------===//
//
// Owns: __ashlti3, __lshrti3, __ashrti3, which WebAssembly has no instructions
// for.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

#ifdef __SIZEOF_INT128__

typedef union Words {
  UInt128 whole;
  struct {
    uint64_t low, high;
  } word;
} Words;

// Shifts to the right, with `fill` after the highest bit.
static inline UInt128 shift_right(UInt128 number, int distance, uint64_t fill) {
  Words words = {number};
  uint64_t low = words.word.low, high = words.word.high;
  if (distance >= 64) {
    low = high;
    high = fill;
    distance -= 64;
  }
  if (distance != 0) {
    low = low >> distance | high << (64 - distance);
    high = high >> distance | fill << (64 - distance);
  }
  words.word.low = low;
  words.word.high = high;
  return words.whole;
}

BUILTIN UInt128 __lshrti3(UInt128 number, int distance) {
  return shift_right(number, distance, 0);
}

BUILTIN Int128 __ashrti3(Int128 number, int distance) {
  uint64_t fill = number < 0 ? UINT64_MAX : 0;
  return (Int128)shift_right((UInt128)number, distance, fill);
}

BUILTIN UInt128 __ashlti3(UInt128 number, int distance) {
  Words words = {number};
  uint64_t low = words.word.low, high = words.word.high;
  if (distance >= 64) {
    high = low;
    low = 0;
    distance -= 64;
  }
  if (distance != 0) {
    high = high << distance | low >> (64 - distance);
    low <<= distance;
  }
  words.word.low = low;
  words.word.high = high;
  return words.whole;
}

#endif
