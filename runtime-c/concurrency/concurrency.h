//===--- concurrency.h - what the files of the task runtime share ---------===//
//
// Owns: the layout of jobs, tasks, contexts and records, the calling
// conventions of async code, and the declarations of this folder's functions.
//
// The parts that compiled code reads or writes are Swift's: the head of a job,
// async contexts, the memory of groups, of async lets and of default actors,
// and the records that a task is made with (include/swift/ABI/Task.h,
// TaskOptions.h and MetadataValues.h of Swift). All else is this runtime's own.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_CONCURRENCY_H
#define SILC_CONCURRENCY_H

#include "../runtime.h"

//===--- Calling conventions ----------------------------------------------===//

// Where LLVM has a convention in which each call can take the place of its
// caller, async code goes on by such calls. Elsewhere each part of an async
// function leaves a note of what comes next and returns (trampoline.c); IRGen
// does the same by the same rule (Target::swift_async_calling_convention).
#if __has_extension(swiftasynccc) &&                                           \
    !(defined(__thumb__) && __ARM_ARCH_ISA_THUMB == 1)
#define HAS_TAIL_CALLS
#define ASYNC_CALL __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))
#else
#define ASYNC_CALL SWIFT_CALL
#define ASYNC_CONTEXT
#endif

typedef struct AsyncContext AsyncContext;

// Goes on in an async function, whose context comes with the call.
typedef ASYNC_CALL void AsyncResumption(ASYNC_CONTEXT AsyncContext *context);

// The same with the error that the awaited function threw, or null.
typedef ASYNC_CALL void
AsyncThrowingResumption(ASYNC_CONTEXT AsyncContext *context,
                        SWIFT_SELF void *error);

// A closure that a task runs, which writes its result to memory.
typedef ASYNC_CALL void AsyncOperation(void *result,
                                       ASYNC_CONTEXT AsyncContext *context,
                                       SWIFT_SELF void *closure_context);

// A closure without a result, which a discarding group runs.
typedef ASYNC_CALL void AsyncDiscardingOperation(
    ASYNC_CONTEXT AsyncContext *context, SWIFT_SELF void *closure_context);

// GO_ON ends an async C function: what follows takes its place.
#ifdef HAS_TAIL_CALLS
#define GO_ON(function, context) return (function)(context)
#define GO_ON_THROWING(function, context, error)                               \
  return (function)((context), (error))
#else
#define GO_ON(function, context) return silc_goOn((function), (context))
#define GO_ON_THROWING(function, context, error)                               \
  return silc_goOnThrowing((function), (context), (error))
#endif

// SUSPEND ends an async C function whose task waits. The last call before it
// must not take the place of the return: LLVM leaves arguments on the stack then
// that 32-bit Arm's async functions take off it.
#define SUSPEND()                                                              \
  do {                                                                         \
    __asm__ volatile("");                                                      \
    return;                                                                    \
  } while (0)

// A context of an async function; what the function keeps follows.
struct AsyncContext {
  AsyncContext *parent;
  union {
    AsyncResumption *resume_parent;
    AsyncThrowingResumption *throwing_resume_parent;
  };
};

// The memory that a caller gives a function of the runtime that waits.
typedef struct WaitContext {
  AsyncContext head;
  void *result;
  void *error;
  void *unused;
} WaitContext;

// Stands for an async function as a value. WebAssembly has no code in
// memory that could be some way off.
typedef struct AsyncFunctionPointer {
#ifdef __wasm__
  void *code;
#else
  int32_t offset_of_code; // from this field
#endif
  uint32_t context_size;
} AsyncFunctionPointer;

ALWAYS_INLINE void *code_of(const AsyncFunctionPointer *function) {
#ifdef __wasm__
  return function->code;
#else
  return (char *)function + function->offset_of_code;
#endif
}

//===--- Executors --------------------------------------------------------===//

// An executor in two words. Both are zero for the generic one, which runs jobs
// wherever a thread is free; without an implementation the identity is a
// default actor, or what stands for the main actor.
typedef struct Executor {
  uintptr_t identity;
  uintptr_t implementation;
} Executor;

// The bits of an implementation that are no part of a witness table's address.
enum { EXECUTOR_TAG_BITS = 3, COMPLEX_EQUALITY_BIT = 1 };

// The identity of the executor on which `Task.immediate` starts: it is generic
// but does not give its thread to an actor.
#define IMMEDIATE_START_IMPLEMENTATION ((uintptr_t)1 << 1)

ALWAYS_INLINE Executor generic_executor(void) { return (Executor){0, 0}; }

ALWAYS_INLINE bool is_generic(Executor executor) {
  return executor.identity == 0;
}

