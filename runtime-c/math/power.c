//===--- power.c - a number to the power of another -----------------------===//
//
// Owns: pow.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

typedef enum Integrality { NOT_INTEGER, EVEN, ODD } Integrality;

static Integrality integrality(double number) {
  uint64_t bits = bits_of(number);
  int exponent = (int)((bits >> 52) & 0x7FF) - 1023;
  if (exponent > 52)
    return EVEN;
  if (exponent < 0)
    return number == 0 ? EVEN : NOT_INTEGER;
  uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  uint64_t unit = UINT64_C(1) << (52 - exponent);
  if ((significand & (unit - 1)) != 0)
    return NOT_INTEGER;
  return (significand & unit) != 0 ? ODD : EVEN;
}

// For a positive base, 0 or infinity included.
static double power_of_magnitude(double base, double exponent) {
  double infinity = __builtin_inf();
  if (base == 1 || exponent == 0)
    return 1;
  if (exponent == infinity || exponent == -infinity)
    return (base > 1) == (exponent > 0) ? infinity : 0;
  if (base == 0 || base == infinity)
    return (base == 0) == (exponent > 0) ? 0 : infinity;
  Extended logarithm = silc_extendedLogarithm(base);
  // Beyond this the result overflows or is 1, and products would overflow.
  double estimate = logarithm.high * exponent;
  if (estimate > 800 || estimate < -800)
    return estimate > 0 ? infinity : 0;
  if (estimate < 0x1p-60 && estimate > -0x1p-60)
    return 1 + estimate;
  return silc_exponential(multiply(logarithm, (Extended){exponent, 0}));
}

MATH_FUNCTION double pow(double base, double exponent) {
  if (base == 1 || exponent == 0)
    return 1;
  if (is_nan(base) || is_nan(exponent))
    return base + exponent;
  bool is_negative = (bits_of(base) >> 63) != 0;
  if (!is_negative)
    return power_of_magnitude(base, exponent);
  Integrality kind = integrality(exponent);
  bool is_finite_not_zero = base != 0 && base != -__builtin_inf();
  bool exponent_is_finite =
      exponent != __builtin_inf() && exponent != -__builtin_inf();
  if (kind == NOT_INTEGER && is_finite_not_zero && exponent_is_finite)
    return __builtin_nan("");
  double magnitude = power_of_magnitude(-base, exponent);
  return kind == ODD ? -magnitude : magnitude;
}

MATH_FUNCTION float powf(float base, float exponent) {
  return (float)pow(base, exponent);
}
