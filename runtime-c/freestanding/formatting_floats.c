//===--- formatting_floats.c - digits of floating-point numbers -----------===//
//
// Owns: how printf writes a double: all digits are right, and rounded to even.
//
//===----------------------------------------------------------------------===//

#include "decimal.h"
#include "formatting.h"

typedef union Bits {
  double number;
  uint64_t bits;
} Bits;

enum { FRACTION_BITS = 52, BIAS = 1023 };

static const uint64_t fraction_mask = (1ULL << FRACTION_BITS) - 1;

static void put(FormattedFloat *made, char character) {
  made->text[made->length++] = character;
}

static void put_prefix(FormattedFloat *made, char character) {
  made->prefix[made->prefix_length++] = character;
}

static void put_exponent(FormattedFloat *made, char letter, int exponent,
                         int least) {
  made->tail[made->tail_length++] = letter;
  made->tail[made->tail_length++] = exponent < 0 ? '-' : '+';
  int magnitude = exponent < 0 ? -exponent : exponent;
  char reversed[4];
  int count = 0;
  for (; magnitude != 0 || count < least; magnitude /= 10)
    reversed[count++] = (char)('0' + magnitude % 10);
  while (count != 0)
    made->tail[made->tail_length++] = reversed[--count];
}

static char digit_at(const Decimal *decimal, int index) {
  bool is_there = index >= 0 && index < decimal->count;
  return (char)('0' + (is_there ? decimal->digits[index] : 0));
}

// Puts so many digits after the point, the first of which is digit number
// `first`. Zeros at the end are only counted.
static void put_fraction(FormattedFloat *made, const Decimal *decimal,
                         int first, int count, bool has_point) {
  if (count > 0 || has_point)
    put(made, '.');
  int known = decimal->count - first;
  int written = count < known ? count : known < 0 ? 0 : known;
  for (int index = 0; index < written; ++index)
    put(made, digit_at(decimal, first + index));
  made->zeros = count - written;
}

// 123.45
static void put_fixed(FormattedFloat *made, Decimal *decimal, int precision,
                      bool has_point) {
  silc_decimalRound(decimal, decimal->point + precision);
  if (decimal->point <= 0)
    put(made, '0');
  for (int index = 0; index < decimal->point; ++index)
    put(made, digit_at(decimal, index));
  if (decimal->point < 0 && decimal->count != 0) {
    // Zeros stand between the point and the first digit.
    int leading = -decimal->point;
    if (leading > precision)
      leading = precision;
    put(made, '.');
    for (int index = 0; index < leading; ++index)
      put(made, '0');
    int rest = precision - leading;
    int written = rest < decimal->count ? rest : decimal->count;
    for (int index = 0; index < written; ++index)
      put(made, digit_at(decimal, index));
    made->zeros = rest - written;
    return;
  }
  put_fraction(made, decimal, decimal->point, precision, has_point);
}

// 1.2345e+02
static void put_scientific(FormattedFloat *made, Decimal *decimal,
                           int precision, bool has_point, char letter) {
  silc_decimalRound(decimal, precision + 1);
  put(made, digit_at(decimal, 0));
  put_fraction(made, decimal, 1, precision, has_point);
  put_exponent(made, letter, decimal->count == 0 ? 0 : decimal->point - 1, 2);
}

// The shorter of both, without zeros at the end.
static void put_general(FormattedFloat *made, Decimal *decimal,
                        const Format *format, char letter) {
  int precision = format->precision < 0    ? 6
                  : format->precision == 0 ? 1
                                           : format->precision;
  silc_decimalRound(decimal, precision);
  int exponent = decimal->count == 0 ? 0 : decimal->point - 1;
  bool is_scientific = exponent < -4 || exponent >= precision;
  int behind = is_scientific ? precision - 1 : precision - 1 - exponent;
  if (!format->is_alternate) {
    int needed = is_scientific ? decimal->count - 1
                               : decimal->count - decimal->point;
    behind = needed < behind ? needed : behind;
    behind = behind < 0 ? 0 : behind;
  }
  if (is_scientific)
    put_scientific(made, decimal, behind, format->is_alternate, letter);
  else
    put_fixed(made, decimal, behind, format->is_alternate);
}

