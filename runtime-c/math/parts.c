//===--- parts.c - the parts of numbers -----------------------------------===//
//
// Owns: frexp, modf, logb, ilogb, nextafter, fdim, and the functions that round
// to integers.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

double trunc(double number);
double round(double number);
double rint(double number);

static bool is_finite(double number) { return number - number == 0; }

// The power of two of a finite number that is not zero.
static int power_of(double number) {
  int field = (int)(bits_of(number) >> 52) & 0x7FF;
  if (field != 0)
    return field - 1023;
  return ((int)(bits_of(number * 0x1p64) >> 52) & 0x7FF) - 1023 - 64;
}

MATH_FUNCTION double frexp(double number, int *exponent) {
  *exponent = 0;
  if (number == 0 || !is_finite(number))
    return number;
  *exponent = power_of(number) + 1;
  return ldexp(number, -*exponent);
}

MATH_FUNCTION double modf(double number, double *whole) {
  *whole = trunc(number);
  if (is_nan(number))
    return number;
  return with_sign_of(is_finite(number) ? number - *whole : 0, number);
}

MATH_FUNCTION double logb(double number) {
  if (number == 0)
    return -__builtin_inf();
  return is_finite(number) ? power_of(number) : number * number;
}

// The extreme results are those of glibc and musl.
MATH_FUNCTION int ilogb(double number) {
  if (number == 0 || is_nan(number))
    return -0x7FFFFFFF - 1;
  return is_finite(number) ? power_of(number) : 0x7FFFFFFF;
}

MATH_FUNCTION double nextafter(double number, double towards) {
  if (is_nan(number) || is_nan(towards))
    return number + towards;
  if (number == towards)
    return towards;
  if (number == 0)
    return with_sign_of(0x1p-1074, towards);
  bool grows = (number < towards) == (number > 0);
  return double_of(bits_of(number) + (grows ? 1 : (uint64_t)-1));
}

MATH_FUNCTION float nextafterf(float number, float towards) {
  if (is_nan(number) || is_nan(towards))
    return number + towards;
  if (number == towards)
    return towards;
  if (number == 0)
    return __builtin_copysignf(0x1p-149f, towards);
  uint32_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  bool grows = (number < towards) == (number > 0);
  bits += grows ? 1 : (uint32_t)-1;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

MATH_FUNCTION double fdim(double left, double right) {
  if (is_nan(left) || is_nan(right))
    return left + right;
  return left > right ? left - right : 0;
}

MATH_FUNCTION float fdimf(float left, float right) {
  if (is_nan(left) || is_nan(right))
    return left + right;
  return left > right ? left - right : 0;
}

MATH_FUNCTION float frexpf(float number, int *exponent) {
  return (float)frexp(number, exponent);
}

MATH_FUNCTION float modff(float number, float *whole) {
  double double_whole;
  float fraction = (float)modf(number, &double_whole);
  *whole = (float)double_whole;
  return fraction;
}

MATH_FUNCTION float logbf(float number) { return (float)logb(number); }
MATH_FUNCTION int ilogbf(float number) { return ilogb(number); }

#define TO_INTEGER(name, type, rounded)                                        \
  MATH_FUNCTION type name(double number) { return (type)rounded(number); }     \
  MATH_FUNCTION type name##f(float number) { return (type)rounded(number); }

TO_INTEGER(lround, long, round)
TO_INTEGER(llround, long long, round)
TO_INTEGER(lrint, long, rint)
TO_INTEGER(llrint, long long, rint)
