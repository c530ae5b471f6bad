//===--- test_library_math.c - against the system's long double -----------===//
//
// The library's functions have the prefix our_ here. Errors are measured in
// units in the last place of the double result.
//
//===----------------------------------------------------------------------===//

#include "test.h"
#include <float.h>
#include <math.h>

#define UNARY(name)                                                            \
  double our_##name(double);                                                   \
  float our_##name##f(float);
UNARY(exp)
UNARY(exp2)
UNARY(exp10)
UNARY(log)
UNARY(log2)
UNARY(log10)
UNARY(sin)
UNARY(cos) UNARY(tan) UNARY(atan) UNARY(floor) UNARY(ceil) UNARY(trunc)
    UNARY(round) UNARY(rint) UNARY(nearbyint) UNARY(fabs) UNARY(sqrt)
UNARY(asin) UNARY(acos) UNARY(sinh) UNARY(cosh) UNARY(tanh) UNARY(asinh)
    UNARY(acosh) UNARY(atanh) UNARY(cbrt) UNARY(expm1) UNARY(log1p) UNARY(logb)
#define BINARY(name)                                                           \
  double our_##name(double, double);                                           \
  float our_##name##f(float, float);
        BINARY(pow) BINARY(atan2) BINARY(fmod) BINARY(fmin) BINARY(fmax)
            BINARY(copysign) BINARY(remainder) BINARY(hypot) BINARY(nextafter)
                BINARY(fdim) double our_fma(double, double, double);
double our_frexp(double, int *);
double our_modf(double, double *);
int our_ilogb(double);
long our_lround(double);
long our_lrintf(float);
float our_fmaf(float, float, float);
double our_ldexp(double, int);

extern long double exp10l(long double);

enum { SAMPLES = 200000 };

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static double any_double(void) {
  uint64_t bits = random_bits();
  double number;
  memcpy(&number, &bits, sizeof(number));
  return number;
}

