//===--- exponential.c - powers of e, 2 and 10 ----------------------------===//
//
// Owns: silc_exponential, silc_extendedExponential, exp, exp2, exp10, expm1,
// ldexp and scalbn.
//
// exp(x) = 2^k exp(r), where k is the nearest integer to x / ln 2, so r is at
// most 0.35; there Taylor's series is short.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

static const Extended LN_10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};

// ln 2 in a part of 42 bits, whose product with k is exact, and a rest.
static const double LN_2_HIGH = 0x1.62e42fefa3800p-1;
static const double LN_2_LOW = 0x1.ef35793c76730p-45;

static double with_exponent(double number, int biased_exponent) {
  uint64_t field = UINT64_C(0x7FF) << 52;
  return double_of((bits_of(number) & ~field) | (uint64_t)biased_exponent
                                                    << 52);
}

MATH_FUNCTION double ldexp(double number, int exponent) {
  int biased_exponent = (int)(bits_of(number) >> 52) & 0x7FF;
  if (number == 0 || biased_exponent == 0x7FF)
    return number;
  if (biased_exponent == 0) {
    number *= 0x1p64;
    biased_exponent = ((int)(bits_of(number) >> 52) & 0x7FF) - 64;
  }
  int limit = 5000;
  biased_exponent +=
      exponent > limit ? limit : (exponent < -limit ? -limit : exponent);
  if (biased_exponent >= 0x7FF)
    return with_exponent(number, 0x7FE) * 2;
  if (biased_exponent > 0)
    return with_exponent(number, biased_exponent);
  // Subnormal: one product rounds. Below -60 all round to zero.
  int lifted = biased_exponent < -60 ? 4 : biased_exponent + 64;
  return with_exponent(number, lifted) * 0x1p-64;
}

MATH_FUNCTION double scalbn(double number, int exponent) {
  return ldexp(number, exponent);
}

MATH_FUNCTION float ldexpf(float number, int exponent) {
  return (float)ldexp(number, exponent);
}

MATH_FUNCTION float scalbnf(float number, int exponent) {
  return ldexpf(number, exponent);
}

// exp(r) for |r| <= 0.35.
static Extended exponential_near_zero(Extended r) {
  static const double inverse_factorials[] = {
      1.0 / 2,         1.0 / 6,          1.0 / 24,        1.0 / 120,
      1.0 / 720,       1.0 / 5040,       1.0 / 40320,     1.0 / 362880,
      1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600, 1.0 / 6227020800.0};
  double series = 0;
  for (int index = 11; index >= 0; --index)
    series = series * r.high + inverse_factorials[index];
  Extended first = sum_ordered(1, r.high);
  double rest = r.low + r.low * r.high + r.high * r.high * series;
  return sum_ordered(first.high, first.low + rest);
}

// The nearest integer to power / ln 2, and the rest of the power.
static int reduce(Extended power, Extended *rest) {
  double k = power.high / EXTENDED_LN_2.high;
  k = (double)(int)(k < 0 ? k - 0.5 : k + 0.5);
  *rest = sum(power.high - k * LN_2_HIGH, power.low - k * LN_2_LOW);
  return (int)k;
}

MATH_FUNCTION double silc_exponential(Extended power) {
  if (power.high > 710)
    return 0x1p1023 * 2;
  if (power.high < -746)
    return 0;
  Extended r;
  int exponent = reduce(power, &r);
  return ldexp(exponential_near_zero(r).high, exponent);
}

MATH_FUNCTION Extended silc_extendedExponential(Extended power) {
  Extended r;
  double scale = power_of_two(reduce(power, &r));
  Extended result = exponential_near_zero(r);
  return (Extended){result.high * scale, result.low * scale};
}

// exp(number * factor), with the infinities and NaNs.
static double exponential_of_multiple(double number, Extended factor) {
  if (is_nan(number))
    return number;
  if (number > 2000 || number < -2000)
    return number > 0 ? 0x1p1023 * 2 : 0;
  return silc_exponential(multiply((Extended){number, 0}, factor));
}

MATH_FUNCTION double exp(double number) {
  return exponential_of_multiple(number, (Extended){1, 0});
}

MATH_FUNCTION double exp2(double number) {
  return exponential_of_multiple(number, EXTENDED_LN_2);
}

MATH_FUNCTION double exp10(double number) {
  return exponential_of_multiple(number, LN_10);
}

// e to the number, less one: accurate near zero too.
MATH_FUNCTION double expm1(double number) {
  if (is_nan(number) || number > 700)
    return exp(number);
  if (number < -50)
    return -1;
  if (magnitude_of(number) < 0x1p-54)
    return number;
  if (magnitude_of(number) > 0.35) {
    Extended power = silc_extendedExponential((Extended){number, 0});
    return add(power, (Extended){-1, 0}).high;
  }
  double series = 0;
  for (int divisor = 15; divisor >= 3; --divisor)
    series = (series + 1) * number / divisor;
  double half_square = number * number / 2;
  return number + (half_square + half_square * series);
}

MATH_FUNCTION float expf(float number) { return (float)exp(number); }
MATH_FUNCTION float exp2f(float number) { return (float)exp2(number); }
MATH_FUNCTION float exp10f(float number) { return (float)exp10(number); }
MATH_FUNCTION float expm1f(float number) { return (float)expm1(number); }
