//===--- decimal.h - numbers by their decimal digits ----------------------===//
//
// Owns: the declaration of a number whose digits are all known, from which a
// binary fraction is written, and to which a text is read.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_FREESTANDING_DECIMAL_H
#define SILC_FREESTANDING_DECIMAL_H

#include "c_library.h"

// The halfway point of two doubles has 768 digits at most.
enum { MOST_DIGITS = 800 };

// 0.d₁d₂… · 10^point. Neither the first digit nor the last is zero.
typedef struct Decimal {
  uint8_t digits[MOST_DIGITS];
  int count, point;
  // Whether there are more digits, not all of which are zero.
  bool has_more;
} Decimal;

void silc_decimalSet(Decimal *decimal, uint64_t number) HIDDEN;

// Multiplies by a power of two.
void silc_decimalShift(Decimal *decimal, int power) HIDDEN;

// Rounds to so many digits, halves to even ones.
void silc_decimalRound(Decimal *decimal, int count) HIDDEN;

// The whole number next to the decimal, which is less than 2^63.
uint64_t silc_decimalWhole(const Decimal *decimal) HIDDEN;

#endif
