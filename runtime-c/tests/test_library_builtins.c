//===--- test_library_builtins.c - the functions that LLVM calls ----------===//
//
// The library's functions have the prefix our_ here; libgcc has the others.
//
//===----------------------------------------------------------------------===//

#include "test.h"

typedef __int128 Int128;
typedef unsigned __int128 UInt128;

Int128 our___multi3(Int128, Int128);
Int128 our___muloti4(Int128, Int128, int *);
UInt128 our___ashlti3(UInt128, int);
UInt128 our___lshrti3(UInt128, int);
Int128 our___ashrti3(Int128, int);
UInt128 our___udivti3(UInt128, UInt128);
UInt128 our___umodti3(UInt128, UInt128);
Int128 our___divti3(Int128, Int128);
Int128 our___modti3(Int128, Int128);
double our___floattidf(Int128);
double our___floatuntidf(UInt128);
float our___floattisf(Int128);
float our___floatuntisf(UInt128);
Int128 our___fixdfti(double);
UInt128 our___fixunsdfti(double);
float our___extendhfsf2(_Float16);
_Float16 our___truncsfhf2(float);
_Float16 our___truncdfhf2(double);

static uint64_t random_state = 362436069;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

// Of any length, often with runs of equal bits.
static UInt128 random_wide(void) {
  UInt128 number = (UInt128)random_bits() << 64 | random_bits();
  number >>= random_bits() % 128;
  switch (random_bits() % 4) {
  case 0:
    return -number;
  case 1:
    return ((UInt128)1 << random_bits() % 128) - random_bits() % 2;
  default:
    return number;
  }
}

enum { SAMPLES = 300000 };

static void integers_divide(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    UInt128 a = random_wide(), b = random_wide();
    if (b == 0)
      continue;
    CHECK(our___udivti3(a, b) == a / b);
    CHECK(our___umodti3(a, b) == a % b);
    if ((Int128)b == -1 && a << 1 == 0)
      continue;
    CHECK(our___divti3((Int128)a, (Int128)b) == (Int128)a / (Int128)b);
    CHECK(our___modti3((Int128)a, (Int128)b) == (Int128)a % (Int128)b);
  }
}

static void integers_multiply(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    Int128 a = (Int128)random_wide(), b = (Int128)random_wide();
    CHECK(our___multi3(a, b) == (Int128)((UInt128)a * (UInt128)b));
    int overflow = 0;
    Int128 expected = 0;
    bool overflows = __builtin_mul_overflow(a, b, &expected);
    CHECK(our___muloti4(a, b, &overflow) == expected);
    CHECK((overflow != 0) == overflows);
  }
}

static void integers_shift(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    UInt128 a = random_wide();
    int distance = (int)(random_bits() % 128);
    CHECK(our___ashlti3(a, distance) == a << distance);
    CHECK(our___lshrti3(a, distance) == a >> distance);
    CHECK(our___ashrti3((Int128)a, distance) == (Int128)a >> distance);
  }
}

static void integers_convert(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    UInt128 a = random_wide();
    CHECK(our___floatuntidf(a) == (double)a);
    CHECK(our___floattidf((Int128)a) == (double)(Int128)a);
    CHECK(our___floatuntisf(a) == (float)a);
    CHECK(our___floattisf((Int128)a) == (float)(Int128)a);
    double number = (double)(a >> 1);
    CHECK(our___fixunsdfti(number / 1024) == (UInt128)(number / 1024));
    CHECK(our___fixdfti(-number / 1024) == (Int128)(-number / 1024));
  }
}

static uint16_t half_bits(_Float16 number) {
  uint16_t bits;
  memcpy(&bits, &number, sizeof(bits));
  return bits;
}

static void halves_extend(void) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint16_t half = (uint16_t)bits;
    _Float16 number;
    memcpy(&number, &half, sizeof(number));
    float ours = our___extendhfsf2(number), theirs = (float)number;
    CHECK(memcmp(&ours, &theirs, sizeof(ours)) == 0 ||
          (ours != ours && theirs != theirs));
    CHECK(ours != ours || half_bits(our___truncsfhf2(ours)) == half);
  }
}

static void halves_round(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    uint64_t bits = random_bits();
    bits = (bits & ~(UINT64_C(0x7FF) << 52)) |
           (uint64_t)(990 + random_bits() % 60) << 52;
    if (sample % 2 == 0)
      bits &= ~UINT64_C(0) << 41; // ties
    double number;
    memcpy(&number, &bits, sizeof(number));
    CHECK(half_bits(our___truncdfhf2(number)) == half_bits((_Float16)number));
    float narrow = (float)number;
    CHECK(half_bits(our___truncsfhf2(narrow)) == half_bits((_Float16)narrow));
  }
}

RUN_TESTS(TEST(integers_divide), TEST(integers_multiply),
          TEST(integers_shift), TEST(integers_convert), TEST(halves_extend), TEST(halves_round))