// The implementation of the main executor where that is one of its own.
#define MAIN_IMPLEMENTATION ((uintptr_t)1 << 2)

ALWAYS_INLINE bool is_default_actor(Executor executor) {
  return executor.identity != 0 && executor.implementation == 0;
}

//===--- Jobs -------------------------------------------------------------===//

typedef enum JobKind {
  JOB_IS_TASK = 0,
  JOB_IS_ACTOR_TURN = 193,
  JOB_RESUMES_CONTINUATION = 195,
  JOB_IS_ISOLATED_DEINIT = 196
} JobKind;

typedef enum Priority {
  PRIORITY_UNSPECIFIED = 0x00,
  PRIORITY_BACKGROUND = 0x09,
  PRIORITY_UTILITY = 0x11,
  PRIORITY_DEFAULT = 0x15,
  PRIORITY_USER_INITIATED = 0x19,
  PRIORITY_USER_INTERACTIVE = 0x21
} Priority;

// Flags of jobs: the kind in the first byte, the priority in the second.
enum {
  JOB_PRIORITY_SHIFT = 8,
  JOB_IS_CHILD = 1 << 24,
  JOB_IS_FUTURE = 1 << 25,
  JOB_IS_GROUP_CHILD = 1 << 26,
  JOB_IS_ASYNC_LET = 1 << 28,
  // Whether the closure that a task runs is not its own to release.
  JOB_KEEPS_CLOSURE = 1 << 27
};

// The head that compiled code knows of a job. Whoever has it in a queue may
// use the words for schedulers.
typedef struct Job {
  HeapObject header;
  struct Job *next;
  uintptr_t queue_data;
  uint32_t flags;
  uint32_t id;
  void *voucher;
  void *reserved;
  union {
    AsyncResumption *resume;               // of a task
    ASYNC_CALL void (*run)(struct Job *); // of any other job
  };
} Job;

ALWAYS_INLINE JobKind job_kind(const Job *job) {
  return (JobKind)(job->flags & 0xFF);
}

ALWAYS_INLINE Priority job_priority(const Job *job) {
  return (Priority)(job->flags >> JOB_PRIORITY_SHIFT & 0xFF);
}

ALWAYS_INLINE void set_job_priority(Job *job, Priority priority) {
  const uint32_t others = job->flags & ~(0xFFu << JOB_PRIORITY_SHIFT);
  job->flags = others | (uint32_t)priority << JOB_PRIORITY_SHIFT;
}

//===--- Types of results -------------------------------------------------===//

// Describes the type of a task's result: Embedded Swift has no
// metadata.
typedef struct ResultType {
  size_t size;
  size_t alignment_mask;
  // Value witnesses; metadata, which come last, are null.
  void *(*initialize_with_copy)(void *to, void *from, const void *);
  void (*store_enum_tag)(void *value, uint32_t number, uint32_t empty_cases,
                         const void *);
  void (*destroy)(void *value, const void *);
} ResultType;

ALWAYS_INLINE void copy_value(const ResultType *type, void *to, void *from) {
  type->initialize_with_copy(to, from, NULL);
}

ALWAYS_INLINE void destroy_value(const ResultType *type, void *value) {
  type->destroy(value, NULL);
}

//===--- Records of a task ------------------------------------------------===//

typedef enum RecordKind {
  RECORD_CHILD,       // the child of an async let
  RECORD_GROUP,       // a task group
  RECORD_CANCELLATION, // a function to call when the task is cancelled
  RECORD_ESCALATION   // a function to call when its priority is raised
} RecordKind;

// Something that a task has to do with while it runs a part of its code; the
// innermost comes first. All of them are guarded by the lock.
typedef struct Record {
  struct Record *outer;
  RecordKind kind;
} Record;

//===--- Tasks ------------------------------------------------------------===//

typedef struct Slab Slab;
typedef struct TaskLocal TaskLocal;
typedef struct TaskGroup TaskGroup;

typedef enum FutureStatus {
  FUTURE_RUNS,
  FUTURE_SUCCEEDED,
  FUTURE_FAILED
} FutureStatus;

typedef struct Task {
  Job job;
  AsyncContext *resume_context; // compiled code finds continuations by it

  // Memory of the task, a stack (task_memory.c). Only who runs it uses it.
  Slab *slab;
  char *memory_top, *memory_end;

  // Guarded by the lock (task_status.c).
  Record *records;
  uint8_t priority; // a Priority, with what it was raised to
  bool is_cancelled;
  // The future's state, until it is done (task_future.c).
  uint8_t status; // a FutureStatus

  // Fixed from the start.
  uint8_t base_priority; // a Priority
  const char *name;
  ResultType result_type;
  void *result;
  TaskGroup *group;        // that it is a child of
  struct Task *parent;     // of a child
  void *operation;         // AsyncOperation, or AsyncDiscardingOperation
  HeapObject *operation_context;

  // Children of the group; guarded by the lock (task_group.c).
  struct Task *previous_sibling, *next_sibling;

  TaskLocal *locals; // task_locals.c

  struct Task *waiters; // of the future, by job.next; guarded by the lock
  void *error;
} Task;

