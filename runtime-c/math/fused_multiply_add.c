//===--- fused_multiply_add.c - a product and a sum, rounded once ---------===//
//
// Owns: fma, for processors without the instruction.
//
// The exact product and the addend are aligned as integers of 128 bits; the
// bits that are shifted out leave a bit set at the end, so the one rounding
// comes out right.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

#ifdef __FP_FAST_FMA

MATH_FUNCTION double fma(double left, double right, double addend) {
  return __builtin_fma(left, right, addend);
}

MATH_FUNCTION float fmaf(float left, float right, float addend) {
  return __builtin_fmaf(left, right, addend);
}

#else

// significand * 2^exponent, negative or not.
typedef struct Number {
  Wide significand;
  int exponent;
  bool is_negative;
} Number;

static Number decompose(double number) {
  uint64_t bits = bits_of(number);
  int field = (int)((bits >> 52) & 0x7FF);
  uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  Number result = {fraction, -1074, (bits >> 63) != 0};
  if (field != 0) {
    result.significand |= UINT64_C(1) << 52;
    result.exponent = field - 1075;
  }
  return result;
}

static int leading_zeros(Wide number) {
  uint64_t high = (uint64_t)(number >> 64);
  return high != 0 ? __builtin_clzll(high)
                   : 64 + __builtin_clzll((uint64_t)number);
}

static Wide shift_right_sticky(Wide number, int shift) {
  if (shift > 127)
    return number != 0;
  Wide lost = number & (((Wide)1 << shift) - 1);
  return number >> shift | (lost != 0);
}

// Two bits stay free at the top, for a carry and against its loss.
static Number normalize(Number number) {
  int shift = leading_zeros(number.significand) - 2;
  number.significand <<= shift;
  number.exponent -= shift;
  return number;
}

// Of two numbers that are not zero.
static Number add_exactly(Number left, Number right) {
  left = normalize(left);
  right = normalize(right);
  Number larger = left, smaller = right;
  if (right.exponent > left.exponent ||
      (right.exponent == left.exponent &&
       right.significand > left.significand)) {
    larger = right;
    smaller = left;
  }
  Wide aligned = shift_right_sticky(smaller.significand,
                                    larger.exponent - smaller.exponent);
  if (larger.is_negative == smaller.is_negative)
    larger.significand += aligned;
  else
    larger.significand -= aligned;
  return larger;
}

// Rounds to nearest even, at the place where the result's precision ends.
static double round_number(Number number) {
  if (number.significand == 0)
    return 0;
  int highest = 127 - leading_zeros(number.significand) + number.exponent;
  int unit = highest - 52 < -1074 ? -1074 : highest - 52;
  int shift = unit - number.exponent;
  if (shift > 0) {
    Wide extended =
        shift_right_sticky(number.significand, shift > 2 ? shift - 2 : 0);
    int extra = shift > 2 ? 2 : shift;
    Wide lost = extended & (((Wide)1 << extra) - 1),
         half = (Wide)1 << (extra - 1);
    number.significand = extended >> extra;
    if (lost > half || (lost == half && (number.significand & 1) != 0))
      ++number.significand;
    number.exponent = unit;
  }
  double result = ldexp((double)(uint64_t)number.significand, number.exponent);
  return number.is_negative ? -result : result;
}

static bool is_finite(double number) { return number - number == 0; }

MATH_FUNCTION double fma(double left, double right, double addend) {
  if (!is_finite(left) || !is_finite(right) || !is_finite(addend) ||
      left == 0 || right == 0)
    return is_finite(left) && is_finite(right) && !is_finite(addend)
               ? addend
               : left * right + addend;
  Number a = decompose(left), b = decompose(right), c = decompose(addend);
  Number product = {a.significand * b.significand, a.exponent + b.exponent,
                    a.is_negative != b.is_negative};
  return round_number(addend == 0 ? product : add_exactly(product, c));
}

// The product is exact in double. The sum is rounded to odd there, which keeps
// the information that the rounding to float needs.
MATH_FUNCTION float fmaf(float left, float right, float addend) {
  Extended total = sum((double)left * (double)right, addend);
  uint64_t bits = bits_of(total.high);
  bool is_inexact = total.low != 0 && is_finite(total.high);
  if (is_inexact && (bits & 1) == 0)
    total.high =
        double_of((total.low > 0) == (total.high > 0) ? bits + 1 : bits - 1);
  return (float)total.high;
}

#endif
