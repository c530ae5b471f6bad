//===--- roots.c - cube roots and distances -------------------------------===//
//
// Owns: cbrt, hypot.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

// A third of the logarithm gives nearly all digits, Newton's step the last.
static double cube_root_of_magnitude(double number) {
  Extended third = {1.0 / 3, 0x1.5555555555555p-56};
  double root =
      silc_exponential(multiply(silc_extendedLogarithm(number), third));
  Extended cube = multiply(product(root, root), (Extended){root, 0});
  double excess = (cube.high - number) + cube.low;
  return root - excess / (3 * root * root);
}

MATH_FUNCTION double cbrt(double number) {
  double magnitude = magnitude_of(number);
  if (is_nan(number) || number == 0 || magnitude == (double)__builtin_inf())
    return number;
  // Away from where products overflow or lose digits.
  double scale = 1;
  if (magnitude > 0x1p900) {
    magnitude *= 0x1p-300;
    scale = 0x1p100;
  } else if (magnitude < 0x1p-600) {
    magnitude *= 0x1p600;
    scale = 0x1p-200;
  }
  return with_sign_of(cube_root_of_magnitude(magnitude) * scale, number);
}

MATH_FUNCTION double hypot(double x, double y) {
  double infinity = __builtin_inf();
  double larger = magnitude_of(x), smaller = magnitude_of(y);
  if (larger == infinity || smaller == infinity)
    return infinity;
  if (is_nan(x) || is_nan(y))
    return x + y;
  if (larger < smaller) {
    double swapped = larger;
    larger = smaller;
    smaller = swapped;
  }
  if (smaller == 0 || smaller < larger * 0x1p-60)
    return larger;
  // Both go near one by the same power of two.
  int exponent = (int)(bits_of(larger) >> 52) - 1023;
  larger = ldexp(larger, -exponent);
  smaller = ldexp(smaller, -exponent);
  Extended square = add(product(larger, larger), product(smaller, smaller));
  return ldexp(square_root(square).high, exponent);
}

MATH_FUNCTION float cbrtf(float number) { return (float)cbrt(number); }
MATH_FUNCTION float hypotf(float x, float y) { return (float)hypot(x, y); }