// 1.8p+3
static void put_hexadecimal(FormattedFloat *made, const Format *format,
                            uint64_t bits) {
  bool is_upper = format->conversion == 'A';
  const char *digits = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
  put_prefix(made, '0');
  put_prefix(made, is_upper ? 'X' : 'x');
  int biased = (int)(bits >> FRACTION_BITS) & 2047;
  uint64_t fraction = bits & fraction_mask;
  int exponent = fraction == 0 && biased == 0 ? 0
                 : biased == 0                ? 1 - BIAS
                                              : biased - BIAS;
  if (biased != 0)
    fraction |= 1ULL << FRACTION_BITS;
  int count = format->precision;
  if (count >= 0 && count < FRACTION_BITS / 4) {
    int dropped = FRACTION_BITS - count * 4;
    uint64_t rest = fraction & ((1ULL << dropped) - 1);
    uint64_t half = 1ULL << (dropped - 1);
    fraction >>= dropped;
    if (rest > half || (rest == half && fraction % 2 != 0))
      ++fraction;
    fraction <<= dropped;
  }
  put(made, digits[fraction >> FRACTION_BITS]);
  fraction &= fraction_mask;
  if (fraction != 0 || count > 0 || format->is_alternate)
    put(made, '.');
  int written = 0;
  for (; fraction != 0; ++written) {
    put(made, digits[fraction >> (FRACTION_BITS - 4)]);
    fraction = fraction << 4 & fraction_mask;
  }
  made->zeros = count > written ? count - written : 0;
  put_exponent(made, is_upper ? 'P' : 'p', exponent, 1);
}

static void put_special(FormattedFloat *made, bool is_infinite, bool is_upper) {
  const char *text = is_infinite ? is_upper ? "INF" : "inf"
                     : is_upper  ? "NAN"
                                 : "nan";
  made->is_special = true;
  for (; *text != 0; ++text)
    put(made, *text);
}

static void set_decimal(Decimal *decimal, uint64_t bits) {
  int biased = (int)(bits >> FRACTION_BITS) & 2047;
  uint64_t fraction = bits & fraction_mask;
  silc_decimalSet(decimal,
                  biased == 0 ? fraction : fraction | 1ULL << FRACTION_BITS);
  silc_decimalShift(decimal, (biased == 0 ? 1 : biased) - BIAS - FRACTION_BITS);
}

void silc_formatFloat(FormattedFloat *made, const Format *format,
                      double number) {
  made->prefix_length = made->length = made->zeros = made->tail_length = 0;
  made->is_special = false;
  uint64_t bits = (Bits){number}.bits;
  char conversion = (char)(format->conversion | 0x20);
  bool is_upper = format->conversion != conversion;
  if (bits >> 63 != 0)
    put_prefix(made, '-');
  else if (format->sign != 0)
    put_prefix(made, format->sign);
  if ((bits >> FRACTION_BITS & 2047) == 2047) {
    put_special(made, (bits & fraction_mask) == 0, is_upper);
    return;
  }
  if (conversion == 'a') {
    put_hexadecimal(made, format, bits);
    return;
  }
  Decimal decimal;
  set_decimal(&decimal, bits);
  int precision = format->precision < 0 ? 6 : format->precision;
  char letter = is_upper ? 'E' : 'e';
  switch (conversion) {
  case 'f':
    put_fixed(made, &decimal, precision, format->is_alternate);
    break;
  case 'e':
    put_scientific(made, &decimal, precision, format->is_alternate, letter);
    break;
  default:
    put_general(made, &decimal, format, letter);
  }
}

double silc_doubleOfQuadruple(uint64_t low, uint64_t high) {
  int exponent = (int)(high >> 48 & 32767) - 16383;
  uint64_t sign = high >> 63 << 63;
  uint64_t fraction = (high & ((1ULL << 48) - 1)) << 4 | low >> 60;
  uint64_t rest = low << 4;
  if (exponent == 16384)
    return (Bits){.bits = sign | 2047ULL << FRACTION_BITS |
                          (fraction | (rest != 0))}
        .number;
  if (exponent > BIAS)
    return (Bits){.bits = sign | 2047ULL << FRACTION_BITS}.number;
  int biased = exponent + BIAS;
  if (biased <= 0) {
    // A number below the smallest exponent keeps fewer bits.
    int dropped = 1 - biased;
    if (dropped > FRACTION_BITS + 1)
      return (Bits){.bits = sign}.number;
    fraction |= 1ULL << FRACTION_BITS;
    rest = fraction << (64 - dropped) | (rest != 0);
    fraction >>= dropped;
    biased = 0;
  }
  uint64_t bits = (uint64_t)biased << FRACTION_BITS | fraction;
  if (rest > 1ULL << 63 || (rest == 1ULL << 63 && bits % 2 != 0))
    ++bits;
  return (Bits){.bits = sign | bits}.number;
}