static double between(double low, double high) {
  return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

static bool is_same(double left, double right) {
  if (isnan(left) || isnan(right))
    return isnan(left) && isnan(right);
  return left == right && signbit(left) == signbit(right);
}

// How many units in the last place the result is off.
static double error_of(double result, long double exact) {
  if (isnan(result) || isnan(exact))
    return isnan(result) && isnan(exact) ? 0 : INFINITY;
  double rounded = (double)exact;
  if (result == rounded)
    return (double)(fabsl(result - exact) /
                    (isinf(rounded) || rounded == 0 ? 1 : fabs(rounded)) *
                    (isinf(rounded) ? 0 : 1));
  if (isinf(result) || isinf(rounded))
    return INFINITY;
  double unit = nextafter(fabs(rounded), INFINITY) - fabs(rounded);
  return (double)(fabsl(result - exact) / unit);
}

static double worst;
static double worst_at;

static void measure(double result, long double exact, double argument) {
  double error = error_of(result, exact);
  if (error > worst) {
    worst = error;
    worst_at = argument;
  }
}

static void check_worst(const char *name) {
  CHECK(worst < 1);
  if (worst >= 1)
    printf("%s: %g units at %a\n", name, worst, worst_at);
  worst = 0;
}

#define MEASURE(name, low, high)                                               \
  do {                                                                         \
    for (int sample = 0; sample < SAMPLES; ++sample) {                         \
      double x = between(low, high);                                           \
      measure(our_##name(x), name##l(x), x);                                   \
    }                                                                          \
    check_worst(#name);                                                        \
  } while (0)

#define MEASURE_ANY(name)                                                      \
  do {                                                                         \
    for (int sample = 0; sample < SAMPLES; ++sample) {                         \
      double x = any_double();                                                 \
      measure(our_##name(x), name##l(x), x);                                   \
    }                                                                          \
    check_worst(#name);                                                        \
  } while (0)

#define CHECK_SAME(name, x)                                                    \
  do {                                                                         \
    double argument = x;                                                       \
    CHECK(is_same(our_##name(argument), name(argument)));                      \
  } while (0)

#define CHECK_SPECIAL(name)                                                    \
  do {                                                                         \
    CHECK_SAME(name, 0.0);                                                     \
    CHECK_SAME(name, -0.0);                                                    \
    CHECK_SAME(name, INFINITY);                                                \
    CHECK_SAME(name, -INFINITY);                                               \
    CHECK_SAME(name, NAN);                                                     \
  } while (0)

static void exponentials(void) {
  MEASURE(exp, -1, 1);
  MEASURE(exp, -745, 709);
  MEASURE(exp2, -1, 1);
  MEASURE(exp2, -1074, 1023);
  MEASURE(exp10, -300, 300);
  MEASURE_ANY(exp);
  CHECK_SPECIAL(exp);
  CHECK_SPECIAL(exp2);
  for (int power = -1074; power <= 1024; ++power)
    CHECK(our_exp2(power) == ldexp(1, power));
  CHECK(our_exp(710) == INFINITY);
  CHECK(our_exp(-746) == 0);
}

static void logarithms(void) {
  MEASURE(log, 0.5, 2);
  MEASURE(log2, 0.5, 2);
  MEASURE(log10, 0.5, 2);
  MEASURE(log, 0.999, 1.001);
  MEASURE_ANY(log);
  MEASURE_ANY(log2);
  MEASURE_ANY(log10);
  MEASURE(log, 0, 1e-308);
  CHECK_SPECIAL(log);
  CHECK_SPECIAL(log2);
  CHECK_SPECIAL(log10);
  for (int power = -1074; power < 1024; ++power)
    CHECK(our_log2(ldexp(1, power)) == power);
  CHECK(our_log10(1000) == 3);
}

static void angles(void) {
  MEASURE(sin, -1, 1);
  MEASURE(cos, -1, 1);
  MEASURE(tan, -1, 1);
  MEASURE(sin, -100, 100);
  MEASURE(cos, -100, 100);
  MEASURE(tan, -100, 100);
  CHECK_SPECIAL(sin);
  CHECK_SPECIAL(cos);
  CHECK_SPECIAL(tan);
  // The long double functions have too few bits of pi for larger angles; the
  // system's double functions are right to less than one unit.
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = any_double();
    if (isinf(x) || isnan(x))
      continue;
    measure(our_sin(x), sin(x), x);
    measure(our_cos(x), cos(x), x);
    measure(our_tan(x), tan(x), x);
  }
  CHECK(worst <= 1);
  worst = 0;
  // The double that is closest to a multiple of pi/2.
  CHECK(fabs(our_cos(0x1.6ac5b262ca1ffp+849) / -4.6871659242546276e-19 - 1) <
        1e-15);
}

static void arctangents(void) {
  MEASURE(atan, -1, 1);
  MEASURE(atan, -50, 50);
  MEASURE_ANY(atan);
  CHECK_SPECIAL(atan);
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double y = any_double(), x = any_double();
    measure(our_atan2(y, x), atan2l(y, x), y);
    y = between(-2, 2), x = between(-2, 2);
    measure(our_atan2(y, x), atan2l(y, x), y);
  }
  check_worst("atan2");
  const double special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN};
  for (int first = 0; first < 7; ++first)
    for (int second = 0; second < 7; ++second)
      CHECK(is_same(our_atan2(special[first], special[second]),
                    atan2(special[first], special[second])));
}

static void powers(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = between(0, 10), y = between(-100, 100);
    measure(our_pow(x, y), powl(x, y), x);
    x = between(0.99, 1.01), y = between(-50000, 50000);
    measure(our_pow(x, y), powl(x, y), x);
    x = between(-100, 100), y = rint(between(-20, 20));
    measure(our_pow(x, y), powl(x, y), x);
    x = any_double(), y = between(-2, 2);
    measure(our_pow(x, y), powl(x, y), x);
  }
  check_worst("pow");
  const double special[] = {0.0,      -0.0,      1,   -1,    2,      -2,
                            3,        -3,        0.5, -0.5,  1.5,    -1.5,
                            INFINITY, -INFINITY, NAN, 1e300, -1e300, 1e-310};
  for (size_t x = 0; x < sizeof(special) / sizeof(*special); ++x)
    for (size_t y = 0; y < sizeof(special) / sizeof(*special); ++y)
      CHECK(is_same(our_pow(special[x], special[y]),
                    pow(special[x], special[y])) ||
            error_of(our_pow(special[x], special[y]),
                     powl(special[x], special[y])) < 1);
}

static void integral_values(void) {
  for (int sample = 0; sample < 4 * SAMPLES; ++sample) {
    double x = sample % 2 == 0 ? any_double() : between(-100, 100);
    if (sample % 8 == 1)
      x = rint(x) / 2;
    if (isnan(x))
      continue;
    bool agree =
        is_same(our_floor(x), floor(x)) && is_same(our_ceil(x), ceil(x)) &&
        is_same(our_trunc(x), trunc(x)) && is_same(our_round(x), round(x)) &&
        is_same(our_rint(x), rint(x)) &&
        is_same(our_nearbyint(x), nearbyint(x)) &&
        is_same(our_floorf((float)x), floorf((float)x)) &&
        is_same(our_roundf((float)x), roundf((float)x));
    CHECK(agree);
  }
  CHECK(is_same(our_round(0x1.fffffffffffffp-2), 0));
  CHECK_SPECIAL(floor);
  CHECK_SPECIAL(ceil);
  CHECK_SPECIAL(trunc);
  CHECK_SPECIAL(round);
  CHECK_SPECIAL(rint);
}

static void remainders(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = any_double(), y = any_double();
    CHECK(is_same(our_fmod(x, y), fmod(x, y)));
    x = between(-1000, 1000), y = between(-10, 10);
    CHECK(is_same(our_fmod(x, y), fmod(x, y)));
    CHECK(is_same(our_fmodf((float)x, (float)y), fmodf((float)x, (float)y)));
    x = (double)(random_bits() % 1000) * 0x1p-1074;
    y = (double)(random_bits() % 100) * 0x1p-1074;
    CHECK(is_same(our_fmod(x, y), fmod(x, y)));
  }
}

static void least_remainders(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = any_double(), y = any_double();
    CHECK(is_same(our_remainder(x, y), remainder(x, y)));
    x = between(-1000, 1000), y = between(-10, 10);
    CHECK(is_same(our_remainder(x, y), remainder(x, y)));
    CHECK(is_same(our_remainderf((float)x, (float)y),
                  remainderf((float)x, (float)y)));
    x = rint(x), y = rint(y); // with ties
    CHECK(is_same(our_remainder(x, y), remainder(x, y)));
    x = ldexp(between(-2, 2), 1023), y = ldexp(between(-2, 2), 1023);
    CHECK(is_same(our_remainder(x, y), remainder(x, y)));
    x = (double)(random_bits() % 1000) * 0x1p-1074;
    y = (double)(random_bits() % 100) * 0x1p-1074;
    CHECK(is_same(our_remainder(x, y), remainder(x, y)));
  }
}

static void sines_and_cosines_back(void) {
  MEASURE(asin, -1, 1);
  MEASURE(acos, -1, 1);
  MEASURE(asin, -0.001, 0.001);
  MEASURE(acos, 0.999, 1);
  MEASURE(asin, 0.999, 1);
  MEASURE(acos, -1, -0.999);
  MEASURE_ANY(asin);
  MEASURE_ANY(acos);
  CHECK_SPECIAL(asin);
  CHECK_SPECIAL(acos);
  CHECK_SAME(asin, 1);
  CHECK_SAME(acos, 1);
  CHECK_SAME(acos, -1);
}

static void hyperbolic_functions(void) {
  MEASURE(sinh, -1, 1);
  MEASURE(cosh, -1, 1);
  MEASURE(tanh, -1, 1);
  MEASURE(sinh, -711, 711);
  MEASURE(cosh, -711, 711);
  MEASURE(tanh, -25, 25);
  MEASURE(asinh, -1, 1);
  MEASURE(acosh, 1, 2);
  MEASURE(acosh, 1, 1.0001);
  MEASURE(atanh, -1, 1);
  MEASURE(atanh, -0.001, 0.001);
  MEASURE_ANY(sinh);
  MEASURE_ANY(cosh);
  MEASURE_ANY(tanh);
  MEASURE_ANY(asinh);
  MEASURE_ANY(acosh);
  MEASURE_ANY(atanh);
  CHECK_SPECIAL(sinh);
  CHECK_SPECIAL(cosh);
  CHECK_SPECIAL(tanh);
  CHECK_SPECIAL(asinh);
  CHECK_SPECIAL(acosh);
  CHECK_SPECIAL(atanh);
}

static void near_zero(void) {
  MEASURE(expm1, -1, 1);
  MEASURE(expm1, -60, 709);
  MEASURE(expm1, -1e-5, 1e-5);
  MEASURE(log1p, -1, 1);
  MEASURE(log1p, -1e-5, 1e-5);
  MEASURE_ANY(expm1);
  MEASURE_ANY(log1p);
  CHECK_SPECIAL(expm1);
  CHECK_SPECIAL(log1p);
}

static void roots_and_distances(void) {
  MEASURE(cbrt, -30, 30);
  MEASURE_ANY(cbrt);
  CHECK_SPECIAL(cbrt);
  for (int number = -1000; number <= 1000; ++number)
    CHECK(our_cbrt((double)number * number * number) == number);
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = any_double(), y = any_double();
    measure(our_hypot(x, y), hypotl(x, y), x);
    x = between(-2, 2), y = between(-2, 2);
    measure(our_hypot(x, y), hypotl(x, y), x);
    x = ldexp(x, -1060), y = ldexp(y, -1060);
    measure(our_hypot(x, y), hypotl(x, y), x);
  }
  check_worst("hypot");
  CHECK(our_hypot(INFINITY, NAN) == INFINITY && our_hypot(3, -4) == 5);
}

