//===--- decimal.c - numbers by their decimal digits ----------------------===//
//
// Owns: a number's decimal digits, multiplied by powers of two and rounded.
//
//===----------------------------------------------------------------------===//

#include "decimal.h"

// Ten times a power of two up to this one is a word.
enum { MOST_BITS = 60 };

static void trim(Decimal *decimal) {
  while (decimal->count != 0 && decimal->digits[decimal->count - 1] == 0)
    --decimal->count;
  if (decimal->count == 0)
    decimal->point = 0;
}

void silc_decimalSet(Decimal *decimal, uint64_t number) {
  uint8_t reversed[20];
  int count = 0;
  for (; number != 0; number /= 10)
    reversed[count++] = (uint8_t)(number % 10);
  for (int index = 0; index != count; ++index)
    decimal->digits[index] = reversed[count - 1 - index];
  decimal->count = decimal->point = count;
  decimal->has_more = false;
  trim(decimal);
}

// Puts `carry` in front of the digits.
static void prepend(Decimal *decimal, uint64_t carry) {
  int more = 0;
  for (uint64_t rest = carry; rest != 0; rest /= 10)
    ++more;
  int kept = decimal->count;
  if (kept + more > MOST_DIGITS)
    kept = MOST_DIGITS - more;
  for (int index = kept; index < decimal->count; ++index)
    decimal->has_more |= decimal->digits[index] != 0;
  memmove(decimal->digits + more, decimal->digits, (size_t)kept);
  for (int index = more; index != 0; carry /= 10)
    decimal->digits[--index] = (uint8_t)(carry % 10);
  decimal->count = kept + more;
  decimal->point += more;
}

static void multiply(Decimal *decimal, int bits) {
  uint64_t carry = 0;
  for (int index = decimal->count; index-- != 0;) {
    carry += (uint64_t)decimal->digits[index] << bits;
    decimal->digits[index] = (uint8_t)(carry % 10);
    carry /= 10;
  }
  prepend(decimal, carry);
  trim(decimal);
}

static void divide(Decimal *decimal, int bits) {
  uint64_t rest = 0, mask = (1ULL << bits) - 1;
  int read = 0, written = 0;
  // The digits in front of the first one of the quotient.
  for (; rest >> bits == 0; ++read)
    rest = rest * 10 + (read < decimal->count ? decimal->digits[read] : 0);
  decimal->point -= read - 1;
  while (rest != 0 || read < decimal->count) {
    uint8_t digit = (uint8_t)(rest >> bits);
    if (written < MOST_DIGITS)
      decimal->digits[written++] = digit;
    else
      decimal->has_more |= digit != 0;
    rest = (rest & mask) * 10;
    if (read < decimal->count)
      rest += decimal->digits[read++];
  }
  decimal->count = written;
  trim(decimal);
}

void silc_decimalShift(Decimal *decimal, int power) {
  if (decimal->count == 0)
    return;
  for (; power > MOST_BITS; power -= MOST_BITS)
    multiply(decimal, MOST_BITS);
  for (; power < -MOST_BITS; power += MOST_BITS)
    divide(decimal, MOST_BITS);
  if (power > 0)
    multiply(decimal, power);
  if (power < 0)
    divide(decimal, -power);
}

// Whether the digits after the first `count` round the last of these up.
static bool rounds_up(const Decimal *decimal, int count) {
  if (count < 0 || count >= decimal->count)
    return false;
  bool is_half = decimal->digits[count] == 5 && count + 1 == decimal->count &&
                 !decimal->has_more;
  if (is_half)
    return count != 0 && decimal->digits[count - 1] % 2 != 0;
  return decimal->digits[count] >= 5;
}

void silc_decimalRound(Decimal *decimal, int count) {
  if (count >= decimal->count)
    return;
  bool up = rounds_up(decimal, count);
  decimal->count = count < 0 ? 0 : count;
  decimal->has_more = false;
  if (!up) {
    trim(decimal);
    return;
  }
  int last = count;
  while (last != 0 && decimal->digits[last - 1] == 9)
    --last;
  if (last == 0) {
    decimal->digits[0] = 1;
    decimal->count = 1;
    ++decimal->point;
    return;
  }
  ++decimal->digits[last - 1];
  decimal->count = last;
}

uint64_t silc_decimalWhole(const Decimal *decimal) {
  uint64_t whole = 0;
  for (int index = 0; index < decimal->point; ++index)
    whole = whole * 10 + (index < decimal->count ? decimal->digits[index] : 0);
  return whole + rounds_up(decimal, decimal->point);
}
