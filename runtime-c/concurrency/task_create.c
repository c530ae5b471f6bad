//===--- task_create.c - the creation of tasks ----------------------------===//
//
// Owns: swift_task_create: what options and flags mean, the memory of a task,
// its first part, its end of life.
// Does not own: what a task does when it has run (task_future.c).
//
// A task is one piece of memory: the task, the memory of its result, the first
// context of its code, and its name.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

enum { CONTEXT_ALIGNMENT = 16 };

// The options of a task, read.
typedef struct Options {
  Executor executor;
  TaskGroup *group;
  void *async_let;
  const char *name;
  ResultType result_type;
} Options;

static Options read_options(const Option *option) {
  Options options = {0};
  for (; option != NULL; option = option->next) {
    switch ((OptionKind)(option->flags & 0xFF)) {
    case OPTION_SERIAL_EXECUTOR:
      options.executor = option->executor;
      break;
    case OPTION_GROUP:
      options.group = option->group;
      break;
    case OPTION_ASYNC_LET:
    case OPTION_ASYNC_LET_WITH_BUFFER:
      options.async_let = option->async_let;
      break;
    case OPTION_RESULT_TYPE:
      options.result_type = option->result_type;
      break;
    case OPTION_NAME:
      options.name = option->name;
      break;
    case OPTION_TASK_EXECUTOR_UNOWNED:
    case OPTION_TASK_EXECUTOR:
      if (option->executor.identity != 0)
        silc_fatalError("task executors are not supported in Embedded Swift");
      break;
    }
  }
  return options;
}

// Priorities of users' interaction are not inherited.
static Priority inherited(Priority priority) {
  return priority == PRIORITY_USER_INTERACTIVE ? PRIORITY_USER_INITIATED
                                               : priority;
}

static Priority base_priority(size_t flags, const Options *options,
                              Task *current, Task *parent) {
  const Priority asked = (Priority)(flags & 0xFF);
  if (asked != PRIORITY_UNSPECIFIED)
    return asked;
  Priority priority = PRIORITY_UNSPECIFIED;
  const bool is_structured =
      options->async_let != NULL || options->group != NULL;
  if (is_structured && parent != NULL)
    priority = inherited(parent->base_priority);
  else if ((flags & CREATE_COPY_LOCALS) != 0)
    priority = inherited(
        current != NULL ? current->base_priority
                        : (Priority)swift_task_getCurrentThreadPriority());
  return priority == PRIORITY_UNSPECIFIED ? PRIORITY_DEFAULT : priority;
}

// Called when nothing refers to the task. It has run, or never began.
static SWIFT_CALL void destroy_task(SWIFT_SELF void *object) {
  Task *task = object;
  silc_destroyFuture(task);
  silc_destroyLocals(task);
  silc_freeTaskMemory(task);
  silc_deallocate(task);
}

static const ClassMetadata task_metadata = {NULL, destroy_task, NULL};

// The first part of a task with a result.
static ASYNC_CALL void run_operation(ASYNC_CONTEXT AsyncContext *context) {
  Task *task = swift_task_getCurrent();
  AsyncOperation *const operation = (AsyncOperation *)task->operation;
#ifdef HAS_TAIL_CALLS
  return operation(task->result, context, task->operation_context);
#else
  operation(task->result, context, task->operation_context);
#endif
}

// The first part of a task of a discarding group.
static ASYNC_CALL void
run_discarding_operation(ASYNC_CONTEXT AsyncContext *context) {
  Task *task = swift_task_getCurrent();
  AsyncDiscardingOperation *const operation =
      (AsyncDiscardingOperation *)task->operation;
#ifdef HAS_TAIL_CALLS
  return operation(context, task->operation_context);
#else
  operation(context, task->operation_context);
#endif
}

static size_t aligned(size_t size, size_t alignment_mask) {
  return (size + alignment_mask) & ~alignment_mask;
}

// The end of a task's memory has its name: whoever gave it keeps it only while
// the task is created.
static const char *copy_name(char *to, const char *name) {
  if (name == NULL)
    return NULL;
  for (char *end = to;; name++, end++)
    if ((*end = *name) == 0)
      return to;
}

static Task *allocate_task(const Options *options, size_t context_size) {
  enum { MASK = CONTEXT_ALIGNMENT - 1 };
  const ResultType *type = &options->result_type;
  const size_t name_size =
      options->name != NULL ? strlen(options->name) + 1 : 0;
  const size_t result = aligned(sizeof(Task), type->alignment_mask);
  const size_t context = aligned(result + type->size, MASK);
  const size_t mask =
      type->alignment_mask > MASK ? type->alignment_mask : MASK;
  char *memory = silc_allocate(context + context_size + name_size, mask);
  Task *task = (Task *)memory;
  *task = (Task){0};
  task->result_type = *type;
  task->result = memory + result;
  task->resume_context = (AsyncContext *)(memory + context);
  task->name = copy_name(memory + context + context_size, options->name);
  return task;
}

