//===--- formatting.c - text by formats -----------------------------------===//
//
// Owns: printf, snprintf and their kin: formats and their conversions. Digits
// of floating-point numbers are those of formatting_floats.c. Wide characters
// are an error.
//
//===----------------------------------------------------------------------===//

#include "formatting.h"
#include <limits.h>
#include <stdarg.h>

// Where characters go: a buffer, or standard output where there is none.
typedef struct Sink {
  char *buffer;
  size_t capacity;
  size_t length;
} Sink;

static void put(Sink *sink, char character) {
  if (sink->buffer == NULL && sink->capacity == SIZE_MAX)
    putchar((unsigned char)character);
  else if (sink->length < sink->capacity)
    sink->buffer[sink->length] = character;
  ++sink->length;
}

static void fill(Sink *sink, char character, int count) {
  for (; count > 0; --count)
    put(sink, character);
}

// Writes a text of so many characters, with `zeros` zeros after the first
// `prefix` of them.
static void put_padded(Sink *sink, const Format *format, const char *text,
                       int length, int prefix, int zeros) {
  int missing = format->width - length - zeros;
  if (format->pads_with_zeros && missing > 0) {
    zeros += missing;
    missing = 0;
  }
  if (!format->is_left)
    fill(sink, ' ', missing);
  for (int index = 0; index < length; ++index) {
    if (index == prefix)
      fill(sink, '0', zeros);
    put(sink, text[index]);
  }
  if (prefix == length)
    fill(sink, '0', zeros);
  if (format->is_left)
    fill(sink, ' ', missing);
}

static void put_integer(Sink *sink, Format *format, unsigned long long number,
                        bool is_negative) {
  char reversed[24], text[28];
  bool is_hexadecimal = (format->conversion | 0x20) == 'x' ||
                        format->conversion == 'p';
  unsigned base = format->conversion == 'o' ? 8 : is_hexadecimal ? 16 : 10;
  const char *digits =
      format->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  int count = 0, length = 0;
  for (unsigned long long rest = number; rest != 0; rest /= base)
    reversed[count++] = digits[rest % base];
  int wanted = format->precision < 0 ? 1 : format->precision;
  if (format->is_alternate && base == 8 && wanted <= count)
    wanted = count + 1;
  if (format->precision >= 0)
    format->pads_with_zeros = false;
  bool is_signed = format->conversion == 'd';
  if (is_signed && (is_negative || format->sign != 0))
    text[length++] = is_negative ? '-' : format->sign;
  if ((format->is_alternate && base == 16 && number != 0) ||
      format->conversion == 'p') {
    text[length++] = '0';
    text[length++] = format->conversion == 'X' ? 'X' : 'x';
  }
  int prefix = length;
  while (count != 0)
    text[length++] = reversed[--count];
  int written = length - prefix;
  put_padded(sink, format, text, length, prefix,
             wanted > written ? wanted - written : 0);
}

static void put_float(Sink *sink, Format *format, double number) {
  FormattedFloat made;
  silc_formatFloat(&made, format, number);
  if (made.is_special)
    format->pads_with_zeros = false;
  int length = made.prefix_length + made.length + made.zeros +
               made.tail_length;
  int missing = format->width > length ? format->width - length : 0;
  if (!format->is_left && !format->pads_with_zeros)
    fill(sink, ' ', missing);
  for (int index = 0; index < made.prefix_length; ++index)
    put(sink, made.prefix[index]);
  if (!format->is_left && format->pads_with_zeros)
    fill(sink, '0', missing);
  for (int index = 0; index < made.length; ++index)
    put(sink, made.text[index]);
  fill(sink, '0', made.zeros);
  for (int index = 0; index < made.tail_length; ++index)
    put(sink, made.tail[index]);
  if (format->is_left)
    fill(sink, ' ', missing);
}

// A number in decimal digits, which the text is moved past.
static int read_number(const char **text) {
  int number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    if (number < INT_MAX / 20)
      number = number * 10 + (**text - '0');
  return number;
}

static void read_flags(const char **text, Format *format) {
  for (;; ++*text)
    switch (**text) {
    case '-':
      format->is_left = true;
      break;
    case '+':
      format->sign = '+';
      break;
    case ' ':
      if (format->sign == 0)
        format->sign = ' ';
      break;
    case '#':
      format->is_alternate = true;
      break;
    case '0':
      format->pads_with_zeros = true;
      break;
    default:
      return;
    }
}

static Size read_size(const char **text) {
  switch (*(*text)++) {
  case 'h':
    if (**text != 'h')
      return SIZE_SHORT;
    ++*text;
    return SIZE_CHAR;
  case 'l':
    if (**text != 'l')
      return SIZE_LONG;
    ++*text;
    return SIZE_LONG_LONG;
  case 'j':
    return SIZE_LONG_LONG;
  case 'z':
  case 't':
    return sizeof(size_t) == sizeof(long long) ? SIZE_LONG_LONG : SIZE_INT;
  case 'L':
    return SIZE_LONG_DOUBLE;
  default:
    --*text;
    return SIZE_INT;
  }
}

typedef struct Arguments {
  va_list list;
} Arguments;

static long long signed_argument(Arguments *arguments, Size size) {
  switch (size) {
  case SIZE_CHAR:
    return (signed char)va_arg(arguments->list, int);
  case SIZE_SHORT:
    return (short)va_arg(arguments->list, int);
  case SIZE_LONG:
    return va_arg(arguments->list, long);
  case SIZE_LONG_LONG:
    return va_arg(arguments->list, long long);
  default:
    return va_arg(arguments->list, int);
  }
}

