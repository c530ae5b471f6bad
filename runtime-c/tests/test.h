//===--- test.h - a small harness for the runtime's tests -----------------===//
//
// Owns: checks, tests that must end by a fatal error, and classes to try.
// Each test program runs its tests and prints a line for each, "ok NAME" or
// "FAILED NAME"; the script `run` counts them.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_TEST_H
#define SILC_TEST_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime.h"

static int failures_in_test;

#define CHECK(condition)                                                       \
  ((condition)                                                                 \
       ? (void)0                                                               \
       : (++failures_in_test, (void)printf("%s:%d: not so: %s\n", __FILE__,    \
                                           __LINE__, #condition)))

typedef struct Test {
  const char *name;
  void (*run)(void);
} Test;

#define TEST(function) {#function, function}

static inline int run_tests(const Test *tests, size_t count) {
  int failed = 0;
  for (size_t index = 0; index < count; ++index) {
    failures_in_test = 0;
    tests[index].run();
    printf("%s %s\n", failures_in_test == 0 ? "ok" : "FAILED",
           tests[index].name);
    failed += failures_in_test != 0;
  }
  return failed != 0;
}

#define RUN_TESTS(...)                                                         \
  int main(void) {                                                             \
    const Test tests[] = {__VA_ARGS__};                                        \
    return run_tests(tests, sizeof(tests) / sizeof(tests[0]));                 \
  }

// Whether the function ends the process by the trap instruction after it has
// printed the message on standard error.
static inline bool is_fatal(void (*function)(void), const char *message) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0)
    return false;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(pipe_ends[1], 2);
    signal(SIGILL, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    function();
    _exit(0);
  }
  close(pipe_ends[1]);
  char text[4096];
  size_t length = 0;
  ssize_t received;
  while ((received =
              read(pipe_ends[0], text + length, sizeof(text) - 1 - length)) > 0)
    length += (size_t)received;
  text[length] = 0;
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  bool trapped = WIFSIGNALED(status) &&
                 (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP);
  if (!trapped || strstr(text, message) == NULL)
    printf("status %x, standard error: %s\n", (unsigned)status, text);
  return trapped && strstr(text, message) != NULL;
}

// An object of a class whose deinit counts its calls.
typedef struct Counted {
  HeapObject header;
  int *deinit_count;
} Counted;

HeapObject *swift_initStackObject(const ClassMetadata *, HeapObject *);
HeapObject *swift_initStaticObject(const ClassMetadata *, HeapObject *);
intptr_t swift_retainCount(HeapObject *);

static SWIFT_CALL void destroy_counted(SWIFT_SELF void *object) {
  ++*((Counted *)object)->deinit_count;
  // Retains and releases of self in a deinit have no effect on its life.
  swift_retain(object);
  swift_release(object);
  swift_deallocClassInstance(object, sizeof(Counted), 15);
}

static const ClassMetadata counted_class = {NULL, destroy_counted, NULL};

static inline HeapObject *new_counted(int *deinit_count) {
  Counted *object =
      (Counted *)swift_allocObject(&counted_class, sizeof(Counted), 15);
  object->deinit_count = deinit_count;
  return &object->header;
}

#endif
