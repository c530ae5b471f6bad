//===--- test_library_soft_float.c - arithmetic of small processors -------===//
//
// The library's functions have the prefix our_ here; this processor's own
// instructions give the expected results.
//
//===----------------------------------------------------------------------===//

#include "test.h"

float our___addsf3(float, float), our___subsf3(float, float),
    our___mulsf3(float, float), our___divsf3(float, float);
double our___adddf3(double, double), our___subdf3(double, double),
    our___muldf3(double, double), our___divdf3(double, double);
int our___ltsf2(float, float), our___lesf2(float, float),
    our___gtsf2(float, float), our___gesf2(float, float),
    our___eqsf2(float, float), our___unordsf2(float, float);
int our___ltdf2(double, double), our___ledf2(double, double),
    our___gtdf2(double, double), our___gedf2(double, double),
    our___eqdf2(double, double), our___unorddf2(double, double);
float our___floatdisf(int64_t), our___floatundisf(uint64_t);
double our___floatdidf(int64_t), our___floatundidf(uint64_t);
float our___floatsisf(int32_t), our___floatunsisf(uint32_t);
double our___floatsidf(int32_t), our___floatunsidf(uint32_t);
int32_t our___fixsfsi(float), our___fixdfsi(double);
uint32_t our___fixunssfsi(float), our___fixunsdfsi(double);
int64_t our___fixsfdi(float), our___fixdfdi(double);
uint64_t our___fixunssfdi(float), our___fixunsdfdi(double);
double our___extendsfdf2(float);
float our___truncdfsf2(double);
uint64_t our___udivdi3(uint64_t, uint64_t), our___umoddi3(uint64_t, uint64_t);
int64_t our___divdi3(int64_t, int64_t), our___moddi3(int64_t, int64_t);
uint32_t our___udivsi3(uint32_t, uint32_t), our___umodsi3(uint32_t, uint32_t);
int32_t our___divsi3(int32_t, int32_t), our___modsi3(int32_t, int32_t);
uint64_t our___muldi3(uint64_t, uint64_t);
uint64_t our___ashldi3(uint64_t, int), our___lshrdi3(uint64_t, int),
    our___ashrdi3(uint64_t, int);

enum { SAMPLES = 2000000 };

static uint64_t random_state = 88172645463325252;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

// Of any length, often with runs of equal bits.
static uint64_t random_integer(void) {
  uint64_t number = random_bits() >> random_bits() % 64;
  switch (random_bits() % 4) {
  case 0:
    return -number;
  case 1:
    return (UINT64_C(1) << random_bits() % 64) - random_bits() % 3;
  default:
    return number;
  }
}

// Any encoding, more often than by chance one whose exponent is close to
// another's, or with few bits set, or at the ends of the range.
static uint64_t random_encoding(int fraction_bits, int exponent_bits) {
  uint64_t fraction = random_integer() & ((UINT64_C(1) << fraction_bits) - 1);
  uint64_t most = (UINT64_C(1) << exponent_bits) - 1, exponent;
  switch (random_bits() % 8) {
  case 0:
    exponent = random_bits() % 2 == 0 ? 0 : most;
    break;
  case 1:
    exponent = random_bits() % 2 == 0 ? 1 : most - 1;
    break;
  case 2:
  case 3:
    exponent = random_bits() & most;
    break;
  default:
    exponent = most / 2 + random_bits() % 64 - 32;
  }
  return (random_bits() & 1) << (fraction_bits + exponent_bits) |
         exponent << fraction_bits | fraction;
}

static float random_float(void) {
  uint32_t bits = (uint32_t)random_encoding(23, 8);
  float number;
  memcpy(&number, &bits, sizeof(number));
  return number;
}

static double random_double(void) {
  uint64_t bits = random_encoding(52, 11);
  double number;
  memcpy(&number, &bits, sizeof(number));
  return number;
}

static bool same_float(float left, float right) {
  return memcmp(&left, &right, sizeof(left)) == 0 ||
         (left != left && right != right);
}

static bool same_double(double left, double right) {
  return memcmp(&left, &right, sizeof(left)) == 0 ||
         (left != left && right != right);
}

static void floats_compute(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    volatile float a = random_float(), b = random_float();
    CHECK(same_float(our___addsf3(a, b), a + b));
    CHECK(same_float(our___subsf3(a, b), a - b));
    CHECK(same_float(our___mulsf3(a, b), a * b));
    CHECK(same_float(our___divsf3(a, b), a / b));
    CHECK((our___ltsf2(a, b) < 0) == (a < b));
    CHECK((our___lesf2(a, b) <= 0) == (a <= b));
    CHECK((our___gtsf2(a, b) > 0) == (a > b));
    CHECK((our___gesf2(a, b) >= 0) == (a >= b));
    CHECK((our___eqsf2(a, b) == 0) == (a == b));
    CHECK((our___unordsf2(a, b) != 0) == (a != a || b != b));
  }
}