static void check_parts(double x) {
  int ours = 0, theirs = 0;
  CHECK(is_same(our_frexp(x, &ours), frexp(x, &theirs)) && ours == theirs);
  double our_whole = 0, whole = 0;
  CHECK(is_same(our_modf(x, &our_whole), modf(x, &whole)) &&
        is_same(our_whole, whole));
  CHECK(is_same(our_logb(x), logb(x)));
  CHECK(our_ilogb(x) == ilogb(x));
  double other = any_double();
  CHECK(is_same(our_nextafter(x, other), nextafter(x, other)));
  CHECK(is_same(our_nextafterf((float)x, (float)other),
                nextafterf((float)x, (float)other)));
  CHECK(is_same(our_fdim(x, other), fdim(x, other)));
}

static void parts(void) {
  const double special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0.5};
  for (int index = 0; index < 8; ++index)
    check_parts(special[index]);
  for (int sample = 0; sample < SAMPLES; ++sample) {
    check_parts(any_double());
    double x = between(-1000, 1000);
    check_parts(x);
    CHECK(our_lround(x) == lround(x));
    CHECK(our_lrintf((float)x) == lrintf((float)x));
  }
}

static void fused_multiply_adds(void) {
  for (int sample = 0; sample < 4 * SAMPLES; ++sample) {
    double x = any_double(), y = any_double(), z = any_double();
    if (sample % 4 != 0) { // numbers that interact
      x = between(-2, 2), y = between(-2, 2);
      z = ldexp(between(-2, 2), (int)(random_bits() % 120) - 110);
      if (sample % 4 == 2)
        z = -x * y + (sample % 8 == 2 ? 0 : z);
      if (sample % 4 == 3)
        x = ldexp(x, -500), y = ldexp(y, -540), z = ldexp(z, -1030);
    }
    CHECK(is_same(our_fma(x, y, z), fma(x, y, z)));
    CHECK(is_same(our_fmaf((float)x, (float)y, (float)z),
                  fmaf((float)x, (float)y, (float)z)));
  }
  CHECK(is_same(our_fma(INFINITY, 0, 1), NAN));
  CHECK(is_same(our_fma(2, 3, INFINITY), INFINITY));
  CHECK(is_same(our_fma(0, 1, -0.0), fma(0, 1, -0.0)));
}

