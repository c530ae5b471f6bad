//===--- integer_arithmetic.c - 64-bit integers of 32-bit processors ------===//
//
// Owns: products, shifts and counts that the smallest processors have no instructions
// for. They work on halves, so that they are not compiled to calls of
// themselves.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

typedef union Halves {
  uint64_t whole;
  struct {
    uint32_t low, high;
  } half;
} Halves;

// Where a processor does not count, halving does.
BUILTIN int __clzsi2(uint32_t number) {
  int zeros = 32;
  for (int half = 16; half != 0; half /= 2)
    if (number >> half != 0) {
      zeros -= half;
      number >>= half;
    }
  return zeros - (int)number;
}

// The product of two 32-bit integers, from products of 16-bit ones.
static uint64_t product32(uint32_t left, uint32_t right) {
  uint32_t a = left & 0xFFFF, b = left >> 16, c = right & 0xFFFF,
           d = right >> 16;
  uint32_t low = a * c, middle = b * c + (low >> 16);
  uint32_t other = a * d + (middle & 0xFFFF);
  Halves result;
  result.half.low = (other << 16) | (low & 0xFFFF);
  result.half.high = b * d + (middle >> 16) + (other >> 16);
  return result.whole;
}

BUILTIN uint64_t NAMED(__muldi3, __aeabi_lmul)(uint64_t left, uint64_t right) {
  Halves a = {left}, b = {right};
  Halves result = {product32(a.half.low, b.half.low)};
  result.half.high += a.half.low * b.half.high + a.half.high * b.half.low;
  return result.whole;
}

BUILTIN uint64_t NAMED(__ashldi3, __aeabi_llsl)(uint64_t number, int shift) {
  Halves from = {number}, to;
  if (shift >= 32) {
    to.half.high = from.half.low << (shift - 32);
    to.half.low = 0;
  } else if (shift == 0) {
    return number;
  } else {
    to.half.high = from.half.high << shift | from.half.low >> (32 - shift);
    to.half.low = from.half.low << shift;
  }
  return to.whole;
}

BUILTIN uint64_t NAMED(__lshrdi3, __aeabi_llsr)(uint64_t number, int shift) {
  Halves from = {number}, to;
  if (shift >= 32) {
    to.half.low = from.half.high >> (shift - 32);
    to.half.high = 0;
  } else if (shift == 0) {
    return number;
  } else {
    to.half.low = from.half.low >> shift | from.half.high << (32 - shift);
    to.half.high = from.half.high >> shift;
  }
  return to.whole;
}

BUILTIN uint64_t NAMED(__ashrdi3, __aeabi_lasr)(uint64_t number, int shift) {
  Halves from = {number}, to;
  int32_t high = (int32_t)from.half.high;
  if (shift >= 32) {
    to.half.low = (uint32_t)(high >> (shift - 32));
    to.half.high = (uint32_t)(high >> 31);
  } else if (shift == 0) {
    return number;
  } else {
    to.half.low = from.half.low >> shift | from.half.high << (32 - shift);
    to.half.high = (uint32_t)(high >> shift);
  }
  return to.whole;
}
