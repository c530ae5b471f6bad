//===--- hyperbolic.c - hyperbolic functions and their inverses -----------===//
//
// Owns: sinh, cosh, tanh, asinh, acosh, atanh.
//
// They are sums and quotients of exponentials, or logarithms, in twice double's
// precision; the odd ones have a series near zero.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

static const Extended ONE = {1, 0};

// Beyond this, the smaller of the two exponentials is nothing to the larger.
static const double LARGE = 22;

static Extended half(Extended number) {
  return (Extended){number.high / 2, number.low / 2};
}

// sinh for magnitudes up to 0.5.
static Extended sine_near_zero(double number) {
  double square = number * number, series = 0;
  for (int factor = 17; factor >= 3; factor -= 2)
    series = (series + 1) * square / (factor * (factor - 1));
  return sum_ordered(number, number * series);
}

// Half of e to a number above LARGE, which overflows later than e does.
static double half_exponential(double number) {
  if (number > 720)
    return __builtin_inf();
  return silc_exponential(
      add((Extended){number, 0}, negate(EXTENDED_LN_2)));
}

MATH_FUNCTION double sinh(double number) {
  double magnitude = magnitude_of(number);
  if (is_nan(number) || magnitude < 0x1p-27)
    return number;
  if (magnitude < 0.5)
    return sine_near_zero(number).high;
  if (magnitude > LARGE)
    return with_sign_of(half_exponential(magnitude), number);
  Extended power = silc_extendedExponential((Extended){magnitude, 0});
  Extended sine = half(add(power, negate(divide(ONE, power))));
  return with_sign_of(sine.high, number);
}

MATH_FUNCTION double cosh(double number) {
  double magnitude = magnitude_of(number);
  if (is_nan(number))
    return number;
  if (magnitude > LARGE)
    return half_exponential(magnitude);
  Extended power = silc_extendedExponential((Extended){magnitude, 0});
  return half(add(power, divide(ONE, power))).high;
}

MATH_FUNCTION double tanh(double number) {
  double magnitude = magnitude_of(number);
  if (is_nan(number) || magnitude < 0x1p-27)
    return number;
  if (magnitude > LARGE)
    return with_sign_of(1, number);
  Extended power = silc_extendedExponential((Extended){magnitude, 0});
  Extended inverse = divide(ONE, power);
  Extended sine = magnitude < 0.5 ? sine_near_zero(magnitude)
                                  : half(add(power, negate(inverse)));
  return with_sign_of(divide(sine, half(add(power, inverse))).high, number);
}

MATH_FUNCTION double asinh(double number) {
  double magnitude = magnitude_of(number);
  if (is_nan(number) || magnitude < 0x1p-27 ||
      magnitude == (double)__builtin_inf())
    return number;
  Extended logarithm;
  if (magnitude > 0x1p30) {
    logarithm = add(silc_extendedLogarithm(magnitude), EXTENDED_LN_2);
  } else {
    Extended root = square_root(add(product(magnitude, magnitude), ONE));
    logarithm = logarithm_of(add(root, (Extended){magnitude, 0}));
  }
  return with_sign_of(logarithm.high, number);
}

MATH_FUNCTION double acosh(double number) {
  if (!(number >= 1))
    return __builtin_nan("");
  if (number == (double)__builtin_inf())
    return number;
  if (number > 0x1p30)
    return add(silc_extendedLogarithm(number), EXTENDED_LN_2).high;
  Extended square = multiply(sum(number, -1), sum(number, 1));
  return logarithm_of(add(square_root(square), (Extended){number, 0})).high;
}

MATH_FUNCTION double atanh(double number) {
  double magnitude = magnitude_of(number);
  if (!(magnitude <= 1))
    return __builtin_nan("");
  if (magnitude < 0x1p-27)
    return number;
  if (magnitude == 1)
    return with_sign_of(__builtin_inf(), number);
  Extended ratio = divide(sum(1, magnitude), sum(1, -magnitude));
  return with_sign_of(half(logarithm_of(ratio)).high, number);
}

MATH_FUNCTION float sinhf(float number) { return (float)sinh(number); }
MATH_FUNCTION float coshf(float number) { return (float)cosh(number); }
MATH_FUNCTION float tanhf(float number) { return (float)tanh(number); }
MATH_FUNCTION float asinhf(float number) { return (float)asinh(number); }
MATH_FUNCTION float acoshf(float number) { return (float)acosh(number); }
MATH_FUNCTION float atanhf(float number) { return (float)atanh(number); }
