//===--- int128_multiply.c - products of 128-bit integers -----------------===//
//
// Owns: __multi3, and __muloti4, which also returns whether the product fits.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

#ifdef __SIZEOF_INT128__

#ifdef __wasm__

// There is no instruction for it: LLVM would call __multi3.
static UInt128 multiply_words(uint64_t left, uint64_t right) {
  uint64_t left_low = (uint32_t)left, left_high = left >> 32;
  uint64_t right_low = (uint32_t)right, right_high = right >> 32;
  uint64_t low = left_low * right_low;
  uint64_t crossed = left_high * right_low + (low >> 32);
  uint64_t other_crossed = left_low * right_high + (uint32_t)crossed;
  uint64_t high =
      left_high * right_high + (crossed >> 32) + (other_crossed >> 32);
  return (UInt128)high << 64 | (other_crossed << 32 | (uint32_t)low);
}

#else

static UInt128 multiply_words(uint64_t left, uint64_t right) {
  return (UInt128)left * right; // one instruction, or two
}

#endif

static UInt128 multiply(UInt128 left, UInt128 right) {
  uint64_t left_high = (uint64_t)(left >> 64);
  uint64_t right_high = (uint64_t)(right >> 64);
  uint64_t crossed = left_high * (uint64_t)right + (uint64_t)left * right_high;
  return multiply_words((uint64_t)left, (uint64_t)right) +
         ((UInt128)crossed << 64);
}

BUILTIN Int128 __multi3(Int128 left, Int128 right) {
  return (Int128)multiply((UInt128)left, (UInt128)right);
}

// Whether the product of two magnitudes needs more than 128 bits.
static int exceeds_128_bits(UInt128 left, UInt128 right, UInt128 *product) {
  uint64_t left_high = (uint64_t)(left >> 64);
  uint64_t right_high = (uint64_t)(right >> 64);
  *product = multiply(left, right);
  if (left_high != 0 && right_high != 0)
    return 1;
  UInt128 crossed = left_high != 0 ? multiply_words(left_high, (uint64_t)right)
                                   : multiply_words((uint64_t)left, right_high);
  UInt128 low = multiply_words((uint64_t)left, (uint64_t)right);
  return ((crossed + (low >> 64)) >> 64) != 0;
}

BUILTIN Int128 __muloti4(Int128 left, Int128 right, int *overflow) {
  UInt128 product;
  int is_negative = (left < 0) != (right < 0);
  UInt128 limit = ((UInt128)1 << 127) - (is_negative ? 0 : 1);
  *overflow =
      exceeds_128_bits(magnitude_of(left), magnitude_of(right), &product) ||
      product > limit;
  return (Int128)(is_negative ? -product : product);
}

#endif
