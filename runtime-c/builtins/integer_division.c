//===--- integer_division.c - quotients without an instruction ------------===//
//
// Owns: division of 32-bit integers for processors that cannot divide, and of
// 64-bit integers for those of 32 bits.
//
// One bit of the quotient at a time, from the first place where the divisor
// fits below the dividend. Division by zero is undefined, as it is for LLVM's
// instruction, but ends.
//
//===----------------------------------------------------------------------===//

#include "builtins.h"

typedef struct Quotient32 {
  uint32_t quotient, remainder;
} Quotient32;

typedef struct Quotient64 {
  uint64_t quotient, remainder;
} Quotient64;

static inline Quotient32 divide32(uint32_t dividend, uint32_t divisor) {
  uint32_t quotient = 0;
  if (dividend >= divisor && divisor != 0) {
    int place = __builtin_clz(divisor) - __builtin_clz(dividend);
    for (divisor <<= place; place >= 0; --place, divisor >>= 1) {
      quotient <<= 1;
      if (dividend >= divisor) {
        dividend -= divisor;
        quotient |= 1;
      }
    }
  }
  return (Quotient32){quotient, dividend};
}

static Quotient64 divide64(uint64_t dividend, uint64_t divisor) {
  if (((dividend | divisor) >> 32) == 0) {
    uint32_t low = (uint32_t)dividend, by = (uint32_t)divisor;
    uint32_t quotient = by != 0 ? low / by : 0;
    return (Quotient64){quotient, low - quotient * by};
  }
  uint64_t quotient = 0;
  if (dividend >= divisor && divisor != 0) {
    int place = __builtin_clzll(divisor) - __builtin_clzll(dividend);
    for (divisor <<= place; place >= 0; --place, divisor >>= 1) {
      quotient <<= 1;
      if (dividend >= divisor) {
        dividend -= divisor;
        quotient |= 1;
      }
    }
  }
  return (Quotient64){quotient, dividend};
}

static inline uint32_t magnitude32(int32_t number) {
  return number < 0 ? -(uint32_t)number : (uint32_t)number;
}

static inline uint64_t magnitude64(int64_t number) {
  return number < 0 ? -(uint64_t)number : (uint64_t)number;
}

// The quotient is negative where the signs differ, the remainder where the
// dividend is.
static inline Quotient32 divide_signed32(int32_t dividend, int32_t divisor) {
  Quotient32 result = divide32(magnitude32(dividend), magnitude32(divisor));
  if ((dividend ^ divisor) < 0)
    result.quotient = -result.quotient;
  if (dividend < 0)
    result.remainder = -result.remainder;
  return result;
}

static Quotient64 divide_signed64(int64_t dividend, int64_t divisor) {
  Quotient64 result = divide64(magnitude64(dividend), magnitude64(divisor));
  if ((dividend ^ divisor) < 0)
    result.quotient = -result.quotient;
  if (dividend < 0)
    result.remainder = -result.remainder;
  return result;
}

BUILTIN uint32_t NAMED(__udivsi3, __aeabi_uidiv)(uint32_t dividend,
                                                 uint32_t divisor) {
  return divide32(dividend, divisor).quotient;
}

BUILTIN int32_t NAMED(__divsi3, __aeabi_idiv)(int32_t dividend,
                                              int32_t divisor) {
  return (int32_t)divide_signed32(dividend, divisor).quotient;
}

#ifdef __arm__

// Quotient and remainder in r0 and r1, as halves of one integer are.
BUILTIN uint64_t __aeabi_uidivmod(uint32_t dividend, uint32_t divisor) {
  Quotient32 result = divide32(dividend, divisor);
  return (uint64_t)result.remainder << 32 | result.quotient;
}

BUILTIN uint64_t __aeabi_idivmod(int32_t dividend, int32_t divisor) {
  Quotient32 result = divide_signed32(dividend, divisor);
  return (uint64_t)result.remainder << 32 | result.quotient;
}

// Both in r0 to r3, as the base procedure call standard returns a vector.
typedef uint64_t Pair __attribute__((vector_size(16)));

FLOAT_BUILTIN Pair __aeabi_uldivmod(uint64_t dividend, uint64_t divisor) {
  Quotient64 result = divide64(dividend, divisor);
  return (Pair){result.quotient, result.remainder};
}

FLOAT_BUILTIN Pair __aeabi_ldivmod(int64_t dividend, int64_t divisor) {
  Quotient64 result = divide_signed64(dividend, divisor);
  return (Pair){result.quotient, result.remainder};
}

#else

BUILTIN uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) {
  return divide32(dividend, divisor).remainder;
}

BUILTIN int32_t __modsi3(int32_t dividend, int32_t divisor) {
  return (int32_t)divide_signed32(dividend, divisor).remainder;
}

BUILTIN uint64_t __udivdi3(uint64_t dividend, uint64_t divisor) {
  return divide64(dividend, divisor).quotient;
}

BUILTIN uint64_t __umoddi3(uint64_t dividend, uint64_t divisor) {
  return divide64(dividend, divisor).remainder;
}

BUILTIN int64_t __divdi3(int64_t dividend, int64_t divisor) {
  return (int64_t)divide_signed64(dividend, divisor).quotient;
}

BUILTIN int64_t __moddi3(int64_t dividend, int64_t divisor) {
  return (int64_t)divide_signed64(dividend, divisor).remainder;
}

#endif
