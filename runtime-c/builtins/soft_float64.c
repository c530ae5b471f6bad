//===--- soft_float64.c - double precision without instructions ------===//
//
// Owns: arithmetic, comparisons and conversions of double, for processors
// that have no instructions for them.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

typedef uint64_t Bits;
typedef int64_t SignedBits;
#define FRACTION_BITS 52
#define EXPONENT_BITS 11

static inline Bits multiply_bits(Bits left, Bits right, Bits *low) {
  uint64_t a = (uint32_t)left, b = left >> 32, c = (uint32_t)right,
           d = right >> 32;
  uint64_t first = a * c, middle = b * c + (first >> 32);
  uint64_t other = a * d + (uint32_t)middle;
  *low = other << 32 | (uint32_t)first;
  return b * d + (middle >> 32) + (other >> 32);
}

#include "soft_float.h"

static inline Bits bits_of(double number) {
  Bits bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  return bits;
}

static inline double number_of(Bits bits) {
  double number;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

FLOAT_BUILTIN double NAMED(__adddf3, __aeabi_dadd)(double left, double right) {
  return number_of(add(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN double NAMED(__subdf3, __aeabi_dsub)(double left, double right) {
  return number_of(add(bits_of(left), bits_of(right) ^ SIGN));
}

FLOAT_BUILTIN double NAMED(__muldf3, __aeabi_dmul)(double left, double right) {
  return number_of(multiply(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN double NAMED(__divdf3, __aeabi_ddiv)(double left, double right) {
  return number_of(divide(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN double NAMED(__floatsidf, __aeabi_i2d)(int32_t integer) {
  return number_of(from_signed(integer));
}

FLOAT_BUILTIN double NAMED(__floatunsidf, __aeabi_ui2d)(uint32_t integer) {
  return number_of(from_magnitude(0, integer));
}

FLOAT_BUILTIN double NAMED(__floatdidf, __aeabi_l2d)(int64_t integer) {
  return number_of(from_signed(integer));
}

FLOAT_BUILTIN double NAMED(__floatundidf, __aeabi_ul2d)(uint64_t integer) {
  return number_of(from_magnitude(0, integer));
}

FLOAT_BUILTIN int32_t NAMED(__fixdfsi, __aeabi_d2iz)(double number) {
  return (int32_t)to_signed(bits_of(number), INT32_MAX);
}

FLOAT_BUILTIN uint32_t NAMED(__fixunsdfsi, __aeabi_d2uiz)(double number) {
  return (uint32_t)to_unsigned(bits_of(number), UINT32_MAX);
}

FLOAT_BUILTIN int64_t NAMED(__fixdfdi, __aeabi_d2lz)(double number) {
  return to_signed(bits_of(number), INT64_MAX);
}

FLOAT_BUILTIN uint64_t NAMED(__fixunsdfdi, __aeabi_d2ulz)(double number) {
  return to_unsigned(bits_of(number), UINT64_MAX);
}

static Order order(double left, double right) {
  return compare(bits_of(left), bits_of(right));
}

#ifdef __arm__

FLOAT_BUILTIN int __aeabi_dcmpeq(double left, double right) {
  return order(left, right) == EQUAL;
}

FLOAT_BUILTIN int __aeabi_dcmplt(double left, double right) {
  return order(left, right) == LESS;
}

FLOAT_BUILTIN int __aeabi_dcmple(double left, double right) {
  return order(left, right) <= EQUAL;
}

FLOAT_BUILTIN int __aeabi_dcmpge(double left, double right) {
  return order(right, left) <= EQUAL;
}

FLOAT_BUILTIN int __aeabi_dcmpgt(double left, double right) {
  return order(right, left) == LESS;
}

FLOAT_BUILTIN int __aeabi_dcmpun(double left, double right) {
  return order(left, right) == UNORDERED;
}

#else

// Where the numbers have no order, the answer is one for which the question
// in the name is wrong.
BUILTIN int __eqdf2(double left, double right) { return order(left, right); }
BUILTIN int __nedf2(double left, double right) { return order(left, right); }
BUILTIN int __ltdf2(double left, double right) { return order(left, right); }
BUILTIN int __ledf2(double left, double right) { return order(left, right); }

BUILTIN int __gtdf2(double left, double right) { return -order(right, left); }
BUILTIN int __gedf2(double left, double right) { return -order(right, left); }

BUILTIN int __unorddf2(double left, double right) {
  return order(left, right) == UNORDERED;
}

#endif

//===--- Single precision -------------------------------------------------===//

enum { SINGLE_FRACTION_BITS = 23, SINGLE_BIAS = 127, SINGLE_INFINITE = 255 };

FLOAT_BUILTIN double NAMED(__extendsfdf2, __aeabi_f2d)(float number) {
  enum { WIDER = FRACTION_BITS - SINGLE_FRACTION_BITS };
  uint32_t bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  Bits sign = (Bits)(bits >> 31) << (BITS - 1);
  Bits exponent = (bits >> SINGLE_FRACTION_BITS) & SINGLE_INFINITE;
  Bits fraction = bits & ((1u << SINGLE_FRACTION_BITS) - 1);
  if (exponent == SINGLE_INFINITE)
    return number_of(sign | INFINITE | fraction << WIDER |
                     (fraction != 0 ? QUIET_BIT : 0));
  if (exponent == 0) {
    if (fraction == 0)
      return number_of(sign);
    int shift = leading_zeros(fraction) - (BITS - 1 - SINGLE_FRACTION_BITS);
    fraction = (fraction << shift) & ((1u << SINGLE_FRACTION_BITS) - 1);
    return number_of(sign |
                     (Bits)(1 - shift + BIAS - SINGLE_BIAS) << FRACTION_BITS |
                     fraction << WIDER);
  }
  return number_of(sign | (exponent + BIAS - SINGLE_BIAS) << FRACTION_BITS |
                   fraction << WIDER);
}

// The parts of a double, rounded by the rule of `rounded` to float's places.
static uint32_t single_of(Bits number) {
  uint32_t sign = (uint32_t)(number >> 32) & 0x80000000;
  uint32_t infinite = (uint32_t)SINGLE_INFINITE << SINGLE_FRACTION_BITS;
  if (is_nan(number))
    return sign | infinite | 1u << (SINGLE_FRACTION_BITS - 1) |
           (uint32_t)((number & (IMPLICIT_BIT - 1)) >>
                      (FRACTION_BITS - SINGLE_FRACTION_BITS));
  Parts parts = parts_of(number);
  int exponent = parts.exponent - BIAS + SINGLE_BIAS;
  if (exponent >= SINGLE_INFINITE)
    return sign | infinite;
  int shift = FRACTION_BITS - SINGLE_FRACTION_BITS - 3;
  if (exponent < 1) {
    shift += 1 - exponent;
    exponent = 1;
  }
  uint32_t significand = (uint32_t)shift_right_sticky(parts.significand, shift);
  uint32_t lost = significand & 7;
  uint32_t result = ((uint32_t)(exponent - 1) << SINGLE_FRACTION_BITS) +
                    (significand >> 3);
  return sign | (result + (lost > 4 || (lost == 4 && (result & 1) != 0)));
}

FLOAT_BUILTIN float NAMED(__truncdfsf2, __aeabi_d2f)(double number) {
  uint32_t bits = single_of(bits_of(number));
  float result;
  __builtin_memcpy(&result, &bits, sizeof(result));
  return result;
}
