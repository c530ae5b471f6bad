//===--- soft_float.h - arithmetic on the encoding of numbers -------------===//
//
// Owns: sums, products, quotients, comparisons and conversions of one format,
// rounding to nearest even. Included once by the file of each format, which
// has defined:
//
//   Bits, SignedBits      the integers that encodings fit into
//   FRACTION_BITS         how many bits the fraction has
//   EXPONENT_BITS         how many the exponent has
//   multiply_bits         the upper half of a product of Bits, and the lower
//
// A significand has its highest bit at FRACTION_BITS, or at ROUNDING_PLACE with
// three more bits at its end, the last of which is set if lower ones are lost.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>

#include "builtins.h"

enum {
  BITS = 8 * sizeof(Bits),
  ROUNDING_PLACE = FRACTION_BITS + 3,
  BIAS = (1 << (EXPONENT_BITS - 1)) - 1,
  INFINITE_EXPONENT = (1 << EXPONENT_BITS) - 1
};

#define SIGN ((Bits)1 << (BITS - 1))
#define IMPLICIT_BIT ((Bits)1 << FRACTION_BITS)
#define INFINITE ((Bits)INFINITE_EXPONENT << FRACTION_BITS)
#define QUIET_BIT (IMPLICIT_BIT >> 1)
#define NOT_A_NUMBER (INFINITE | QUIET_BIT)

static inline Bits magnitude(Bits number) { return number & ~SIGN; }
static inline bool is_nan(Bits number) { return magnitude(number) > INFINITE; }

static inline int leading_zeros(Bits number) {
  return sizeof(Bits) == 8 ? __builtin_clzll(number)
                           : __builtin_clz((uint32_t)number);
}

static inline Bits shift_right_sticky(Bits number, int shift) {
  if (shift >= BITS)
    return number != 0;
  Bits lost = number & (((Bits)1 << shift) - 1);
  return number >> shift | (lost != 0);
}

// A finite number's parts, with the exponent's bias. Subnormal numbers have the
// least exponent and a smaller significand.
typedef struct Parts {
  int exponent;
  Bits significand;
} Parts;

static inline Parts parts_of(Bits number) {
  Parts parts = {(int)(magnitude(number) >> FRACTION_BITS),
                 number & (IMPLICIT_BIT - 1)};
  if (parts.exponent != 0)
    parts.significand |= IMPLICIT_BIT;
  else
    parts.exponent = 1;
  return parts;
}

// The highest bit where those of normal numbers have it. Not for zero.
static inline Parts normalized(Parts parts) {
  int shift = leading_zeros(parts.significand) - (BITS - 1 - FRACTION_BITS);
  return (Parts){parts.exponent - shift, parts.significand << shift};
}

// Rounds. The significand's highest bit is at the rounding place, or below it
// where the exponent is 1.
static Bits rounded(Bits sign, int exponent, Bits significand) {
  if (exponent >= INFINITE_EXPONENT)
    return sign | INFINITE;
  if (exponent < 1) {
    significand = shift_right_sticky(significand, 1 - exponent);
    exponent = 1;
  }
  Bits lost = significand & 7;
  // The highest bit, and a carry out of the fraction, raise the exponent.
  Bits result = ((Bits)(exponent - 1) << FRACTION_BITS) + (significand >> 3);
  return sign | (result + (lost > 4 || (lost == 4 && (result & 1) != 0)));
}

static Bits add(Bits left, Bits right) {
  if (is_nan(left) || is_nan(right))
    return (is_nan(left) ? left : right) | QUIET_BIT;
  if (magnitude(right) > magnitude(left)) {
    Bits swapped = left;
    left = right;
    right = swapped;
  }
  bool is_difference = ((left ^ right) & SIGN) != 0;
  if (magnitude(left) == INFINITE)
    return is_difference && magnitude(right) == INFINITE ? NOT_A_NUMBER : left;
  if (magnitude(right) == 0)
    return magnitude(left) == 0 ? left & right : left;
  Parts larger = parts_of(left), smaller = parts_of(right);
  Bits sum = larger.significand << 3;
  Bits aligned = shift_right_sticky(smaller.significand << 3,
                                    larger.exponent - smaller.exponent);
  int exponent = larger.exponent;
  if (!is_difference) {
    sum += aligned;
    if ((sum >> ROUNDING_PLACE) > 1) {
      sum = sum >> 1 | (sum & 1);
      ++exponent;
    }
    return rounded(left & SIGN, exponent, sum);
  }
  sum -= aligned;
  if (sum == 0)
    return 0;
  int shift = leading_zeros(sum) - (BITS - 1 - ROUNDING_PLACE);
  return rounded(left & SIGN, exponent - shift, sum << shift);
}