// Offsets that IRGen knows.
_Static_assert(offsetof(Job, flags) == 4 * sizeof(void *), "flags of jobs");
_Static_assert(offsetof(Task, resume_context) == 7 * sizeof(void *) + 8,
               "contexts of tasks");

ALWAYS_INLINE bool is_task(const Job *job) {
  return job_kind(job) == JOB_IS_TASK;
}

ALWAYS_INLINE bool has_job_flag(const Task *task, uint32_t flag) {
  return (task->job.flags & flag) != 0;
}

// A task and its first context, as two results in registers.
typedef struct TaskAndContext {
  Task *task;
  AsyncContext *context;
} TaskAndContext;

//===--- Options of tasks -------------------------------------------------===//

typedef enum OptionKind {
  OPTION_SERIAL_EXECUTOR = 0,
  OPTION_GROUP = 1,
  OPTION_ASYNC_LET = 2,
  OPTION_ASYNC_LET_WITH_BUFFER = 3,
  OPTION_RESULT_TYPE = 4,
  OPTION_TASK_EXECUTOR_UNOWNED = 5,
  OPTION_TASK_EXECUTOR = 6,
  OPTION_NAME = 7
} OptionKind;

typedef struct Option {
  size_t flags; // the kind in the lowest byte
  struct Option *next;
  union {
    Executor executor;
    TaskGroup *group;
    void *async_let;
    ResultType result_type;
    const char *name;
  };
} Option;

// Flags of the creation of tasks: the priority that was asked for in the first
// byte.
enum {
  CREATE_CHILD = 1 << 8,
  CREATE_COPY_LOCALS = 1 << 10,
  CREATE_ENQUEUE = 1 << 12,
  CREATE_ADD_PENDING = 1 << 13,
  CREATE_DISCARDING = 1 << 14,
  CREATE_FUNCTION_IS_CONSUMED = 1 << 15
};

//===--- The lock (lock.c) ------------------------------------------------===//

// One lock guards all that several threads may look at: queues, futures,
// groups, records. Nothing of the program's is called while it is held. A
// process with one thread does not lock; whether it did is the caller's to
// remember.
#ifdef __linux__
bool silc_lockTasks(void);
void silc_unlockTasks(bool was_locked);
// Wakes a thread that waits for a job, with the lock held.
void silc_wakeThread(void);
#elif defined(HAS_SYSTEM)
ALWAYS_INLINE bool silc_lockTasks(void) { return false; }
ALWAYS_INLINE void silc_unlockTasks(bool was_locked) { (void)was_locked; }
ALWAYS_INLINE void silc_wakeThread(void) {}
#else
// Interrupts, which may resume tasks, are masked meanwhile.
#include "interrupts.h"
ALWAYS_INLINE bool silc_lockTasks(void) { return mask_interrupts(); }
ALWAYS_INLINE void silc_unlockTasks(bool was_locked) {
  if (was_locked)
    allow_interrupts();
}
ALWAYS_INLINE void silc_wakeThread(void) {}
#endif

//===--- The functions of this folder -------------------------------------===//

// Parts of async functions where there are no tail calls (trampoline.c).
#ifndef HAS_TAIL_CALLS
uintptr_t *silc_notePart(void (*call)(uintptr_t *words)); // gives the words
void silc_goOn(AsyncResumption *function, AsyncContext *context);
void silc_goOnThrowing(AsyncThrowingResumption *function, AsyncContext *context,
                       void *error);
void silc_runNotedParts(void);
#endif

// The task and the executor of this thread (current.c).
Task *silc_setCurrentTask(Task *task); // gives the one before
SWIFT_CALL Task *swift_task_getCurrent(void);

// Memory of tasks (task_memory.c).
void *silc_allocateInTask(Task *task, size_t size);
void silc_deallocateInTask(Task *task, void *memory);
void silc_freeTaskMemory(Task *task);
SWIFT_CALL void *swift_task_alloc(size_t size);
SWIFT_CALL void swift_task_dealloc(void *memory);

// Creation (task_create.c), completion and waiting (task_future.c).
SWIFT_CALL TaskAndContext swift_task_create(size_t flags, Option *options,
                                            const void *metadata,
                                            const AsyncFunctionPointer *code,
                                            HeapObject *closure_context);