// Where there is a system, other threads may create tasks at the same time.
#ifdef HAS_SYSTEM
typedef _Atomic(uint32_t) TaskId;
#else
typedef uint32_t TaskId;
#endif

extern TaskId silc_lastTaskId;
RUNTIME_STATE TaskId silc_lastTaskId;

static uint32_t next_task_id(void) {
#ifdef HAS_SYSTEM
  return atomic_fetch_add_explicit(&silc_lastTaskId, 1, memory_order_relaxed) +
         1;
#else
  return ++silc_lastTaskId;
#endif
}

static void initialize_job(Task *task, size_t flags, const Options *options,
                           Priority priority) {
  Job *job = &task->job;
  job->header.metadata = &task_metadata;
  atomic_store_explicit(&job->header.refcount, 1, memory_order_relaxed);
  job->flags = JOB_IS_TASK | JOB_IS_FUTURE;
  if ((flags & CREATE_CHILD) != 0 || options->async_let != NULL)
    job->flags |= JOB_IS_CHILD;
  if (options->group != NULL)
    job->flags |= JOB_IS_GROUP_CHILD;
  if (options->async_let != NULL)
    job->flags |= JOB_IS_ASYNC_LET;
  set_job_priority(job, priority);
  task->priority = task->base_priority = priority;
  job->id = next_task_id();
}

// Links a child to what its parent has.
static void link_to_parent(Task *task, Task *parent, const Options *options) {
  task->parent = parent;
  if (parent == NULL)
    return;
  if (options->group != NULL)
    silc_attachChild(options->group, task);
}

static TaskAndContext create(size_t flags, const Option *first_option,
                             void *code, size_t context_size,
                             HeapObject *closure_context) {
  const Options options = read_options(first_option);
  Task *current = swift_task_getCurrent();
  const bool is_child =
      (flags & CREATE_CHILD) != 0 || options.async_let != NULL;
  Task *parent = is_child ? current : NULL;
  if (options.group != NULL && (flags & CREATE_ADD_PENDING) != 0)
    silc_addPending(options.group);
  Task *task = allocate_task(&options, context_size);
  initialize_job(task, flags, &options,
                 base_priority(flags, &options, current, parent));
  AsyncContext *context = task->resume_context;
  context->parent = NULL;
  context->throwing_resume_parent = silc_completeTask;
  task->job.resume = (flags & CREATE_DISCARDING) != 0 ? run_discarding_operation
                                                       : run_operation;
  task->group = options.group;
  task->operation = code;
  task->operation_context = closure_context;
  // An async let's closure lives on its parent's stack; one that is consumed
  // by its call ends with it.
  if (options.async_let != NULL || (flags & CREATE_FUNCTION_IS_CONSUMED) != 0)
    task->job.flags |= JOB_KEEPS_CLOSURE;
  link_to_parent(task, parent, &options);
  if (parent != NULL || (flags & CREATE_COPY_LOCALS) != 0)
    silc_copyLocals(task);
  if (options.async_let != NULL)
    silc_attachAsyncLet(options.async_let, task);
  if ((flags & CREATE_ENQUEUE) != 0) {
    swift_retain(&task->job.header);
    silc_enqueueTask(task, options.executor);
  }
  return (TaskAndContext){task, context};
}

RUNTIME_ENTRY SWIFT_CALL TaskAndContext
swift_task_create(size_t flags, Option *options, const void *metadata,
                  const AsyncFunctionPointer *code,
                  HeapObject *closure_context) {
  (void)metadata;
  return create(flags, options, code_of(code), code->context_size,
                closure_context);
}

RUNTIME_ENTRY SWIFT_CALL TaskAndContext swift_task_create_common(
    size_t flags, Option *options, const void *metadata, void *code,
    HeapObject *closure_context, size_t context_size) {
  (void)metadata;
  return create(flags, options, code, context_size, closure_context);
}

RUNTIME_ENTRY SWIFT_CALL uint64_t swift_task_getJobTaskId(Job *job) {
  return job->id;
}

RUNTIME_ENTRY SWIFT_CALL size_t swift_task_getJobFlags(Task *task) {
  return task->job.flags;
}

RUNTIME_ENTRY SWIFT_CALL const char *swift_task_getCurrentTaskName(void) {
  const Task *task = swift_task_getCurrent();
  return task != NULL ? task->name : NULL;
}

RUNTIME_ENTRY SWIFT_CALL uint8_t swift_job_getPriority(Job *job) {
  return (uint8_t)job_priority(job);
}

RUNTIME_ENTRY SWIFT_CALL uint8_t swift_job_getKind(Job *job) {
  return (uint8_t)job_kind(job);
}

RUNTIME_ENTRY SWIFT_CALL void *swift_job_getExecutorPrivateData(Job *job) {
  return &job->next;
}
