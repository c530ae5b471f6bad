//===--- formatting.h - printf's conversions ------------------------------===//
//
// Owns: the declarations that formatting.c and formatting_floats.c share.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_FREESTANDING_FORMATTING_H
#define SILC_FREESTANDING_FORMATTING_H

#include "c_library.h"

typedef enum Size {
  SIZE_INT,
  SIZE_CHAR,
  SIZE_SHORT,
  SIZE_LONG,
  SIZE_LONG_LONG,
  SIZE_LONG_DOUBLE
} Size;

typedef struct Format {
  bool is_left, is_alternate, pads_with_zeros;
  // The first character of a number that is not negative, if any.
  char sign;
  int width;
  // Negative where none is given.
  int precision;
  Size size;
  char conversion;
} Format;

// The longest double in full: 309 digits before the point, 1074 after.
enum { MOST_TEXT = 1400 };

// A number's text: prefix, text, zeros, tail.
typedef struct FormattedFloat {
  // The sign, and 0x.
  char prefix[4];
  int prefix_length;
  char text[MOST_TEXT];
  int length;
  // Those that a large precision asks for.
  int zeros;
  // The exponent.
  char tail[8];
  int tail_length;
  // Whether it is infinite or no number.
  bool is_special;
} FormattedFloat;

void silc_formatFloat(FormattedFloat *made, const Format *format,
                      double number) HIDDEN;

// The double next to a number of 128 bits, by its words.
double silc_doubleOfQuadruple(uint64_t low, uint64_t high) HIDDEN;

#endif
