//===--- mathematics.h - shared by the mathematical functions -------------===//
//
// Owns: numbers of twice double's precision, and the exponential and the
// logarithm in that precision, on which most other functions stand.
//
// The functions are accurate to less than one unit in the last place. Variants
// for float compute in double, whose result rounds to the nearest float but in
// rare ties. They raise no errors and set no errno; special values are those of
// C11's Annex F. They assume rounding to nearest.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_MATHEMATICS_H
#define SILC_MATHEMATICS_H

#include <stdbool.h>
#include <stdint.h>

#define MATH_FUNCTION __attribute__((weak))

static inline uint64_t bits_of(double number) {
  uint64_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  return bits;
}

static inline double double_of(uint64_t bits) {
  double number;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

static inline bool is_nan(double number) { return number != number; }

static inline double with_sign_of(double magnitude, double sign) {
  return __builtin_copysign(magnitude, sign);
}

static inline double magnitude_of(double number) {
  return __builtin_fabs(number);
}

// 2 to a power that a normal double can have: from -1022 to 1023.
static inline double power_of_two(int exponent) {
  return double_of((uint64_t)(exponent + 1023) << 52);
}

// 128 bits, on processors whose compilers have no __int128 as well.
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 Wide;
#else
typedef unsigned _BitInt(128) Wide;
#endif

//===--- Twice double's precision -----------------------------------------===//

// The unevaluated sum of two doubles; `low` is at most half a unit in the last
// place of `high`.
typedef struct Extended {
  double high;
  double low;
} Extended;

// Where |left| is at least |right|, or left is zero.
static inline Extended sum_ordered(double left, double right) {
  double sum = left + right;
  return (Extended){sum, right - (sum - left)};
}

static inline Extended sum(double left, double right) {
  double sum = left + right;
  double right_part = sum - left;
  double left_part = sum - right_part;
  return (Extended){sum, (left - left_part) + (right - right_part)};
}

static inline Extended product(double left, double right) {
  double high = left * right;
#ifdef __FP_FAST_FMA
  return (Extended){high, __builtin_fma(left, right, -high)};
#else
  // Dekker: halves of 26 bits have exact products.
  const double splitter = 0x1p27 + 1;
  double left_big = left * splitter, right_big = right * splitter;
  double left_high = left_big - (left_big - left);
  double right_high = right_big - (right_big - right);
  double left_low = left - left_high, right_low = right - right_high;
  double low = ((left_high * right_high - high) + left_high * right_low +
                left_low * right_high) +
               left_low * right_low;
  return (Extended){high, low};
#endif
}

static inline Extended add(Extended left, Extended right) {
  Extended high = sum(left.high, right.high);
  return sum_ordered(high.high, high.low + (left.low + right.low));
}

static inline Extended negate(Extended number) {
  return (Extended){-number.high, -number.low};
}

static inline Extended multiply(Extended left, Extended right) {
  Extended high = product(left.high, right.high);
  double low = high.low + (left.high * right.low + left.low * right.high);
  return sum_ordered(high.high, low);
}

static inline Extended divide(Extended left, Extended right) {
  double quotient = left.high / right.high;
  Extended back = product(quotient, right.high);
  double rest =
      ((left.high - back.high) - back.low) + left.low - quotient * right.low;
  return sum_ordered(quotient, rest / right.high);
}

// Of a number that is not negative; zero where it is too small for the products.
static inline Extended square_root(Extended number) {
  double root = __builtin_sqrt(number.high);
  if (root == 0)
    return (Extended){0, 0};
  Extended square = product(root, root);
  double rest = ((number.high - square.high) - square.low) + number.low;
  return sum_ordered(root, rest / (2 * root));
}

#define EXTENDED_LN_2 ((Extended){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56})
#define EXTENDED_HALF_PI                                                       \
  ((Extended){0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54})

//===--- Shared functions -------------------------------------------------===//

// The natural logarithm of a positive finite number.
Extended silc_extendedLogarithm(double number);

// The same of a number of which the low part is small.
static inline Extended logarithm_of(Extended number) {
  return add(silc_extendedLogarithm(number.high),
             (Extended){number.low / number.high, 0});
}

// e to the power, as a double: rounded, or infinite, or zero.
double silc_exponential(Extended power);

// e to a power between -700 and 700.
Extended silc_extendedExponential(Extended power);

// The number times 2 to the exponent, rounded once.
double ldexp(double number, int exponent);

#endif
