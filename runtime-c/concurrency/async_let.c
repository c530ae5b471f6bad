//===--- async_let.c - children that a variable stands for ----------------===//
//
// Owns: async lets. One lives in memory that its creator's frame has; it is the
// record of the child as well.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

enum { ASYNC_LET_WORDS = 80 };

typedef struct AsyncLet {
  Record record;
  Task *task;       // retained
  bool has_result; // in the memory of the variable
  WaitContext wait; // for the child
} AsyncLet;

_Static_assert(sizeof(AsyncLet) <= ASYNC_LET_WORDS * sizeof(void *),
               "IRGen gives an async let 80 words");

// The context of one of the functions below that waits.
typedef struct WaitingContext {
  AsyncContext head;
  AsyncLet *async_let;
  void *result;
} WaitingContext;

_Static_assert(sizeof(WaitingContext) <= sizeof(WaitContext),
               "IRGen gives all functions that wait the same memory");

RUNTIME_ENTRY Task *silc_childOfRecord(const Record *record) {
  return ((const AsyncLet *)record)->task;
}

RUNTIME_ENTRY void silc_attachAsyncLet(void *memory, Task *child) {
  AsyncLet *async_let = memory;
  Task *parent = child->parent;
  *async_let = (AsyncLet){.record = {NULL, RECORD_CHILD}, .task = child};
  const bool locked = silc_lockTasks();
  child->is_cancelled = parent->is_cancelled;
  if (parent->priority > child->priority)
    child->priority = parent->priority;
  async_let->record.outer = parent->records;
  parent->records = &async_let->record;
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_asyncLet_begin(AsyncLet *async_let, Option *options, const void *metadata,
                     const AsyncFunctionPointer *code,
                     HeapObject *closure_context, void *result) {
  (void)result; // The value is moved there when it is asked for.
  Option option = {
      .flags = OPTION_ASYNC_LET, .next = options, .async_let = async_let};
  swift_task_create(CREATE_ENQUEUE, &option, metadata, code, closure_context);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_asyncLet_start(AsyncLet *async_let, Option *options, const void *metadata,
                     const AsyncFunctionPointer *code,
                     HeapObject *closure_context) {
  swift_asyncLet_begin(async_let, options, metadata, code, closure_context,
                       NULL);
}

static void end(AsyncLet *async_let) {
  silc_removeRecord(swift_task_getCurrent(), &async_let->record);
  swift_release(&async_let->task->job.header);
}

static void prepare(WaitingContext *context, AsyncContext caller,
                    AsyncLet *async_let, void *result) {
  context->head = caller;
  context->async_let = async_let;
  context->result = result;
}

// The part of `caller` that comes next.
static AsyncContext way_back(AsyncContext *caller, AsyncResumption *resume) {
  return (AsyncContext){.parent = caller, .resume_parent = resume};
}

static AsyncContext throwing_way_back(AsyncContext *caller,
                                      AsyncThrowingResumption *resume) {
  return (AsyncContext){.parent = caller, .throwing_resume_parent = resume};
}

//===--- The value --------------------------------------------------------===//

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_get(ASYNC_CONTEXT AsyncContext *caller, AsyncLet *async_let,
                   void *result, AsyncResumption *resume,
                   WaitingContext *context) {
  (void)context;
  if (async_let->has_result)
    GO_ON(resume, caller);
  async_let->has_result = true;
  Task *task = async_let->task;
  WaitContext *wait = &async_let->wait;
#ifdef HAS_TAIL_CALLS
  return swift_task_future_wait(result, caller, task, resume, wait);
#else
  swift_task_future_wait(result, caller, task, resume, wait);
#endif
}

static ASYNC_CALL void got_value(ASYNC_CONTEXT AsyncContext *head,
                                 SWIFT_SELF void *error) {
  WaitingContext *context = (WaitingContext *)head;
  if (error == NULL)
    context->async_let->has_result = true;
  GO_ON_THROWING(head->throwing_resume_parent, head->parent, error);
}

// Waits for the child, then goes on with `then` in `context`.
#ifdef HAS_TAIL_CALLS
#define WAIT_THEN(context, result, then)                                       \
  return swift_task_future_wait_throwing(                                      \
      (result), &(context)->head, (context)->async_let->task, (then),          \
      &(context)->async_let->wait)
#else
#define WAIT_THEN(context, result, then)                                       \
  swift_task_future_wait_throwing((result), &(context)->head,                  \
                                  (context)->async_let->task, (then),          \
                                  &(context)->async_let->wait)
#endif

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_get_throwing(ASYNC_CONTEXT AsyncContext *caller,
                            AsyncLet *async_let, void *result,
                            AsyncThrowingResumption *resume,
                            WaitingContext *context) {
  if (async_let->has_result)
    GO_ON_THROWING(resume, caller, NULL);
  prepare(context, throwing_way_back(caller, resume), async_let, result);
  WAIT_THEN(context, result, got_value);
}

//===--- The end ----------------------------------------------------------===//

// A value that was not taken is destroyed.
static ASYNC_CALL void finished(ASYNC_CONTEXT AsyncContext *head,
                                SWIFT_SELF void *error) {
  WaitingContext *context = (WaitingContext *)head;
  AsyncLet *async_let = context->async_let;
  if (error != NULL)
    swift_release(error);
  else
    destroy_value(&async_let->task->result_type, context->result);
  end(async_let);
  GO_ON(head->resume_parent, head->parent);
}

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_finish(ASYNC_CONTEXT AsyncContext *caller, AsyncLet *async_let,
                      void *result, AsyncResumption *resume,
                      WaitingContext *context) {
  if (async_let->has_result) {
    destroy_value(&async_let->task->result_type, result);
    end(async_let);
    GO_ON(resume, caller);
  }
  swift_task_cancel(async_let->task);
  prepare(context, way_back(caller, resume), async_let, result);
  WAIT_THEN(context, result, finished);
}

static ASYNC_CALL void consumed(ASYNC_CONTEXT AsyncContext *head,
                                SWIFT_SELF void *error) {
  end(((WaitingContext *)head)->async_let);
  GO_ON_THROWING(head->throwing_resume_parent, head->parent, error);
}

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_consume_throwing(ASYNC_CONTEXT AsyncContext *caller,
                                AsyncLet *async_let, void *result,
                                AsyncThrowingResumption *resume,
                                WaitingContext *context) {
  if (async_let->has_result) {
    end(async_let);
    GO_ON_THROWING(resume, caller, NULL);
  }
  prepare(context, throwing_way_back(caller, resume), async_let, result);
  WAIT_THEN(context, result, consumed);
}

static ASYNC_CALL void consumed_without_error(ASYNC_CONTEXT AsyncContext *head,
                                              SWIFT_SELF void *error) {
  (void)error;
  end(((WaitingContext *)head)->async_let);
  GO_ON(head->resume_parent, head->parent);
}

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_consume(ASYNC_CONTEXT AsyncContext *caller, AsyncLet *async_let,
                       void *result, AsyncResumption *resume,
                       WaitingContext *context) {
  if (async_let->has_result) {
    end(async_let);
    GO_ON(resume, caller);
  }
  prepare(context, way_back(caller, resume), async_let, result);
  WAIT_THEN(context, result, consumed_without_error);
}

//===--- What compilers before 5.6 call -----------------------------------===//

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_wait(void *result, ASYNC_CONTEXT AsyncContext *caller,
                    AsyncLet *async_let, AsyncResumption *resume,
                    WaitContext *context) {
  Task *task = async_let->task;
#ifdef HAS_TAIL_CALLS
  return swift_task_future_wait(result, caller, task, resume, context);
#else
  swift_task_future_wait(result, caller, task, resume, context);
#endif
}

RUNTIME_ENTRY ASYNC_CALL void
swift_asyncLet_wait_throwing(void *result, ASYNC_CONTEXT AsyncContext *caller,
                             AsyncLet *async_let,
                             AsyncThrowingResumption *resume,
                             WaitContext *context) {
  Task *task = async_let->task;
#ifdef HAS_TAIL_CALLS
  return swift_task_future_wait_throwing(result, caller, task, resume, context);
#else
  swift_task_future_wait_throwing(result, caller, task, resume, context);
#endif
}

RUNTIME_ENTRY SWIFT_CALL void swift_asyncLet_end(AsyncLet *async_let) {
  swift_task_cancel(async_let->task);
  end(async_let);
}
