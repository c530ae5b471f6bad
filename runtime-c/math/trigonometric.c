//===--- trigonometric.c - sine, cosine, tangent --------------------------===//
//
// Owns: sin, cos, tan.
//
// An angle is reduced to a quarter turn's nearest multiple and a rest of at
// most pi/4. The reduction multiplies the angle's integer significand by those
// bits of 2/pi that matter for it, after Payne and Hanek: bits of greater
// weight give whole turns, lower ones are beyond the result's precision. It is
// exact enough for every double.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

// A zero word, then the binary fraction of 2/pi.
static const uint64_t two_over_pi[] = {
    0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0,
    0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
    0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
    0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB};

//===--- Reduction --------------------------------------------------------===//

typedef struct Reduced {
  Extended rest; // at most pi/4
  unsigned quadrant;
} Reduced;

// 64 bits of the table from a bit's position on.
static uint64_t bits_at(unsigned position) {
  unsigned word = position / 64, shift = position % 64;
  if (shift == 0)
    return two_over_pi[word];
  return two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

// A fraction of 2^-128, from -1/2 to 1/2, as an extended number.
static Extended fraction(Wide bits) {
  bool is_negative = (bits >> 127) != 0;
  if (is_negative)
    bits = -bits;
  if (bits == 0)
    return (Extended){0, 0};
  uint64_t top = (uint64_t)(bits >> 64);
  int zeros =
      top != 0 ? __builtin_clzll(top) : 64 + __builtin_clzll((uint64_t)bits);
  bits <<= zeros;
  double high = (double)((uint64_t)(bits >> 64) >> 11) * 0x1p-53;
  double low = (double)((uint64_t)(bits >> 11)) * 0x1p-117;
  Extended result = sum_ordered(high, low);
  double scale = power_of_two(-zeros);
  result = (Extended){result.high * scale, result.low * scale};
  return is_negative ? negate(result) : result;
}

// For a finite angle.
static Reduced reduce(double angle) {
  if (angle <= 0x1.921fb54442d18p-1 && angle >= -0x1.921fb54442d18p-1)
    return (Reduced){{angle, 0}, 0};
  uint64_t bits = bits_of(angle);
  int exponent = (int)((bits >> 52) & 0x7FF) - 1075;
  uint64_t significand = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  // The bits whose product with the angle weighs less than four turns'
  // quarters.
  unsigned position = (unsigned)(exponent - 1 + 63);
  Wide low =
      (Wide)significand * bits_at(position + 128);
  Wide middle =
      (Wide)significand * bits_at(position + 64) + (low >> 64);
  uint64_t high = significand * bits_at(position) + (uint64_t)(middle >> 64);
  // Two bits of the 192 are the quadrant, the others the rest.
  Wide upper = (Wide)high << 64 | (uint64_t)middle;
  Wide rest = upper << 2 | (uint64_t)low >> 62;
  unsigned quadrant = (unsigned)(high >> 62) + (unsigned)(rest >> 127);
  Extended part = multiply(fraction(rest), EXTENDED_HALF_PI);
  if (angle < 0)
    return (Reduced){negate(part), (unsigned)-quadrant & 3};
  return (Reduced){part, quadrant & 3};
}

//===--- Series -----------------------------------------------------------===//

// The sum of z^n / ((first + 1) (first + 2)), signs alternating, each term's
// denominator the next two factors of a factorial.
static double alternating_series(double z, int first, int terms) {
  double result = 1;
  for (int term = terms; term > 0; --term) {
    int factor = first + 2 * term;
    result = 1 - result * z / (double)(factor * (factor - 1));
  }
  return result;
}

static Extended sine_of_rest(Extended r) {
  double z = r.high * r.high;
  double series = alternating_series(z, 3, 8) / -6;
  double rest = r.high * z * series + r.low * (1 - z / 2);
  return sum_ordered(r.high, rest);
}

static Extended cosine_of_rest(Extended r) {
  Extended square = product(r.high, r.high);
  double z = square.high;
  Extended first = sum_ordered(1, -z / 2);
  double series = alternating_series(z, 4, 8) / 24;
  double rest = z * z * series - r.high * r.low - square.low / 2;
  return sum_ordered(first.high, first.low + rest);
}

//===--- C's functions ----------------------------------------------------===//

static double sine_at(double angle, unsigned quarter_turns) {
  if (is_nan(angle - angle))
    return __builtin_nan("");
  Reduced reduced = reduce(angle);
  unsigned quadrant = (reduced.quadrant + quarter_turns) & 3;
  double result = (quadrant & 1) != 0 ? cosine_of_rest(reduced.rest).high
                                      : sine_of_rest(reduced.rest).high;
  return quadrant >= 2 ? -result : result;
}

MATH_FUNCTION double sin(double angle) {
  // Small ones keep their sign and need no series.
  if (angle < 0x1p-27 && angle > -0x1p-27)
    return angle;
  return sine_at(angle, 0);
}

MATH_FUNCTION double cos(double angle) { return sine_at(angle, 1); }

MATH_FUNCTION double tan(double angle) {
  if (angle < 0x1p-27 && angle > -0x1p-27)
    return angle;
  if (is_nan(angle - angle))
    return __builtin_nan("");
  Reduced reduced = reduce(angle);
  Extended sine = sine_of_rest(reduced.rest);
  Extended cosine = cosine_of_rest(reduced.rest);
  if ((reduced.quadrant & 1) != 0)
    return -divide(cosine, sine).high;
  return divide(sine, cosine).high;
}

MATH_FUNCTION float sinf(float angle) { return (float)sin(angle); }
MATH_FUNCTION float cosf(float angle) { return (float)cos(angle); }
MATH_FUNCTION float tanf(float angle) { return (float)tan(angle); }

MATH_FUNCTION void sincos(double angle, double *sine, double *cosine) {
  *sine = sin(angle);
  *cosine = cos(angle);
}

MATH_FUNCTION void sincosf(float angle, float *sine, float *cosine) {
  *sine = sinf(angle);
  *cosine = cosf(angle);
}
