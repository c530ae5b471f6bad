// What a board's own code has, for programs that Linux runs on x86: _start, output, the end.

#if __x86_64__
static long call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third)
                   : "rcx", "r11", "memory");
  return result;
}
enum { WRITE = 1, EXIT = 231 };
#define STACK_POINTER "rsp"
#else
static long call(long number, long first, long second, long third) {
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(first), "c"(second), "d"(third)
                   : "memory");
  return result;
}
enum { WRITE = 4, EXIT = 252 };
#define STACK_POINTER "esp"
#endif

extern int main(int argument_count, char **arguments);

void exit(int status) {
  for (;;)
    call(EXIT, status, 0, 0);
}

void abort(void) { exit(128 + 6); }

long write(int file, const void *bytes, unsigned long length) {
  return call(WRITE, file, (long)bytes, (long)length);
}

int putchar(int character) {
  char byte = (char)character;
  write(1, &byte, 1);
  return character;
}

__attribute__((used)) static void start(void) { exit(main(0, (char **)0)); }

__attribute__((naked)) void _start(void) {
  __asm__("lea __stack_top, %" STACK_POINTER "\n  call start\n");
}
