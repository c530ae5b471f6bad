//===--- int128_divide.c - quotients of 128-bit integers ------------------===//
//
// Owns: silc_divideUInt128 and the four functions that LLVM calls.
//
// A divisor of one word takes two steps of dividing two words by one, Knuth's
// algorithm D. With a longer one the quotient fits a word, and is found bit by
// bit from the first that can be set.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

#ifdef __SIZEOF_INT128__

typedef struct WordDivision {
  uint64_t quotient;
  uint64_t remainder;
} WordDivision;

// One half-word of the quotient: `high` and `next` are three half-words of the
// dividend, the divisor is normalized. The first guess is at most two too high.
static uint64_t quotient_digit(uint64_t high, uint64_t next, uint64_t divisor) {
  uint64_t divisor_high = divisor >> 32, divisor_low = (uint32_t)divisor;
  uint64_t guess = high / divisor_high;
  uint64_t rest = high - guess * divisor_high;
  while ((guess >> 32) != 0 || guess * divisor_low > ((rest << 32) | next)) {
    --guess;
    rest += divisor_high;
    if ((rest >> 32) != 0)
      break;
  }
  return guess;
}

// Divides `high`:`low` by the divisor, where high < divisor.
static WordDivision divide_two_words(uint64_t high, uint64_t low,
                                     uint64_t divisor) {
  int shift = __builtin_clzll(divisor);
  divisor <<= shift;
  if (shift != 0) {
    high = (high << shift) | (low >> (64 - shift));
    low <<= shift;
  }
  uint64_t first = quotient_digit(high, low >> 32, divisor);
  uint64_t middle = ((high << 32) | (low >> 32)) - first * divisor;
  uint64_t second = quotient_digit(middle, (uint32_t)low, divisor);
  uint64_t rest = ((middle << 32) | (uint32_t)low) - second * divisor;
  return (WordDivision){(first << 32) + second, rest >> shift};
}

static Division divide_by_word(UInt128 dividend, uint64_t divisor) {
  uint64_t high = (uint64_t)(dividend >> 64);
  WordDivision low =
      divide_two_words(high % divisor, (uint64_t)dividend, divisor);
  return (Division){((UInt128)(high / divisor) << 64) | low.quotient,
                    low.remainder};
}

static Division divide_by_two_words(UInt128 dividend, UInt128 divisor) {
  int shift = __builtin_clzll((uint64_t)(divisor >> 64)) -
              __builtin_clzll((uint64_t)(dividend >> 64));
  UInt128 quotient = 0;
  divisor <<= shift;
  for (; shift >= 0; --shift, divisor >>= 1) {
    quotient <<= 1;
    if (dividend >= divisor) {
      dividend -= divisor;
      quotient |= 1;
    }
  }
  return (Division){quotient, dividend};
}

BUILTIN Division silc_divideUInt128(UInt128 dividend, UInt128 divisor) {
  if (dividend < divisor)
    return (Division){0, dividend};
  if ((divisor >> 64) == 0)
    return divide_by_word(dividend, (uint64_t)divisor);
  return divide_by_two_words(dividend, divisor);
}

BUILTIN UInt128 __udivti3(UInt128 dividend, UInt128 divisor) {
  return silc_divideUInt128(dividend, divisor).quotient;
}

BUILTIN UInt128 __umodti3(UInt128 dividend, UInt128 divisor) {
  return silc_divideUInt128(dividend, divisor).remainder;
}

BUILTIN Int128 __divti3(Int128 dividend, Int128 divisor) {
  UInt128 quotient =
      silc_divideUInt128(magnitude_of(dividend), magnitude_of(divisor))
          .quotient;
  return (Int128)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

// The remainder has the dividend's sign.
BUILTIN Int128 __modti3(Int128 dividend, Int128 divisor) {
  UInt128 remainder =
      silc_divideUInt128(magnitude_of(dividend), magnitude_of(divisor))
          .remainder;
  return (Int128)(dividend < 0 ? -remainder : remainder);
}

#endif
