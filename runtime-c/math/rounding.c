//===--- rounding.c - to integral values ----------------------------------===//
//
// Owns: floor, ceil, trunc, round, rint, nearbyint, roundeven.
//
// Adding 2^52 to a smaller number leaves no bits for a fraction, and so rounds
// to the nearest integer, ties to even.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

static double round_magnitude(double number) {
  const double limit = 0x1p52;
  return number < limit ? (number + limit) - limit : number;
}

MATH_FUNCTION double rint(double number) {
  return with_sign_of(round_magnitude(magnitude_of(number)), number);
}

MATH_FUNCTION double nearbyint(double number) { return rint(number); }
MATH_FUNCTION double roundeven(double number) { return rint(number); }

MATH_FUNCTION double trunc(double number) {
  double rounded = round_magnitude(magnitude_of(number));
  if (rounded > magnitude_of(number))
    rounded -= 1;
  return with_sign_of(rounded, number);
}

MATH_FUNCTION double floor(double number) {
  double rounded = rint(number);
  return with_sign_of(rounded > number ? rounded - 1 : rounded, number);
}

MATH_FUNCTION double ceil(double number) {
  double rounded = rint(number);
  return with_sign_of(rounded < number ? rounded + 1 : rounded, number);
}

// Ties go away from zero.
MATH_FUNCTION double round(double number) {
  double whole = trunc(number);
  if (magnitude_of(number - whole) >= 0.5)
    whole += with_sign_of(1, number);
  return with_sign_of(whole, number);
}

// Integers of float are those of double.
MATH_FUNCTION float rintf(float number) { return (float)rint(number); }
MATH_FUNCTION float nearbyintf(float number) { return (float)rint(number); }
MATH_FUNCTION float roundevenf(float number) { return (float)rint(number); }
MATH_FUNCTION float truncf(float number) { return (float)trunc(number); }
MATH_FUNCTION float floorf(float number) { return (float)floor(number); }
MATH_FUNCTION float ceilf(float number) { return (float)ceil(number); }
MATH_FUNCTION float roundf(float number) { return (float)round(number); }
