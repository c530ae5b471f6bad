//===--- task_locals.c - task-local values --------------------------------===//
//
// Owns: the stack of values that each task, and each thread without a task,
// has bound. A task that inherits them has copies: whoever bound them may end
// before it does.
//
// The type of a value comes with it, as that of a task's result does: Embedded
// Swift has no metadata.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

struct TaskLocal {
  TaskLocal *outer;
  const void *key;
  ResultType type;
  void *value; // after this structure
};

// Those of a thread while it runs no task.
extern THREAD_LOCAL TaskLocal *silc_threadLocals;
RUNTIME_STATE THREAD_LOCAL TaskLocal *silc_threadLocals;

static TaskLocal **place_of_locals(Task *task) {
  return task != NULL ? &task->locals : &silc_threadLocals;
}

static TaskLocal *copy_local(const void *key, const ResultType *type,
                             void *value) {
  const size_t mask = type->alignment_mask;
  const size_t offset = (sizeof(TaskLocal) + mask) & ~mask;
  const size_t own = _Alignof(max_align_t) - 1;
  TaskLocal *local =
      silc_allocate(offset + type->size, mask > own ? mask : own);
  *local = (TaskLocal){.key = key, .type = *type};
  local->value = (char *)local + offset;
  copy_value(type, local->value, value);
  return local;
}

static void destroy_local(TaskLocal *local) {
  destroy_value(&local->type, local->value);
  silc_deallocate(local);
}

// Takes the value from its memory.
RUNTIME_ENTRY SWIFT_CALL void
swift_task_localValuePush(const void *key, void *value,
                          const ResultType *type) {
  TaskLocal **place = place_of_locals(swift_task_getCurrent());
  TaskLocal *local = copy_local(key, type, value);
  destroy_value(type, value);
  local->outer = *place;
  *place = local;
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_localValuePop(void) {
  TaskLocal **place = place_of_locals(swift_task_getCurrent());
  TaskLocal *local = *place;
  *place = local->outer;
  destroy_local(local);
}

static TaskLocal *find_local(TaskLocal *local, const void *key) {
  while (local != NULL && local->key != key)
    local = local->outer;
  return local;
}

RUNTIME_ENTRY SWIFT_CALL void *swift_task_localValueGet(const void *key) {
  Task *task = swift_task_getCurrent();
  const TaskLocal *local = find_local(*place_of_locals(task), key);
  return local != NULL ? local->value : NULL;
}

// Gives a new task what is bound where it is created.
RUNTIME_ENTRY void silc_copyLocals(Task *task) {
  TaskLocal *local = *place_of_locals(swift_task_getCurrent());
  TaskLocal **end = &task->locals;
  for (; local != NULL; local = local->outer) {
    if (find_local(task->locals, local->key) != NULL)
      continue; // bound again further in
    *end = copy_local(local->key, &local->type, local->value);
    end = &(*end)->outer;
  }
}

RUNTIME_ENTRY void silc_destroyLocals(Task *task) {
  while (task->locals != NULL) {
    TaskLocal *local = task->locals;
    task->locals = local->outer;
    destroy_local(local);
  }
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_localsCopyTo(Task *task) {
  silc_copyLocals(task);
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_reportIllegalTaskLocalBindingWithinWithTaskGroup(
    const char *file, uintptr_t file_length, bool file_is_ascii,
    uintptr_t line) {
  (void)file, (void)file_length, (void)file_is_ascii, (void)line;
  silc_fatalError("a task-local value is bound in the body of a task group");
}
