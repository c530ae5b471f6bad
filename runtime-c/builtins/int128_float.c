//===--- int128_float.c - 128-bit integers and floating point -------------===//
//
// Owns: conversions from and to double and float, rounding to nearest even.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

#ifdef __SIZEOF_INT128__

static int leading_zeros(UInt128 number) {
  uint64_t high = (uint64_t)(number >> 64);
  return high != 0 ? __builtin_clzll(high)
                   : 64 + __builtin_clzll((uint64_t)number);
}

// The highest 64 bits of the number, which is not zero, with a bit set at the
// end where lower ones are: rounding those to `float` or `double` rounds the
// number, since both have far fewer bits. `scale` is the power of two that was
// divided away.
static uint64_t leading_bits(UInt128 number, int *scale) {
  int shift = 64 - leading_zeros(number);
  *scale = shift > 0 ? shift : 0;
  if (shift <= 0)
    return (uint64_t)number;
  UInt128 lost = number & (((UInt128)1 << shift) - 1);
  return (uint64_t)(number >> shift) | (lost != 0);
}

static double power_of_two(int exponent) {
  uint64_t bits = (uint64_t)(1023 + exponent) << 52;
  double power;
  __builtin_memcpy(&power, &bits, sizeof(power));
  return power;
}

static double to_double(UInt128 number) {
  int scale;
  uint64_t bits = leading_bits(number, &scale);
  return (double)bits * power_of_two(scale);
}

// 2^128 rounds to infinity: the product of two floats does that by itself.
static float to_float(UInt128 number) {
  int scale;
  uint64_t bits = leading_bits(number, &scale);
  return (float)bits * (float)power_of_two(scale);
}

BUILTIN double __floatuntidf(UInt128 number) {
  return number == 0 ? 0 : to_double(number);
}

BUILTIN float __floatuntisf(UInt128 number) {
  return number == 0 ? 0 : to_float(number);
}

BUILTIN double __floattidf(Int128 number) {
  return number < 0 ? -to_double(-(UInt128)number)
                    : __floatuntidf((UInt128)number);
}

BUILTIN float __floattisf(Int128 number) {
  return number < 0 ? -to_float(-(UInt128)number)
                    : __floatuntisf((UInt128)number);
}

// Numbers out of range are undefined, as for LLVM's instructions.
BUILTIN UInt128 __fixunsdfti(double number) {
  uint64_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  int exponent = (int)((bits >> 52) & 0x7FF) - 1023;
  uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  if (exponent < 0 || (bits >> 63) != 0)
    return 0;
  if (exponent > 127)
    return ~(UInt128)0;
  return exponent <= 52 ? (UInt128)(significand >> (52 - exponent))
                        : (UInt128)significand << (exponent - 52);
}

BUILTIN Int128 __fixdfti(double number) {
  return number < 0 ? (Int128)(-__fixunsdfti(-number))
                    : (Int128)__fixunsdfti(number);
}

BUILTIN UInt128 __fixunssfti(float number) { return __fixunsdfti(number); }

BUILTIN Int128 __fixsfti(float number) { return __fixdfti(number); }

#endif