static Bits multiply(Bits left, Bits right) {
  Bits sign = (left ^ right) & SIGN;
  if (is_nan(left) || is_nan(right))
    return (is_nan(left) ? left : right) | QUIET_BIT;
  if (magnitude(left) == INFINITE || magnitude(right) == INFINITE)
    return magnitude(left) == 0 || magnitude(right) == 0 ? NOT_A_NUMBER
                                                         : sign | INFINITE;
  if (magnitude(left) == 0 || magnitude(right) == 0)
    return sign;
  Parts a = normalized(parts_of(left)), b = normalized(parts_of(right));
  enum { TO_THE_TOP = BITS - 1 - FRACTION_BITS };
  Bits low;
  Bits high = multiply_bits(a.significand << TO_THE_TOP,
                            b.significand << TO_THE_TOP, &low);
  int exponent = a.exponent + b.exponent - BIAS + 1;
  if ((high & SIGN) == 0) {
    high = high << 1 | low >> (BITS - 1);
    low <<= 1;
    --exponent;
  }
  Bits significand =
      shift_right_sticky(high, BITS - 1 - ROUNDING_PLACE) | (low != 0);
  return rounded(sign, exponent, significand);
}

static Bits divide(Bits left, Bits right) {
  Bits sign = (left ^ right) & SIGN;
  if (is_nan(left) || is_nan(right))
    return (is_nan(left) ? left : right) | QUIET_BIT;
  if (magnitude(left) == INFINITE)
    return magnitude(right) == INFINITE ? NOT_A_NUMBER : sign | INFINITE;
  if (magnitude(right) == 0)
    return magnitude(left) == 0 ? NOT_A_NUMBER : sign | INFINITE;
  if (magnitude(right) == INFINITE || magnitude(left) == 0)
    return sign;
  Parts a = normalized(parts_of(left)), b = normalized(parts_of(right));
  int exponent = a.exponent - b.exponent + BIAS;
  Bits rest = a.significand, quotient = 0;
  if (rest < b.significand) {
    rest <<= 1;
    --exponent;
  }
  for (int place = ROUNDING_PLACE; place >= 0; --place, rest <<= 1) {
    quotient <<= 1;
    if (rest >= b.significand) {
      rest -= b.significand;
      quotient |= 1;
    }
  }
  return rounded(sign, exponent, quotient | (rest != 0));
}

typedef enum Order { LESS = -1, EQUAL = 0, GREATER = 1, UNORDERED = 2 } Order;

static Order compare(Bits left, Bits right) {
  if (is_nan(left) || is_nan(right))
    return UNORDERED;
  if (left == right || (magnitude(left) | magnitude(right)) == 0)
    return EQUAL;
  bool is_less = (SignedBits)left < (SignedBits)right;
  bool both_negative = (left & right & SIGN) != 0;
  return is_less != both_negative ? LESS : GREATER;
}

//===--- Integers ---------------------------------------------------------===//

static Bits from_magnitude(Bits sign, uint64_t integer) {
  if (integer == 0)
    return 0;
  int highest = 63 - __builtin_clzll(integer), shift = highest - ROUNDING_PLACE;
  Bits significand;
  if (shift <= 0) {
    significand = (Bits)integer << -shift;
  } else {
    uint64_t lost = integer & ((UINT64_C(1) << shift) - 1);
    significand = (Bits)(integer >> shift) | (lost != 0);
  }
  return rounded(sign, BIAS + highest, significand);
}

static Bits from_signed(int64_t integer) {
  return integer < 0 ? from_magnitude(SIGN, -(uint64_t)integer)
                     : from_magnitude(0, (uint64_t)integer);
}

// The integer part of the magnitude, or `most` where that is less.
static uint64_t to_magnitude(Bits number, uint64_t most) {
  int exponent = (int)(magnitude(number) >> FRACTION_BITS) - BIAS;
  if (exponent < 0)
    return 0;
  if (exponent > 63)
    return most;
  uint64_t significand = parts_of(number).significand;
  uint64_t integer = exponent <= FRACTION_BITS
                         ? significand >> (FRACTION_BITS - exponent)
                         : significand << (exponent - FRACTION_BITS);
  return integer < most ? integer : most;
}

// A number out of range becomes the nearest integer in range; a NaN becomes
// zero.
static uint64_t to_unsigned(Bits number, uint64_t greatest) {
  if (is_nan(number) || (number & SIGN) != 0)
    return 0;
  return to_magnitude(number, greatest);
}

static int64_t to_signed(Bits number, int64_t greatest) {
  if (is_nan(number))
    return 0;
  if ((number & SIGN) != 0)
    return (int64_t)-to_magnitude(number, (uint64_t)greatest + 1);
  return (int64_t)to_magnitude(number, (uint64_t)greatest);
}