static void doubles_compute(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    volatile double a = random_double(), b = random_double();
    CHECK(same_double(our___adddf3(a, b), a + b));
    CHECK(same_double(our___subdf3(a, b), a - b));
    CHECK(same_double(our___muldf3(a, b), a * b));
    CHECK(same_double(our___divdf3(a, b), a / b));
    CHECK((our___ltdf2(a, b) < 0) == (a < b));
    CHECK((our___ledf2(a, b) <= 0) == (a <= b));
    CHECK((our___gtdf2(a, b) > 0) == (a > b));
    CHECK((our___gedf2(a, b) >= 0) == (a >= b));
    CHECK((our___eqdf2(a, b) == 0) == (a == b));
    CHECK((our___unorddf2(a, b) != 0) == (a != a || b != b));
  }
}

static void integers_become_numbers(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    volatile uint64_t n = random_integer();
    volatile uint32_t m = (uint32_t)n;
    CHECK(same_float(our___floatundisf(n), (float)n));
    CHECK(same_float(our___floatdisf((int64_t)n), (float)(int64_t)n));
    CHECK(same_double(our___floatundidf(n), (double)n));
    CHECK(same_double(our___floatdidf((int64_t)n), (double)(int64_t)n));
    CHECK(same_float(our___floatunsisf(m), (float)m));
    CHECK(same_float(our___floatsisf((int32_t)m), (float)(int32_t)m));
    CHECK(same_double(our___floatunsidf(m), (double)m));
    CHECK(same_double(our___floatsidf((int32_t)m), (double)(int32_t)m));
  }
}

static void numbers_become_integers(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    volatile double d = random_double();
    volatile float f = random_float();
    if (d > -0x1p63 && d < 0x1p63)
      CHECK(our___fixdfdi(d) == (int64_t)d);
    if (d > -1 && d < 0x1p64)
      CHECK(our___fixunsdfdi(d) == (uint64_t)d);
    if (d > -0x1p31 && d < 0x1p31)
      CHECK(our___fixdfsi(d) == (int32_t)d);
    if (d > -1 && d < 0x1p32)
      CHECK(our___fixunsdfsi(d) == (uint32_t)d);
    if (f > -0x1p63f && f < 0x1p63f)
      CHECK(our___fixsfdi(f) == (int64_t)f);
    if (f > -1 && f < 0x1p64f)
      CHECK(our___fixunssfdi(f) == (uint64_t)f);
    if (f > -0x1p31f && f < 0x1p31f)
      CHECK(our___fixsfsi(f) == (int32_t)f);
    if (f > -1 && f < 0x1p32f)
      CHECK(our___fixunssfsi(f) == (uint32_t)f);
    CHECK(same_double(our___extendsfdf2(f), (double)f));
    CHECK(same_float(our___truncdfsf2(d), (float)d));
    CHECK(same_float(our___truncdfsf2((double)f), f));
  }
}

static void integers_compute(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    uint64_t a = random_integer(), b = random_integer();
    uint32_t c = (uint32_t)a, d = (uint32_t)b;
    int shift = (int)(random_bits() % 64);
    CHECK(our___muldi3(a, b) == a * b);
    CHECK(our___ashldi3(a, shift) == a << shift);
    CHECK(our___lshrdi3(a, shift) == a >> shift);
    CHECK(our___ashrdi3(a, shift) == (uint64_t)((int64_t)a >> shift));
    if (b != 0) {
      CHECK(our___udivdi3(a, b) == a / b);
      CHECK(our___umoddi3(a, b) == a % b);
    }
    if (b != 0 && b != UINT64_MAX) {
      CHECK(our___divdi3((int64_t)a, (int64_t)b) == (int64_t)a / (int64_t)b);
      CHECK(our___moddi3((int64_t)a, (int64_t)b) == (int64_t)a % (int64_t)b);
    }
    if (d != 0) {
      CHECK(our___udivsi3(c, d) == c / d);
      CHECK(our___umodsi3(c, d) == c % d);
    }
    if (d != 0 && d != UINT32_MAX) {
      CHECK(our___divsi3((int32_t)c, (int32_t)d) == (int32_t)c / (int32_t)d);
      CHECK(our___modsi3((int32_t)c, (int32_t)d) == (int32_t)c % (int32_t)d);
    }
  }
}

RUN_TESTS(TEST(floats_compute), TEST(doubles_compute),
          TEST(integers_become_numbers), TEST(numbers_become_integers),
          TEST(integers_compute))