ASYNC_CALL void silc_completeTask(ASYNC_CONTEXT AsyncContext *context,
                                  SWIFT_SELF void *error);
void silc_destroyFuture(Task *task);
ASYNC_CALL void swift_task_future_wait(void *result,
                                       ASYNC_CONTEXT AsyncContext *caller,
                                       Task *task, AsyncResumption *resume,
                                       WaitContext *context);
ASYNC_CALL void
swift_task_future_wait_throwing(void *result,
                                ASYNC_CONTEXT AsyncContext *caller, Task *task,
                                AsyncThrowingResumption *resume,
                                WaitContext *context);

// Records, cancellation and priorities (task_status.c).
void silc_addRecord(Task *task, Record *record);
void silc_removeRecord(Task *task, Record *record);
SWIFT_CALL void swift_task_cancel(Task *task);
SWIFT_CALL uint8_t swift_task_escalate(Task *task, uint8_t priority);
SWIFT_CALL bool swift_task_isCancelled(Task *task);
SWIFT_CALL uint8_t swift_task_currentPriority(Task *task);
SWIFT_CALL intptr_t swift_task_getCurrentThreadPriority(void);
void silc_cancelGroup(TaskGroup *group);

// Task-local values (task_locals.c).
void silc_copyLocals(Task *task);
void silc_destroyLocals(Task *task);

// Groups (task_group.c) and async lets (async_let.c).
void silc_addPending(TaskGroup *group);
void silc_attachChild(TaskGroup *group, Task *child);
void silc_offerToGroup(TaskGroup *group, Task *child);
Task *silc_firstChild(TaskGroup *group);
TaskGroup *silc_groupOfRecord(Record *record);
bool silc_markGroupCancelled(TaskGroup *group);
bool silc_isGroupCancelled(const TaskGroup *group);
void silc_attachAsyncLet(void *async_let, Task *child);
Task *silc_childOfRecord(const Record *record);

// Executors: which one runs a job, and changes between them (executor.c).
SWIFT_CALL void swift_job_run(Job *job, uintptr_t identity,
                              uintptr_t implementation);
SWIFT_CALL void swift_task_enqueue(Job *job, uintptr_t identity,
                                   uintptr_t implementation);
ASYNC_CALL void swift_task_switch(ASYNC_CONTEXT AsyncContext *context,
                                  AsyncResumption *resume, uintptr_t identity,
                                  uintptr_t implementation);
void silc_enqueueTask(Task *task, Executor executor);
Executor silc_currentExecutor(void);
Executor silc_mainExecutor(void);
void silc_putMainJob(Job *job); // with the lock held
bool silc_isMainThread(void);

// Enters `executor` for a function that runs at once; `leave` ends that.
typedef struct Tracking {
  Executor executor;
  bool may_switch; // whether a job may go on with another executor
  struct Tracking *outer;
} Tracking;
void silc_enterExecutor(Tracking *tracking, Executor executor);
void silc_leaveExecutor(Tracking *tracking);
Tracking *silc_tracking(void);

// Runs a job with the executor that `tracking` says.
void silc_runJob(Job *job, Tracking *tracking);

// A part of the runtime that is linked only into programs which have other
// reasons to; all of its functions are null elsewhere. The linkers of Apple and
// Windows link it into each.
#if defined(__MACH__) || defined(_WIN32)
#define OPTIONAL
#define IS_THERE(function) true
#else
#define OPTIONAL __attribute__((weak))
#define IS_THERE(function) ((function) != NULL)
#endif

// Default actors (default_actor.c).
OPTIONAL bool silc_tryEnterActor(HeapObject *actor);
OPTIONAL void silc_leaveActor(HeapObject *actor);
OPTIONAL void silc_enqueueOnActor(HeapObject *actor, Job *job);

// Threads (threads.c): how many run jobs; a program may define it.
int silc_threadCount(void);

// The queue of the generic executor (job_queue.c), jobs that have to wait for
// their time (timers.c).
void silc_enqueueJob(Job *job);
void silc_putJob(Job *job); // with the lock held
Job *silc_takeJob(void);    // with the lock held; null where none can run now
void silc_waitForJob(void); // with the lock held
OPTIONAL void silc_takeDueJobs(void); // with the lock held
// When the first of those that wait is due, or UINT64_MAX. With the lock held.
OPTIONAL uint64_t silc_nextDeadline(void);

// Time (clock.c): nanoseconds since some moment.
uint64_t silc_monotonicNanoseconds(void);
// Waits until about the time that is given, UINT64_MAX meaning none, or until
// something happened that may have put a job into a queue. Called with the lock
// held, as long as no job can run.
void silc_waitUntil(uint64_t nanoseconds);

#endif
