//===--- square_root.c - square roots -------------------------------------===//
//
// Owns: sqrt. Processors have an instruction for it, which rounds correctly;
// for those that have none, the root is found bit by bit.
//
//===----------------------------------------------------------------------===//

#include "mathematics.h"

// The width of the numbers for which the processor has the instruction. Without
// one, the builtin would be a call of sqrt. Tests set none.
#ifdef WIDEST_ROOT
#elif defined(__arm__)
#define WIDEST_ROOT (__ARM_FP & 8 ? 64 : __ARM_FP & 4 ? 32 : 0)
#elif defined(__riscv)
#ifdef __riscv_flen
#define WIDEST_ROOT __riscv_flen
#else
#define WIDEST_ROOT 0
#endif
#else
#define WIDEST_ROOT 64
#endif

#if WIDEST_ROOT >= 64
MATH_FUNCTION double sqrt(double number) { return __builtin_sqrt(number); }
#else

static const uint64_t IMPLICIT_BIT = UINT64_C(1) << 52;

// The root of a number between 1 and 4, as fixed-point numbers with 52 bits
// after the point. No root lies in the middle between two of them.
static uint64_t root_of_significand(uint64_t significand) {
  uint64_t root = 0, doubled = 0, rest = significand << 1;
  for (uint64_t bit = IMPLICIT_BIT << 1; bit != 0; bit >>= 1, rest <<= 1)
    if (doubled + bit <= rest) {
      rest -= doubled + bit;
      doubled += bit << 1;
      root += bit;
    }
  return (root >> 1) + (root & 1);
}

MATH_FUNCTION double sqrt(double number) {
  uint64_t bits = bits_of(number);
  if (number == 0 || is_nan(number) || bits == bits_of(__builtin_inf()))
    return number;
  if (number < 0)
    return __builtin_nan("");
  int exponent = (int)(bits >> 52);
  uint64_t significand = bits & (IMPLICIT_BIT - 1);
  if (exponent != 0)
    significand |= IMPLICIT_BIT;
  else
    for (exponent = 1; significand < IMPLICIT_BIT; --exponent)
      significand <<= 1;
  exponent -= 1023;
  if ((exponent & 1) != 0)
    significand <<= 1;
  // Rounded down where it is odd.
  uint64_t half = (uint64_t)((exponent - (exponent & 1)) / 2 + 1023);
  return double_of((half << 52) + root_of_significand(significand) -
                   IMPLICIT_BIT);
}
#endif

// A root in double's precision rounds to the nearest float.
#if WIDEST_ROOT >= 32
MATH_FUNCTION float sqrtf(float number) { return __builtin_sqrtf(number); }
#else
MATH_FUNCTION float sqrtf(float number) { return (float)sqrt(number); }
#endif
