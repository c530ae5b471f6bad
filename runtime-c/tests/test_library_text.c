//===--- test_library_text.c - strings, numbers as text, sorting ----------===//
//
// The library's functions have the prefix our_ here, and must agree with the
// system's.
//
//===----------------------------------------------------------------------===//

#include "test.h"
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

int our_vsnprintf(char *, size_t, const char *, va_list);
int our_printf(const char *, ...);
double our_strtod(const char *, char **);
float our_strtof(const char *, char **);
long our_strtol(const char *, char **, int);
unsigned long our_strtoul(const char *, char **, int);
void our_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *our_bsearch(const void *, const void *, size_t, size_t,
                  int (*)(const void *, const void *));
char *our_strncpy(char *, const char *, size_t);
char *our_strncat(char *, const char *, size_t);
char *our_strchr(const char *, int);
char *our_strrchr(const char *, int);
char *our_strstr(const char *, const char *);
char *our_strpbrk(const char *, const char *);
char *our_strtok(char *, const char *);
size_t our_strspn(const char *, const char *);
size_t our_strcspn(const char *, const char *);
int *our___errno_location(void);

static char printed[64];
static size_t printed_length;

int our_putchar(int character);
int our_putchar(int character) {
  printed[printed_length++] = (char)character;
  return character;
}

static uint64_t state = 88172645463325252u;

static uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double any_double(void) {
  union {
    uint64_t bits;
    double number;
  } made = {any()};
  switch (any() % 4) {
  case 0:
    return made.number;
  case 1:
    return (double)(int64_t)any() / 1024;
  case 2:
    return (double)(any() % 100000) / 1000;
  default:
    return ldexp((double)(any() % 16 + 1), (int)(any() % 40) - 20);
  }
}

static void agrees(const char *format, ...) {
  char ours[2500], expected[2500];
  va_list list;
  va_start(list, format);
  int expected_length = vsnprintf(expected, sizeof expected, format, list);
  va_end(list);
  va_start(list, format);
  int length = our_vsnprintf(ours, sizeof ours, format, list);
  va_end(list);
  if (length != expected_length || strcmp(ours, expected) != 0)
    printf("%s: %d [%s], should %d [%s]\n", format, length, ours,
           expected_length, expected);
  CHECK(length == expected_length && strcmp(ours, expected) == 0);
}

static void make_format(char *format, const char *conversions) {
  const char *start = format;
  *format++ = '%';
  for (const char *flag = "-+ #0"; *flag != 0; ++flag)
    if (any() % 4 == 0)
      *format++ = *flag;
  if (any() % 2 == 0)
    format += sprintf(format, "%d", (int)(any() % 30) + 1);
  if (any() % 2 == 0)
    format += sprintf(format, ".%d", (int)(any() % 25));
  *format++ = conversions[any() % strlen(conversions)];
  *format = 0;
  // Where rounding makes an exponent as large as the precision, glibc leaves
  // out a zero that "#" asks for.
  if (strchr(start, '#') != NULL && strchr("gG", format[-1]) != NULL)
    format[-1] = 'f';
}

static void floats_are_written(void) {
  static const double special[] = {0.0,      -0.0,    0.5,     1.5,
                                   2.5,      9.5,     99.995,  1e22,
                                   1e23,     DBL_MAX, DBL_MIN, 4.9e-324,
                                   INFINITY, -INFINITY};
  char format[64];
  for (int round = 0; round < 60000; ++round) {
    make_format(format, "eEfFgGaA");
    agrees(format, any_double());
    agrees(format, special[any() % 14]);
  }
  agrees("%.1100f|%.1100e", 4.9e-324, DBL_MAX);
  agrees("%Lg %.3Lf", 2.5L, -1e10L);
}