static void scaling(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    double x = any_double();
    int power = (int)(random_bits() % 4400) - 2200;
    CHECK(is_same(our_ldexp(x, power), ldexp(x, power)));
  }
}

static void smaller_and_larger(void) {
  const double special[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN};
  for (int first = 0; first < 7; ++first)
    for (int second = 0; second < 7; ++second) {
      double x = special[first], y = special[second];
      CHECK(our_fmin(x, y) == fmin(x, y) || (isnan(x) && isnan(y)));
      CHECK(our_fmax(x, y) == fmax(x, y) || (isnan(x) && isnan(y)));
      CHECK(is_same(our_copysign(x, y), copysign(x, y)));
    }
  CHECK(signbit(our_fmin(0.0, -0.0)) && !signbit(our_fmax(-0.0, 0.0)));
}

static void floats_round_the_double(void) {
  for (int sample = 0; sample < SAMPLES; ++sample) {
    float x = (float)between(-50, 50);
    CHECK(our_sinf(x) == (float)sin(x));
    CHECK(our_expf(x) == (float)exp(x));
    CHECK(our_logf(fabsf(x)) == (float)log(fabsf(x)));
    CHECK(our_sqrtf(fabsf(x)) == sqrtf(fabsf(x)));
  }
}

RUN_TESTS(TEST(exponentials), TEST(logarithms), TEST(angles), TEST(arctangents),
          TEST(powers), TEST(integral_values), TEST(remainders),
          TEST(least_remainders), TEST(sines_and_cosines_back),
          TEST(hyperbolic_functions), TEST(near_zero),
          TEST(roots_and_distances), TEST(parts),
          TEST(fused_multiply_adds), TEST(scaling), TEST(smaller_and_larger),
          TEST(floats_round_the_double))
