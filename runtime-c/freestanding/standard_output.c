//===--- standard_output.c - characters out -------------------------------===//
//
// Owns: standard output's buffer, and C's functions that write to it. The
// buffer is written when it is full, when fflush asks, at exit, before a fatal
// error's message and, on a terminal, at the end of a line.
//
//===----------------------------------------------------------------------===//

// Where there is no file to write to, the host prints (webassembly/host.c).
#if !defined(__wasm__) || defined(__wasi__)

#include "c_library.h"

#if defined(__linux__) || defined(__wasi__)
enum { BUFFER_SIZE = 8192 };
#else
enum { BUFFER_SIZE = 64 };
#endif
enum { STANDARD_OUTPUT = 1 };

static char buffer[BUFFER_SIZE];
static size_t used;

#if defined(__linux__) || defined(__wasi__)

// When the buffer is written besides when it is full.
typedef enum Buffering { UNKNOWN, FULL, LINE } Buffering;

static Buffering buffering;

static bool ends_at_lines(void) {
  if (buffering == UNKNOWN)
    buffering = silc_isTerminal(STANDARD_OUTPUT) ? LINE : FULL;
  return buffering == LINE;
}

#else

// Somebody always watches a board.
static bool ends_at_lines(void) { return true; }

#endif

static int write_all(const char *bytes, size_t length) {
  while (length != 0) {
    ptrdiff_t written = write(STANDARD_OUTPUT, bytes, length);
    if (written <= 0)
      return -1;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

static int flush(void) {
  size_t length = used;
  used = 0;
  return write_all(buffer, length);
}

C_FUNCTION void silc_flushStandardOutput(void) { flush(); }

C_FUNCTION int putchar_unlocked(int character) {
  int status = used == BUFFER_SIZE ? flush() : 0;
  buffer[used++] = (char)character;
  if (character == '\n' && ends_at_lines())
    status |= flush();
  return status == 0 ? (unsigned char)character : -1;
}

C_FUNCTION int putchar(int character) { return putchar_unlocked(character); }

C_FUNCTION int puts(const char *text) {
  for (; *text != 0; ++text)
    if (putchar_unlocked(*text) < 0)
      return -1;
  return putchar_unlocked('\n') < 0 ? -1 : 0;
}

// There is one stream, so it does not matter which is meant.
C_FUNCTION int fflush(void *stream) {
  (void)stream;
  return flush();
}

#endif