static void integers_are_written(void) {
  char format[64], wide[64];
  static const char *const sizes[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
  for (int round = 0; round < 20000; ++round) {
    make_format(format, "diouxX");
    size_t last = strlen(format) - 1;
    sprintf(wide, "%.*s%s%c", (int)last, format, sizes[any() % 8],
            format[last]);
    agrees(wide, any() >> any() % 64);
    agrees(wide, 0L);
  }
  int ours = 0;
  agrees("%s|%10s|%-10s|%.2s|%c|%%|%p|%*d|%-*d|%.*d", "text", "right", "left",
         "cut", 'c', (void *)&ours, 5, 42, 5, 42, 4, 42);
  our_printf("%d%s", 12, "ab");
  CHECK(printed_length == 4 && memcmp(printed, "12ab", 4) == 0);
}

static void reads_like_the_system(const char *text) {
  char *end, *expected_end;
  double ours = our_strtod(text, &end), expected = strtod(text, &expected_end);
  bool same = memcmp(&ours, &expected, sizeof ours) == 0 ||
              (isnan(ours) && isnan(expected));
  if (!same || end != expected_end)
    printf("%s: %a, should %a\n", text, ours, expected);
  CHECK(same && end == expected_end);
  float our_float = our_strtof(text, &end);
  float expected_float = strtof(text, &expected_end);
  CHECK(memcmp(&our_float, &expected_float, sizeof our_float) == 0 ||
        (isnan(our_float) && isnan(expected_float)));
}

static void floats_are_read(void) {
  static const char *const texts[] = {
      "0", "-0.0", "1", "  +1.5e3x", ".5", "5.", ".", "e5", "1e", "1e+", "inf",
      "-INFINITYx", "nan", "0x", "0x1p-1", "0x.8p4", "-0x1.fffffffffffff8p0",
      "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1p-1075",
      "0x1.1p-1075", "0x0.00001p-1060", "1e400", "-1e400", "1e-400",
      "1.7976931348623158e308", "1.7976931348623159e308",
      "2.4703282292062327e-324", "2.4703282292062328e-324",
      "2.2250738585072011e-308", "9007199254740993", "9007199254740992.9999",
      "0.000000000000000000000000000000000000000000000000001e51",
      "100000000000000000000000000000000000000000000000000000000e-56",
      "3.4028235677973366e38", "1.401298464324817e-45", "7.006492321624085e-46",
      "0x123456789abcdef01234567p0", "1e99999999999", "0e99999999"};
  for (size_t index = 0; index < sizeof texts / sizeof *texts; ++index)
    reads_like_the_system(texts[index]);
  char text[64];
  for (int round = 0; round < 60000; ++round) {
    sprintf(text, any() % 2 ? "%.17g" : "%.25e", any_double());
    reads_like_the_system(text);
    sprintf(text, "%llu%llue%d", (unsigned long long)any(),
            (unsigned long long)any(), (int)(any() % 700) - 380);
    reads_like_the_system(text);
  }
}

static void integers_are_read(void) {
  static const char *const texts[] = {
      "0", "12", " -12a", "+0x1fz", "0x", "0xg", "077", "08", "zz", "", "-",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808",
      "-9223372036854775809", "18446744073709551615", "18446744073709551616",
      "-18446744073709551615", "99999999999999999999999", "-1"};
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  for (size_t index = 0; index < sizeof texts / sizeof *texts; ++index)
    for (int base = 0; base < 6; ++base) {
      char *end, *expected_end;
      const char *text = texts[index];
      *our___errno_location() = errno = 0;
      CHECK(our_strtol(text, &end, bases[base]) ==
            strtol(text, &expected_end, bases[base]));
      CHECK(end == expected_end);
      CHECK((*our___errno_location() == ERANGE) == (errno == ERANGE));
      *our___errno_location() = errno = 0;
      CHECK(our_strtoul(text, &end, bases[base]) ==
            strtoul(text, &expected_end, bases[base]));
      CHECK(end == expected_end);
      CHECK((*our___errno_location() == ERANGE) == (errno == ERANGE));
    }
}

static int compare(const void *left, const void *right) {
  int one = *(const int *)left, other = *(const int *)right;
  return (one > other) - (one < other);
}

static void arrays_are_sorted(void) {
  int ours[200], expected[200];
  for (size_t count = 0; count < 200; ++count) {
    for (size_t index = 0; index < count; ++index)
      ours[index] = expected[index] = (int)(any() % 100);
    our_qsort(ours, count, sizeof *ours, compare);
    qsort(expected, count, sizeof *expected, compare);
    CHECK(memcmp(ours, expected, count * sizeof *ours) == 0);
    for (int key = -1; key <= 100; ++key) {
      int *found = our_bsearch(&key, ours, count, sizeof *ours, compare);
      bool is_there = bsearch(&key, ours, count, sizeof *ours, compare) != NULL;
      CHECK((found != NULL) == is_there && (!is_there || *found == key));
    }
  }
}

static void strings_are_searched(void) {
  static const char *const texts[] = {"", "a", "abcabc", "xyz", "aab", "cab"};
  for (int one = 0; one < 6; ++one)
    for (int other = 0; other < 6; ++other) {
      const char *text = texts[one], *part = texts[other];
      CHECK(our_strstr(text, part) == strstr(text, part));
      CHECK(our_strspn(text, part) == strspn(text, part));
      CHECK(our_strcspn(text, part) == strcspn(text, part));
      CHECK(our_strpbrk(text, part) == strpbrk(text, part));
      CHECK(our_strchr(text, *part) == strchr(text, *part));
      CHECK(our_strrchr(text, *part) == strrchr(text, *part));
    }
  char list[] = ",a,,bc,";
  CHECK(strcmp(our_strtok(list, ","), "a") == 0);
  CHECK(strcmp(our_strtok(NULL, ","), "bc") == 0);
  CHECK(our_strtok(NULL, ",") == NULL);
  char copy[8] = "zzzzzzz";
  our_strncpy(copy, "ab", 4);
  CHECK(memcmp(copy, "ab\0\0zzz", 8) == 0);
  our_strncat(copy, "cdef", 2);
  CHECK(strcmp(copy, "abcd") == 0);
}

RUN_TESTS(TEST(floats_are_written), TEST(integers_are_written),
          TEST(floats_are_read), TEST(integers_are_read),
          TEST(arrays_are_sorted), TEST(strings_are_searched))
