//===--- arctangent.c - angles ---------------------------------------------===//
//
// Owns: atan, atan2, asin, acos.
//
// For t up to 1, with c the nearest multiple of 1/16:
// arctan(t) = arctan(c) + arctan((t - c) / (1 + t c)), and the last ratio is at
// most 1/32, where the series is short.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

static const Extended PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

static const Extended arctangents_of_sixteenths[] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

// For a ratio from 0 to 1.
static Extended arctangent_of_ratio(Extended ratio) {
  int index = (int)(ratio.high * 16 + 0.5);
  Extended c = {index / 16.0, 0};
  Extended t =
      divide(add(ratio, negate(c)), add((Extended){1, 0}, multiply(ratio, c)));
  double z = t.high * t.high, series = 0;
  for (int divisor = 15; divisor >= 3; divisor -= 2)
    series = 1.0 / divisor - z * series;
  Extended small = sum_ordered(t.high, t.low - t.high * z * series);
  return add(arctangents_of_sixteenths[index], small);
}

// Of two positive finite numbers, the smaller by the larger.
static Extended ratio_of(double smaller, double larger) {
  int scale = 1023 - (int)(bits_of(larger) >> 52);
  return divide((Extended){ldexp(smaller, scale), 0},
                (Extended){ldexp(larger, scale), 0});
}

// The angle, from 0 to pi/2, of a point in the first quadrant.
static Extended first_quadrant(double y, double x) {
  if (y == 0)
    return (Extended){0, 0};
  if (x == 0)
    return EXTENDED_HALF_PI;
  double infinity = __builtin_inf();
  if (y == infinity)
    return x == infinity ? arctangents_of_sixteenths[16] : EXTENDED_HALF_PI;
  if (x == infinity)
    return (Extended){0, 0};
  if (y <= x)
    return arctangent_of_ratio(ratio_of(y, x));
  return add(EXTENDED_HALF_PI, negate(arctangent_of_ratio(ratio_of(x, y))));
}

MATH_FUNCTION double atan2(double y, double x) {
  if (is_nan(x) || is_nan(y))
    return x + y;
  double height = magnitude_of(y), width = magnitude_of(x);
  bool is_left = (bits_of(x) >> 63) != 0;
  // A small angle is its tangent, which may be subnormal.
  if (!is_left && height < width * 0x1p-27)
    return y / x;
  Extended angle = first_quadrant(height, width);
  if (is_left)
    angle = add(PI, negate(angle));
  return with_sign_of(angle.high, y);
}

MATH_FUNCTION double atan(double tangent) { return atan2(tangent, 1); }

//===--- Angles from sines ------------------------------------------------===//

// The angle from 0 to pi/2 of a point of the unit circle; x or y is its other
// coordinate, from 0 to 1.
static Extended angle_of_sine(double y) {
  Extended x = square_root(multiply(sum(1, -y), sum(1, y)));
  Extended height = {y, 0};
  if (y <= x.high)
    return arctangent_of_ratio(divide(height, x));
  Extended rest = arctangent_of_ratio(divide(x, height));
  return add(EXTENDED_HALF_PI, negate(rest));
}

MATH_FUNCTION double asin(double sine) {
  double height = magnitude_of(sine);
  if (!(height <= 1))
    return __builtin_nan("");
  if (height < 0x1p-27)
    return sine;
  return with_sign_of(angle_of_sine(height).high, sine);
}

MATH_FUNCTION double acos(double cosine) {
  double width = magnitude_of(cosine);
  if (!(width <= 1))
    return __builtin_nan("");
  Extended angle = angle_of_sine(width);
  if (cosine < 0)
    return add(EXTENDED_HALF_PI, angle).high;
  // Near one, the difference would lose the angle's digits.
  Extended height = square_root(multiply(sum(1, -width), sum(1, width)));
  if (height.high < width)
    return arctangent_of_ratio(divide(height, (Extended){width, 0})).high;
  return add(EXTENDED_HALF_PI, negate(angle)).high;
}

MATH_FUNCTION float asinf(float sine) { return (float)asin(sine); }
MATH_FUNCTION float acosf(float cosine) { return (float)acos(cosine); }
MATH_FUNCTION float atan2f(float y, float x) { return (float)atan2(y, x); }
MATH_FUNCTION float atanf(float tangent) { return (float)atan(tangent); }
