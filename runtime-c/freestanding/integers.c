//===--- integers.c - integers of <stdlib.h> ------------------------------===//
//
// Owns: strtol and its kin, absolute values, division with remainder, rand.
//
//===----------------------------------------------------------------------===//

#include "c_library.h"
#include <limits.h>

typedef struct Parsed {
  unsigned long long magnitude;
  bool is_negative, overflows;
} Parsed;

static int digit_value(char character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  char lower = (char)(character | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : INT_MAX;
}

static bool has_hexadecimal_prefix(const char *text) {
  return text[0] == '0' && (text[1] | 0x20) == 'x' && digit_value(text[2]) < 16;
}

// Reads an integer of at most `largest` in magnitude. Where there is none, the
// end is the beginning.
static Parsed parse(const char *text, char **end, int base,
                    unsigned long long largest) {
  Parsed parsed = {0, false, false};
  const char *at = text;
  while (silc_isSpace(*at))
    ++at;
  if (*at == '-' || *at == '+')
    parsed.is_negative = *at++ == '-';
  if ((base == 0 || base == 16) && has_hexadecimal_prefix(at)) {
    base = 16;
    at += 2;
  } else if (base == 0) {
    base = *at == '0' ? 8 : 10;
  }
  const char *first = at;
  for (; digit_value(*at) < base; ++at) {
    unsigned long long digit = (unsigned long long)digit_value(*at);
    if (parsed.magnitude > (largest - digit) / (unsigned long long)base)
      parsed.overflows = true;
    else
      parsed.magnitude = parsed.magnitude * (unsigned long long)base + digit;
  }
  if (end != NULL)
    *end = (char *)(at == first ? text : at);
  if (parsed.overflows)
    silc_setErrno(SILC_ERANGE);
  return parsed;
}

static long long parse_signed(const char *text, char **end, int base,
                              long long smallest, long long largest) {
  Parsed parsed = parse(text, end, base, 0ULL - (unsigned long long)smallest);
  if (!parsed.is_negative && !parsed.overflows &&
      parsed.magnitude > (unsigned long long)largest) {
    silc_setErrno(SILC_ERANGE);
    parsed.overflows = true;
  }
  if (parsed.overflows)
    return parsed.is_negative ? smallest : largest;
  return (long long)(parsed.is_negative ? 0 - parsed.magnitude
                                        : parsed.magnitude);
}

static unsigned long long parse_unsigned(const char *text, char **end, int base,
                                         unsigned long long largest) {
  Parsed parsed = parse(text, end, base, largest);
  if (parsed.overflows)
    return largest;
  return parsed.is_negative ? 0 - parsed.magnitude : parsed.magnitude;
}

C_FUNCTION long strtol(const char *restrict text, char **restrict end,
                       int base) {
  return (long)parse_signed(text, end, base, LONG_MIN, LONG_MAX);
}

C_FUNCTION long long strtoll(const char *restrict text, char **restrict end,
                             int base) {
  return parse_signed(text, end, base, LLONG_MIN, LLONG_MAX);
}

C_FUNCTION unsigned long strtoul(const char *restrict text, char **restrict end,
                                 int base) {
  return (unsigned long)parse_unsigned(text, end, base, ULONG_MAX);
}

C_FUNCTION unsigned long long strtoull(const char *restrict text,
                                       char **restrict end, int base) {
  return parse_unsigned(text, end, base, ULLONG_MAX);
}

C_FUNCTION int atoi(const char *text) { return (int)strtol(text, NULL, 10); }

C_FUNCTION long atol(const char *text) { return strtol(text, NULL, 10); }

C_FUNCTION long long atoll(const char *text) { return strtoll(text, NULL, 10); }

C_FUNCTION int abs(int number) { return number < 0 ? -number : number; }

C_FUNCTION long labs(long number) { return number < 0 ? -number : number; }

C_FUNCTION long long llabs(long long number) {
  return number < 0 ? -number : number;
}

typedef struct Division {
  int quotient, remainder;
} Division;

typedef struct LongDivision {
  long quotient, remainder;
} LongDivision;

typedef struct LongLongDivision {
  long long quotient, remainder;
} LongLongDivision;

C_FUNCTION Division div(int number, int by) {
  return (Division){number / by, number % by};
}

C_FUNCTION LongDivision ldiv(long number, long by) {
  return (LongDivision){number / by, number % by};
}

C_FUNCTION LongLongDivision lldiv(long long number, long long by) {
  return (LongLongDivision){number / by, number % by};
}

static uint32_t random_state = 1;

C_FUNCTION void srand(unsigned seed) { random_state = seed; }

// A linear congruential generator, whose low bits repeat soon.
C_FUNCTION int rand(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (int)(random_state >> 17);
}
