//===--- freestanding.c - a program without a C library -------------------===//
//
// Linked with nothing but the embedded archives, for every target, by irgen's
// test of them. Compiled without headers, so it declares the functions that it
// calls. With no argument it prints the text that the test expects, and ends
// with 3; with one, it ends by a fatal error.
//
//===----------------------------------------------------------------------===//

#include "../../runtime.h"

extern int putchar(int);
extern int puts(const char *);
extern void *malloc(size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern int posix_memalign(void **, size_t, size_t);
extern void *memset(void *, int, size_t);
extern char *getenv(const char *);
extern void arc4random_buf(void *, size_t);
extern int atexit(void (*)(void));
extern double sin(double), pow(double, double), floor(double);
extern char **environ;

void swift_once(_Atomic(intptr_t) *, void (*)(void *), void *);
void *swift_weakInit(void **, HeapObject *);
HeapObject *swift_weakLoadStrong(void **);
void swift_weakDestroy(void **);

static void print(const char *name, bool is_right) {
  for (; *name != 0; ++name)
    putchar(*name);
  puts(is_right ? ": right" : ": wrong");
}

//===--- The parts --------------------------------------------------------===//

static int constructed;

__attribute__((constructor)) static void construct(void) { constructed = 7; }

static _Thread_local int initialized_variable = 42;
static _Thread_local _Alignas(128) char aligned_variable[100];

static void check_thread_local(void) {
  print("thread-local values", initialized_variable == 42 &&
                                   aligned_variable[0] == 0 &&
                                   aligned_variable[99] == 0);
  print("thread-local alignment", (uintptr_t)aligned_variable % 128 == 0);
}

static int deinits;

static SWIFT_CALL void destroy(SWIFT_SELF void *object) {
  ++deinits;
  swift_deallocClassInstance(object, sizeof(HeapObject), 15);
}

static void check_objects(void) {
  static const ClassMetadata metadata = {NULL, destroy, NULL};
  HeapObject *object = swift_allocObject(&metadata, sizeof(HeapObject), 15);
  void *weak;
  swift_weakInit(&weak, object);
  swift_release(swift_weakLoadStrong(&weak));
  swift_release(object);
  print("objects", deinits == 1 && swift_weakLoadStrong(&weak) == NULL);
  swift_weakDestroy(&weak);
}

static void count_up(void *count) { ++*(int *)count; }

static void check_once(void) {
  static _Atomic(intptr_t) predicate;
  int count = 0;
  swift_once(&predicate, count_up, &count);
  swift_once(&predicate, count_up, &count);
  print("once", count == 1);
}

static void check_allocation(void) {
  void *aligned = NULL;
  print("alignment", posix_memalign(&aligned, 4096, 100) == 0 &&
                         (uintptr_t)aligned % 4096 == 0);
  free(aligned);
  char *block = malloc(10);
  memset(block, 5, 10);
  block = realloc(block, 1000000);
  memset(block + 10, 6, 999990);
  print("realloc", block[9] == 5 && block[999999] == 6);
  free(block);
}

// Volatile, so that the functions are called here and not at compile time.
static void check_mathematics(void) {
  volatile double one = 1, two = 2, half = -0.5;
  print("mathematics", sin(one) == 0x1.aed548f090ceep-1 && pow(two, two) == 4 &&
                           floor(half) == -1);
}

static void check_wide_integers(void) {
#ifdef __SIZEOF_INT128__
  volatile unsigned __int128 big = (unsigned __int128)1 << 100;
  volatile unsigned __int128 three = 3;
  unsigned __int128 quotient = big / three;
  print("128-bit division", quotient * 3 == big - 1);
#else // C has no such integers there.
  print("128-bit division", true);
#endif
}

__attribute__((noinline)) static char protected_sum(const char *text) {
  volatile char copy[16];
  char sum = 0;
  for (int index = 0; index < 16; ++index)
    copy[index] = text[index];
  for (int index = 0; index < 16; ++index)
    sum = (char)(sum + copy[index]);
  return sum;
}

static void say_goodbye(void) { puts("at exit"); }

int main(int argument_count, char **arguments, char **environment) {
  if (argument_count > 1) {
    puts("before");
    silc_fatalError(arguments[1]);
  }
  atexit(say_goodbye);
  print("constructor", constructed == 7);
  print("environment", environment == environ && getenv("SILC_TEST") != NULL &&
                           getenv("SILC_TEST")[0] == 'x' &&
                           getenv("SILC_TES") == NULL);
  check_thread_local();
  check_objects();
  check_once();
  check_allocation();
  check_mathematics();
  check_wide_integers();
  print("stack protector", protected_sum("0123456789abcdef") == 98);
  uint64_t random[2] = {0, 0};
  arc4random_buf(random, sizeof(random));
  print("random numbers", random[0] != 0 && random[0] != random[1]);
  return 3;
}
