//===--- floats.c - floating-point numbers from text ----------------------===//
//
// Owns: strtod, strtof, atof: the number nearest to the text, by all of its
// digits. strtold is left out: the format of a long double differs by target.
//
//===----------------------------------------------------------------------===//

#include "decimal.h"
#include <limits.h>

// A binary format: how many bits the fraction has, and the exponents of the
// smallest and the largest number with all of them, as 0.1… · 2^exponent.
typedef struct Format {
  int bits, smallest, largest;
} Format;

static const Format single = {24, -125, 128}, whole = {53, -1021, 1024};

// Larger exponents than any number has that is neither zero nor infinite.
enum { MOST_EXPONENT = 100000 };

static bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

static char lower(char character) {
  return character >= 'A' && character <= 'Z' ? (char)(character | 0x20)
                                              : character;
}

// Whether the text begins with these lower-case letters.
static bool begins_with(const char *text, const char *letters) {
  for (; *letters != 0; ++text, ++letters)
    if (lower(*text) != *letters)
      return false;
  return true;
}

// The exponent after `letter`, if there is one, which the text is moved past.
static int read_exponent(const char **text, char letter) {
  const char *at = *text;
  if (lower(*at) != letter)
    return 0;
  ++at;
  bool is_negative = *at == '-';
  if (*at == '-' || *at == '+')
    ++at;
  if (!is_digit(*at))
    return 0;
  int exponent = 0;
  for (; is_digit(*at); ++at)
    if (exponent < MOST_EXPONENT)
      exponent = exponent * 10 + (*at - '0');
  *text = at;
  return is_negative ? -exponent : exponent;
}

// A number as `fraction` · 2^`exponent`, zero where it is too small and
// infinite where it is too large.
static double assemble(uint64_t fraction, int exponent) {
  if (fraction == 0)
    return 0;
  int leading = __builtin_clzll(fraction);
  int biased = 1023 + 63 - leading + exponent;
  union {
    uint64_t bits;
    double number;
  } made;
  if (biased >= 2047) {
    made.bits = 2047ULL << 52;
  } else if (biased > 0) {
    uint64_t normal = leading >= 11 ? fraction << (leading - 11)
                                    : fraction >> (11 - leading);
    made.bits = (normal & ((1ULL << 52) - 1)) | (uint64_t)biased << 52;
  } else {
    // Nothing is lost: the fraction was rounded for this exponent.
    int shift = exponent + 1074;
    made.bits = shift >= 0 ? fraction << shift : fraction >> -shift;
  }
  return made.number;
}

// The number with these digits in a format. Sets errno where there is none.
static double nearest(Decimal *decimal, Format format) {
  if (decimal->count == 0 || decimal->point < -400) {
    if (decimal->count != 0)
      silc_setErrno(SILC_ERANGE);
    return 0;
  }
  int exponent = 0;
  while (decimal->point > 0 && exponent <= format.largest + 4) {
    int step = decimal->point > 18 ? 60 : decimal->point > 1 ? 3 : 1;
    silc_decimalShift(decimal, -step);
    exponent += step;
  }
  // Now it is less than one; at least a half is wanted.
  while (decimal->point < 0 || (decimal->point == 0 && decimal->digits[0] < 5)) {
    int step = decimal->point < -18 ? 59 : decimal->point < -1 ? 3 : 1;
    silc_decimalShift(decimal, step);
    exponent -= step;
  }
  int bits = format.bits;
  if (exponent < format.smallest)
    bits -= format.smallest - exponent;
  uint64_t fraction = 0;
  if (exponent <= format.largest && bits >= 0) {
    silc_decimalShift(decimal, bits);
    fraction = silc_decimalWhole(decimal);
    if (fraction == 1ULL << format.bits && exponent == format.largest)
      exponent = format.largest + 1;
  }
  if (exponent > format.largest || fraction == 0)
    silc_setErrno(SILC_ERANGE);
  return exponent > format.largest ? __builtin_inf()
                                   : assemble(fraction, exponent - bits);
}

