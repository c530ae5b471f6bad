//===--- remainder.c - remainders of division -----------------------------===//
//
// Owns: fmod, remainder.
//
// The significands divide as integers, a few bits of the exponents' difference
// at a time, so the result is exact.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

// A positive finite number: an integer significand below 2^53, and a power.
typedef struct Decomposed {
  uint64_t significand;
  int exponent;
} Decomposed;

static Decomposed decompose(double number) {
  uint64_t bits = bits_of(number);
  int field = (int)((bits >> 52) & 0x7FF);
  uint64_t significand = bits & ((UINT64_C(1) << 52) - 1);
  if (field == 0)
    return (Decomposed){significand, 1};
  return (Decomposed){significand | UINT64_C(1) << 52, field};
}

static double compose(Decomposed parts) {
  if (parts.significand == 0)
    return 0;
  int shift = __builtin_clzll(parts.significand) - 11;
  if (shift >= parts.exponent) // subnormal
    return double_of(parts.significand << (parts.exponent - 1));
  uint64_t fraction = (parts.significand << shift) & ~(UINT64_C(1) << 52);
  return double_of(fraction | (uint64_t)(parts.exponent - shift) << 52);
}

MATH_FUNCTION double fmod(double dividend, double divisor) {
  double infinity = __builtin_inf();
  double x = __builtin_fabs(dividend), y = __builtin_fabs(divisor);
  if (is_nan(dividend) || is_nan(divisor) || x == infinity || y == 0)
    return __builtin_nan("");
  if (x < y)
    return dividend;
  Decomposed rest = decompose(x), by = decompose(y);
  int difference = rest.exponent - by.exponent;
  rest.significand %= by.significand;
  for (; difference > 0; difference -= 11) {
    int step = difference < 11 ? difference : 11;
    rest.significand = (rest.significand << step) % by.significand;
  }
  rest.exponent = by.exponent;
  return __builtin_copysign(compose(rest), dividend);
}

// The least remainder by magnitude: that of the quotient nearest to the exact
// one, the even one of two.
MATH_FUNCTION double remainder(double dividend, double divisor) {
  double y = magnitude_of(divisor);
  double infinity = __builtin_inf();
  if (is_nan(dividend) || is_nan(divisor) ||
      magnitude_of(dividend) == infinity || y == 0)
    return __builtin_nan("");
  // Of the remainder by the double divisor, the quotient's last bit shows. It
  // is not less than any number where the double would overflow.
  double x = magnitude_of(dividend);
  if (y < 0x1p1023)
    x = fmod(x, 2 * y);
  // Differences of numbers that are at most one doubling apart are exact.
  if (x > y || y - x < x) {
    x -= y;
    if (x >= 0 && !(y - x > x))
      x -= y;
  }
  return (bits_of(dividend) >> 63) != 0 ? -x : x;
}

// The remainder of two floats is a float.
MATH_FUNCTION float remainderf(float dividend, float divisor) {
  return (float)remainder(dividend, divisor);
}

MATH_FUNCTION float fmodf(float dividend, float divisor) {
  return (float)fmod(dividend, divisor);
}
