//===--- soft_float32.c - single precision without instructions ------===//
//
// Owns: arithmetic, comparisons and conversions of float, for processors
// that have no instructions for them.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

typedef uint32_t Bits;
typedef int32_t SignedBits;
#define FRACTION_BITS 23
#define EXPONENT_BITS 8

static inline Bits multiply_bits(Bits left, Bits right, Bits *low) {
  uint64_t product = (uint64_t)left * right;
  *low = (Bits)product;
  return (Bits)(product >> 32);
}

#include "soft_float.h"

static inline Bits bits_of(float number) {
  Bits bits;
  __builtin_memcpy(&bits, &number, sizeof(bits));
  return bits;
}

static inline float number_of(Bits bits) {
  float number;
  __builtin_memcpy(&number, &bits, sizeof(number));
  return number;
}

FLOAT_BUILTIN float NAMED(__addsf3, __aeabi_fadd)(float left, float right) {
  return number_of(add(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN float NAMED(__subsf3, __aeabi_fsub)(float left, float right) {
  return number_of(add(bits_of(left), bits_of(right) ^ SIGN));
}

FLOAT_BUILTIN float NAMED(__mulsf3, __aeabi_fmul)(float left, float right) {
  return number_of(multiply(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN float NAMED(__divsf3, __aeabi_fdiv)(float left, float right) {
  return number_of(divide(bits_of(left), bits_of(right)));
}

FLOAT_BUILTIN float NAMED(__floatsisf, __aeabi_i2f)(int32_t integer) {
  return number_of(from_signed(integer));
}

FLOAT_BUILTIN float NAMED(__floatunsisf, __aeabi_ui2f)(uint32_t integer) {
  return number_of(from_magnitude(0, integer));
}

FLOAT_BUILTIN float NAMED(__floatdisf, __aeabi_l2f)(int64_t integer) {
  return number_of(from_signed(integer));
}

FLOAT_BUILTIN float NAMED(__floatundisf, __aeabi_ul2f)(uint64_t integer) {
  return number_of(from_magnitude(0, integer));
}

FLOAT_BUILTIN int32_t NAMED(__fixsfsi, __aeabi_f2iz)(float number) {
  return (int32_t)to_signed(bits_of(number), INT32_MAX);
}

FLOAT_BUILTIN uint32_t NAMED(__fixunssfsi, __aeabi_f2uiz)(float number) {
  return (uint32_t)to_unsigned(bits_of(number), UINT32_MAX);
}

FLOAT_BUILTIN int64_t NAMED(__fixsfdi, __aeabi_f2lz)(float number) {
  return to_signed(bits_of(number), INT64_MAX);
}

FLOAT_BUILTIN uint64_t NAMED(__fixunssfdi, __aeabi_f2ulz)(float number) {
  return to_unsigned(bits_of(number), UINT64_MAX);
}

static Order order(float left, float right) {
  return compare(bits_of(left), bits_of(right));
}

#ifdef __arm__

FLOAT_BUILTIN int __aeabi_fcmpeq(float left, float right) {
  return order(left, right) == EQUAL;
}

FLOAT_BUILTIN int __aeabi_fcmplt(float left, float right) {
  return order(left, right) == LESS;
}

FLOAT_BUILTIN int __aeabi_fcmple(float left, float right) {
  return order(left, right) <= EQUAL;
}

FLOAT_BUILTIN int __aeabi_fcmpge(float left, float right) {
  return order(right, left) <= EQUAL;
}

FLOAT_BUILTIN int __aeabi_fcmpgt(float left, float right) {
  return order(right, left) == LESS;
}

FLOAT_BUILTIN int __aeabi_fcmpun(float left, float right) {
  return order(left, right) == UNORDERED;
}

#else

// Where the numbers have no order, the answer is one for which the question
// in the name is wrong.
BUILTIN int __eqsf2(float left, float right) { return order(left, right); }
BUILTIN int __nesf2(float left, float right) { return order(left, right); }
BUILTIN int __ltsf2(float left, float right) { return order(left, right); }
BUILTIN int __lesf2(float left, float right) { return order(left, right); }

BUILTIN int __gtsf2(float left, float right) { return -order(right, left); }
BUILTIN int __gesf2(float left, float right) { return -order(right, left); }

BUILTIN int __unordsf2(float left, float right) {
  return order(left, right) == UNORDERED;
}

#endif