// Reads digits with at most one point among them. Whether there are any.
static bool read_decimal(const char **text, Decimal *decimal) {
  const char *at = *text;
  bool has_digits = false, has_point = false;
  decimal->count = decimal->point = 0;
  decimal->has_more = false;
  for (; is_digit(*at) || (*at == '.' && !has_point); ++at) {
    if (*at == '.') {
      has_point = true;
      continue;
    }
    has_digits = true;
    uint8_t digit = (uint8_t)(*at - '0');
    bool leads = decimal->count == 0 && digit == 0;
    if (!leads && decimal->count < MOST_DIGITS)
      decimal->digits[decimal->count++] = digit;
    else if (!leads)
      decimal->has_more |= digit != 0;
    if (!has_point && !leads)
      ++decimal->point;
    if (has_point && leads)
      --decimal->point;
  }
  *text = at;
  return has_digits;
}

static int hexadecimal(char character) {
  if (is_digit(character))
    return character - '0';
  char letter = lower(character);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// The number after 0x.
static double read_hexadecimal(const char **text, Format format) {
  const char *at = *text;
  uint64_t fraction = 0;
  int exponent = 0;
  bool has_point = false, has_more = false;
  for (; hexadecimal(*at) >= 0 || (*at == '.' && !has_point); ++at) {
    if (*at == '.') {
      has_point = true;
      continue;
    }
    uint64_t digit = (uint64_t)hexadecimal(*at);
    if (fraction >> 58 == 0) {
      fraction = fraction << 4 | digit;
      exponent -= has_point ? 4 : 0;
    } else {
      has_more |= digit != 0;
      exponent += has_point ? 0 : 4;
    }
    if (exponent > MOST_EXPONENT || exponent < -MOST_EXPONENT)
      break;
  }
  exponent += read_exponent(&at, 'p');
  *text = at;
  if (fraction == 0)
    return 0;
  int width = 64 - __builtin_clzll(fraction);
  int kept = format.bits;
  if (width + exponent < format.smallest)
    kept -= format.smallest - (width + exponent);
  if (kept < 0)
    kept = 0;
  int dropped = width - kept;
  if (dropped > 0) {
    uint64_t half = 1ULL << (dropped - 1);
    uint64_t rest = fraction & (2 * half - 1);
    if (kept == 0 && width + exponent < format.smallest - format.bits)
      rest = 0;
    fraction = dropped == 64 ? 0 : fraction >> dropped;
    exponent += dropped;
    if (rest > half || (rest == half && (has_more || fraction % 2 != 0)))
      ++fraction;
  }
  width = fraction == 0 ? 0 : 64 - __builtin_clzll(fraction);
  bool is_large = width + exponent > format.largest;
  if (is_large || fraction == 0)
    silc_setErrno(SILC_ERANGE);
  return is_large ? __builtin_inf() : assemble(fraction, exponent);
}

static double parse_number(const char **text, Format format) {
  const char *at = *text;
  if (begins_with(at, "inf")) {
    *text = at + (begins_with(at, "infinity") ? 8 : 3);
    return __builtin_inf();
  }
  if (begins_with(at, "nan")) {
    *text = at + 3;
    return __builtin_nan("");
  }
  bool is_hexadecimal =
      begins_with(at, "0x") &&
      (hexadecimal(at[2]) >= 0 || (at[2] == '.' && hexadecimal(at[3]) >= 0));
  if (is_hexadecimal) {
    *text = at + 2;
    return read_hexadecimal(text, format);
  }
  Decimal decimal;
  if (!read_decimal(&at, &decimal)) {
    *text = NULL;
    return 0;
  }
  decimal.point += read_exponent(&at, 'e');
  while (decimal.count != 0 && decimal.digits[decimal.count - 1] == 0)
    --decimal.count;
  if (decimal.count == 0)
    decimal.point = 0;
  *text = at;
  return nearest(&decimal, format);
}

static double parse_float(const char *text, char **end, Format format) {
  const char *at = text;
  while (silc_isSpace(*at))
    ++at;
  bool is_negative = *at == '-';
  if (*at == '-' || *at == '+')
    ++at;
  double number = parse_number(&at, format);
  if (end != NULL)
    *end = (char *)(at == NULL ? text : at);
  return is_negative ? -number : number;
}

C_FUNCTION double strtod(const char *restrict text, char **restrict end) {
  return parse_float(text, end, whole);
}

C_FUNCTION float strtof(const char *restrict text, char **restrict end) {
  return (float)parse_float(text, end, single);
}

C_FUNCTION double atof(const char *text) { return strtod(text, NULL); }
