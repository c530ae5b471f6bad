//===--- basic.c - functions that are about one instruction ---------------===//
//
// Owns: fabs, copysign, fmin, fmax.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

MATH_FUNCTION double fabs(double number) { return __builtin_fabs(number); }
MATH_FUNCTION float fabsf(float number) { return __builtin_fabsf(number); }

MATH_FUNCTION double copysign(double magnitude, double sign) {
  return __builtin_copysign(magnitude, sign);
}

MATH_FUNCTION float copysignf(float magnitude, float sign) {
  return __builtin_copysignf(magnitude, sign);
}

// The other one where one is not a number. Of the zeros, -0 is the smaller.
MATH_FUNCTION double fmin(double left, double right) {
  if (is_nan(left) || is_nan(right))
    return is_nan(left) ? right : left;
  if (left == right)
    return (bits_of(left) >> 63) != 0 ? left : right;
  return left < right ? left : right;
}

MATH_FUNCTION double fmax(double left, double right) {
  if (is_nan(left) || is_nan(right))
    return is_nan(left) ? right : left;
  if (left == right)
    return (bits_of(left) >> 63) != 0 ? right : left;
  return left > right ? left : right;
}

MATH_FUNCTION float fminf(float left, float right) {
  return (float)fmin(left, right);
}

MATH_FUNCTION float fmaxf(float left, float right) {
  return (float)fmax(left, right);
}
