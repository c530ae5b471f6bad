//===--- float16.c - half precision ---------------------------------------===//
//
// Owns: conversions between _Float16 and float or double, for targets without
// instructions for them. In the IEEE encoding, rounding to nearest even.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

#ifdef __FLT16_MANT_DIG__

// The functions below must not be compiled to calls of themselves, so they work
// on the encodings.

static _Float16 from_encoding(uint16_t bits) {
  _Float16 number;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

// Shifts right, rounding to nearest even.
static uint64_t shift_rounding(uint64_t number, int shift) {
  if (shift > 63)
    return 0;
  uint64_t lost = number & ((UINT64_C(1) << shift) - 1);
  uint64_t half = UINT64_C(1) << (shift - 1);
  number >>= shift;
  return number + (lost > half || (lost == half && (number & 1) != 0));
}

BUILTIN _Float16 __truncdfhf2(double number) {
  uint64_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  uint16_t sign = (uint16_t)(bits >> 48) & 0x8000;
  int exponent = (int)((bits >> 52) & 0x7FF) - 1023;
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  if (exponent == 1024) // infinity, or not a number: keep its upper bits
    return from_encoding(
        sign | 0x7C00 |
        (fraction != 0 ? 0x200 | (uint16_t)(fraction >> 42) : 0));
  if (exponent > 15)
    return from_encoding(sign | 0x7C00);
  // A carry out of the fraction raises the exponent, up to infinity's.
  if (exponent >= -14)
    return from_encoding(sign + (uint16_t)((exponent + 15) << 10) +
                         (uint16_t)shift_rounding(fraction, 42));
  return from_encoding(sign |
                       (uint16_t)shift_rounding(fraction | UINT64_C(1) << 52,
                                                42 - 14 - exponent));
}

BUILTIN _Float16 __truncsfhf2(float number) { return __truncdfhf2(number); }

BUILTIN float __extendhfsf2(_Float16 number) {
  uint16_t half;
  __builtin_memcpy(&half, &number, sizeof(half));
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t exponent = (half >> 10) & 0x1F, fraction = half & 0x3FF;
  uint32_t bits;
  if (exponent == 0x1F)
    bits = 0x7F800000 | fraction << 13 | (fraction != 0 ? 0x400000 : 0);
  else if (exponent != 0)
    bits = (exponent + 112) << 23 | fraction << 13;
  else {
    float small = (float)fraction * 0x1p-24f; // exact
    __builtin_memcpy(&bits, &small, sizeof(bits));
  }
  bits |= sign;
  float result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}

// The names of the time before _Float16 was passed like other numbers.
BUILTIN float __gnu_h2f_ieee(uint16_t half) {
  return __extendhfsf2(from_encoding(half));
}

BUILTIN uint16_t __gnu_f2h_ieee(float number) {
  _Float16 half = __truncsfhf2(number);
  uint16_t bits;
  __builtin_memcpy(&bits, &half, sizeof(bits));
  return bits;
}

#endif