static unsigned long long unsigned_argument(Arguments *arguments, Size size) {
  switch (size) {
  case SIZE_CHAR:
    return (unsigned char)va_arg(arguments->list, int);
  case SIZE_SHORT:
    return (unsigned short)va_arg(arguments->list, int);
  case SIZE_LONG:
    return va_arg(arguments->list, unsigned long);
  case SIZE_LONG_LONG:
    return va_arg(arguments->list, unsigned long long);
  default:
    return va_arg(arguments->list, unsigned);
  }
}

static void store_length(Arguments *arguments, Size size, size_t length) {
  void *place = va_arg(arguments->list, void *);
  switch (size) {
  case SIZE_CHAR:
    *(signed char *)place = (signed char)length;
    break;
  case SIZE_SHORT:
    *(short *)place = (short)length;
    break;
  case SIZE_LONG:
    *(long *)place = (long)length;
    break;
  case SIZE_LONG_LONG:
    *(long long *)place = (long long)length;
    break;
  default:
    *(int *)place = (int)length;
  }
}

// The double next to an argument of a type that differs by target.
static double long_double_argument(Arguments *arguments) {
#if __LDBL_MANT_DIG__ == 113
  union {
    long double number;
    uint64_t words[2];
  } argument = {va_arg(arguments->list, long double)};
  return silc_doubleOfQuadruple(argument.words[0], argument.words[1]);
#else
  return (double)va_arg(arguments->list, long double);
#endif
}

static void put_text(Sink *sink, Format *format, const char *text) {
  if (text == NULL)
    text = "(null)";
  size_t most = format->precision < 0 ? INT_MAX : (size_t)format->precision;
  format->pads_with_zeros = false;
  int length = (int)strnlen(text, most);
  put_padded(sink, format, text, length, length, 0);
}

// Writes the result of a conversion. Returns whether it is known.
static bool convert(Sink *sink, Format *format, Arguments *arguments) {
  switch (format->conversion) {
  case 'd':
  case 'i': {
    long long number = signed_argument(arguments, format->size);
    unsigned long long magnitude = (unsigned long long)number;
    format->conversion = 'd';
    put_integer(sink, format, number < 0 ? 0 - magnitude : magnitude,
                number < 0);
    return true;
  }
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    put_integer(sink, format, unsigned_argument(arguments, format->size),
                false);
    return true;
  case 'p':
    put_integer(sink, format, (uintptr_t)va_arg(arguments->list, void *),
                false);
    return true;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    put_float(sink, format,
              format->size == SIZE_LONG_DOUBLE
                  ? long_double_argument(arguments)
                  : va_arg(arguments->list, double));
    return true;
  case 'c': {
    char character = (char)va_arg(arguments->list, int);
    format->pads_with_zeros = false;
    put_padded(sink, format, &character, 1, 1, 0);
    return format->size != SIZE_LONG;
  }
  case 's':
    if (format->size == SIZE_LONG)
      return false;
    put_text(sink, format, va_arg(arguments->list, const char *));
    return true;
  case 'n':
    store_length(arguments, format->size, sink->length);
    return true;
  case '%':
    put(sink, '%');
    return true;
  default:
    return false;
  }
}

static Format read_format(const char **text, Arguments *arguments) {
  Format format = {.precision = -1};
  read_flags(text, &format);
  if (**text == '*') {
    ++*text;
    format.width = va_arg(arguments->list, int);
    if (format.width < 0) {
      format.is_left = true;
      format.width = -format.width;
    }
  } else {
    format.width = read_number(text);
  }
  if (**text == '.') {
    ++*text;
    if (**text == '*') {
      ++*text;
      int precision = va_arg(arguments->list, int);
      format.precision = precision < 0 ? -1 : precision;
    } else {
      format.precision = read_number(text);
    }
  }
  format.size = read_size(text);
  format.conversion = **text;
  if (format.is_left)
    format.pads_with_zeros = false;
  return format;
}

static int format_text(Sink *sink, const char *text, va_list list) {
  Arguments arguments;
  va_copy(arguments.list, list);
  bool is_known = true;
  for (; *text != 0 && is_known; ++text) {
    if (*text != '%') {
      put(sink, *text);
      continue;
    }
    ++text;
    Format format = read_format(&text, &arguments);
    is_known = convert(sink, &format, &arguments);
  }
  va_end(arguments.list);
  return is_known && sink->length <= INT_MAX ? (int)sink->length : -1;
}

C_FUNCTION int vsnprintf(char *restrict buffer, size_t size,
                         const char *restrict format, va_list list) {
  Sink sink = {buffer, size == 0 ? 0 : size - 1, 0};
  int length = format_text(&sink, format, list);
  if (size != 0)
    buffer[sink.length < size ? sink.length : size - 1] = 0;
  return length;
}

C_FUNCTION int vsprintf(char *restrict buffer, const char *restrict format,
                        va_list list) {
  return vsnprintf(buffer, SIZE_MAX / 2, format, list);
}

C_FUNCTION int vprintf(const char *restrict format, va_list list) {
  Sink sink = {NULL, SIZE_MAX, 0};
  return format_text(&sink, format, list);
}

C_FUNCTION int snprintf(char *restrict buffer, size_t size,
                        const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, size, format, list);
  va_end(list);
  return length;
}

C_FUNCTION int sprintf(char *restrict buffer, const char *restrict format,
                       ...) {
  va_list list;
  va_start(list, format);
  int length = vsprintf(buffer, format, list);
  va_end(list);
  return length;
}

C_FUNCTION int printf(const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int length = vprintf(format, list);
  va_end(list);
  return length;
}
