//===--- trampoline.c - async code where there are no tail calls ----------===//
//
// Owns: the note that a part of an async function leaves of what comes next,
// and the loop that follows the notes, so that the stack does not grow.
//
// IRGen leaves notes too (irgen/src/definitions/async_departures.rs): a
// function that takes the arguments from the words that follow and calls.
// Only targets with one thread lack tail calls, so there is one note.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

#ifndef HAS_TAIL_CALLS

enum { NOTED_WORDS = 40 };

typedef struct NotedPart {
  void (*call)(uintptr_t *words); // null where there is no note
  uintptr_t words[NOTED_WORDS];
} NotedPart;

extern NotedPart silc_notedPart;
RUNTIME_STATE NotedPart silc_notedPart;

static void call_resumption(uintptr_t *words) {
  ((AsyncResumption *)words[0])((AsyncContext *)words[1]);
}

static void call_throwing_resumption(uintptr_t *words) {
  ((AsyncThrowingResumption *)words[0])((AsyncContext *)words[1],
                                        (void *)words[2]);
}

RUNTIME_ENTRY uintptr_t *silc_notePart(void (*call)(uintptr_t *words)) {
  silc_notedPart.call = call;
  return silc_notedPart.words;
}

RUNTIME_ENTRY void silc_goOn(AsyncResumption *function, AsyncContext *context) {
  uintptr_t *words = silc_notePart(call_resumption);
  words[0] = (uintptr_t)function;
  words[1] = (uintptr_t)context;
}

RUNTIME_ENTRY void silc_goOnThrowing(AsyncThrowingResumption *function,
                                     AsyncContext *context, void *error) {
  uintptr_t *words = silc_notePart(call_throwing_resumption);
  words[0] = (uintptr_t)function;
  words[1] = (uintptr_t)context;
  words[2] = (uintptr_t)error;
}

RUNTIME_ENTRY void silc_runNotedParts(void) {
  while (silc_notedPart.call != NULL) {
    void (*const call)(uintptr_t *) = silc_notedPart.call;
    silc_notedPart.call = NULL;
    call(silc_notedPart.words);
  }
}

#endif
