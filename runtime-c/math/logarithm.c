//===--- logarithm.c - logarithms -----------------------------------------===//
//
// Owns: silc_extendedLogarithm, log, log2, log10, log1p.
//
// x = 2^k m with m between the roots of 1/2 and 2; then ln m = 2 artanh(s),
// where s = (m - 1) / (m + 1) is at most 0.172. The first terms of artanh's
// series are summed in extended precision.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

static const Extended INVERSE_LN_2 = {0x1.71547652b82fep+0,
                                      0x1.777d0ffda0d24p-56};
static const Extended INVERSE_LN_10 = {0x1.bcb7b1526e50ep-2,
                                       0x1.95355baaafad3p-57};

// 2 artanh(s)
static Extended double_artanh(Extended s) {
  static const Extended third = {1.0 / 3, 0x1.5555555555555p-56};
  static const Extended fifth = {1.0 / 5, -0x1.999999999999ap-57};
  Extended square = multiply(s, s);
  double t = square.high, tail = 0;
  for (int divisor = 27; divisor >= 7; divisor -= 2)
    tail = tail * t + 1.0 / divisor;
  Extended fourth = multiply(square, square);
  Extended series =
      add(multiply(fourth, fifth), (Extended){fourth.high * t * tail, 0});
  series = add(multiply(square, third), series);
  series = add((Extended){1, 0}, series);
  Extended result = multiply(s, series);
  return (Extended){2 * result.high, 2 * result.low};
}

MATH_FUNCTION Extended silc_extendedLogarithm(double number) {
  int exponent = 0;
  if (number < 0x1p-1022) {
    number *= 0x1p64;
    exponent = -64;
  }
  uint64_t bits = bits_of(number);
  exponent += (int)(bits >> 52) - 1023;
  double m =
      double_of((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m /= 2;
    ++exponent;
  }
  Extended s = divide((Extended){m - 1, 0}, sum(1, m));
  return add(multiply((Extended){exponent, 0}, EXTENDED_LN_2),
             double_artanh(s));
}

// The logarithm times a factor, with the special values.
static double logarithm_multiple(double number, Extended factor) {
  if (is_nan(number) || number == (double)__builtin_inf())
    return number;
  if (number == 0)
    return -__builtin_inf();
  if (number < 0)
    return __builtin_nan("");
  return multiply(silc_extendedLogarithm(number), factor).high;
}

MATH_FUNCTION double log(double number) {
  return logarithm_multiple(number, (Extended){1, 0});
}

MATH_FUNCTION double log2(double number) {
  return logarithm_multiple(number, INVERSE_LN_2);
}

MATH_FUNCTION double log10(double number) {
  return logarithm_multiple(number, INVERSE_LN_10);
}

// The logarithm of one more than the number: accurate near zero too.
MATH_FUNCTION double log1p(double number) {
  if (!(number > -1) || number > 0x1p60)
    return log(number + 1);
  if (magnitude_of(number) < 0x1p-54)
    return number;
  return logarithm_of(sum(1, number)).high;
}

MATH_FUNCTION float logf(float number) { return (float)log(number); }
MATH_FUNCTION float log2f(float number) { return (float)log2(number); }
MATH_FUNCTION float log10f(float number) { return (float)log10(number); }
MATH_FUNCTION float log1pf(float number) { return (float)log1p(number); }
