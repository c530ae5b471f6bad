//===--- task_status.c - cancellation and priorities ----------------------===//
//
// Owns: the records of tasks, what is done along them when a task is cancelled
// or its priority is raised, and the handlers that programs add.
//
// Flags are set in all of a task's children at once, under the lock. Handlers
// are only listed then, and called without the lock. Whoever removes one that
// is listed waits until it was called.
//
//===----------------------------------------------------------------------===//

#include "concurrency.h"

typedef SWIFT_CALL void CancellationHandler(SWIFT_SELF void *context);
typedef SWIFT_CALL void EscalationHandler(uint8_t from, uint8_t to,
                                          SWIFT_SELF void *context);

// A record of a handler, in memory of its task.
typedef struct HandlerRecord {
  Record record;
  union {
    CancellationHandler *cancelled;
    EscalationHandler *escalated;
  };
  void *context;
  // While it is listed to be called.
  bool is_listed;
  uint8_t old_priority, new_priority;
  struct HandlerRecord *next_listed;
} HandlerRecord;

// The handlers to call, in order.
typedef struct HandlerList {
  HandlerRecord *first, **end;
} HandlerList;

static void list_handler(HandlerList *list, HandlerRecord *handler) {
  handler->is_listed = true;
  handler->next_listed = NULL;
  *list->end = handler;
  list->end = &handler->next_listed;
}

static void call_handler(const HandlerRecord *handler) {
  if (handler->record.kind == RECORD_CANCELLATION)
    handler->cancelled(handler->context);
  else
    handler->escalated(handler->old_priority, handler->new_priority,
                       handler->context);
}

// The record may be gone once it is no longer listed.
static void call_handlers(HandlerRecord *handler) {
  while (handler != NULL) {
    HandlerRecord *next = handler->next_listed;
    call_handler(handler);
    const bool locked = silc_lockTasks();
    handler->is_listed = false;
    silc_unlockTasks(locked);
    handler = next;
  }
}

//===--- Records ----------------------------------------------------------===//

RUNTIME_ENTRY void silc_addRecord(Task *task, Record *record) {
  const bool locked = silc_lockTasks();
  record->outer = task->records;
  task->records = record;
  silc_unlockTasks(locked);
}

RUNTIME_ENTRY void silc_removeRecord(Task *task, Record *record) {
  const bool locked = silc_lockTasks();
  Record **place = &task->records;
  while (*place != NULL && *place != record)
    place = &(*place)->outer;
  if (*place != NULL)
    *place = record->outer;
  silc_unlockTasks(locked);
}

// Waits while another thread is about to call the handler.
static bool is_listed(HandlerRecord *handler) {
  const bool locked = silc_lockTasks();
  const bool is_listed = handler->is_listed;
  silc_unlockTasks(locked);
  return is_listed;
}

static void remove_handler(HandlerRecord *handler) {
  Task *task = swift_task_getCurrent();
  silc_removeRecord(task, &handler->record);
  while (UNLIKELY(is_listed(handler)))
    yield_to_others();
  silc_deallocateInTask(task, handler);
}

static HandlerRecord *make_handler(RecordKind kind, void *context) {
  HandlerRecord *handler = swift_task_alloc(sizeof(HandlerRecord));
  *handler = (HandlerRecord){.record = {NULL, kind}, .context = context};
  return handler;
}

//===--- Cancellation -----------------------------------------------------===//

static void mark_cancelled(Task *task, HandlerList *handlers);

static void mark_group_cancelled(TaskGroup *group, HandlerList *handlers) {
  if (!silc_markGroupCancelled(group))
    return;
  Task *child = silc_firstChild(group);
  for (; child != NULL; child = child->next_sibling)
    mark_cancelled(child, handlers);
}

static void mark_cancelled(Task *task, HandlerList *handlers) {
  if (task->is_cancelled)
    return;
  task->is_cancelled = true;
  for (Record *record = task->records; record != NULL; record = record->outer) {
    switch (record->kind) {
    case RECORD_CHILD:
      mark_cancelled(silc_childOfRecord(record), handlers);
      break;
    case RECORD_GROUP:
      mark_group_cancelled(silc_groupOfRecord(record), handlers);
      break;
    case RECORD_CANCELLATION:
      list_handler(handlers, (HandlerRecord *)record);
      break;
    case RECORD_ESCALATION:
      break;
    }
  }
}

RUNTIME_ENTRY SWIFT_CALL void swift_task_cancel(Task *task) {
  HandlerList handlers = {NULL, &handlers.first};
  const bool locked = silc_lockTasks();
  mark_cancelled(task, &handlers);
  silc_unlockTasks(locked);
  call_handlers(handlers.first);
}

RUNTIME_ENTRY void silc_cancelGroup(TaskGroup *group) {
  HandlerList handlers = {NULL, &handlers.first};
  const bool locked = silc_lockTasks();
  mark_group_cancelled(group, &handlers);
  silc_unlockTasks(locked);
  call_handlers(handlers.first);
}

RUNTIME_ENTRY SWIFT_CALL bool swift_task_isCancelled(Task *task) {
  const bool locked = silc_lockTasks();
  const bool is_cancelled = task->is_cancelled;
  silc_unlockTasks(locked);
  return is_cancelled;
}

// Null where the task is cancelled already: the handler was called at once.
RUNTIME_ENTRY SWIFT_CALL HandlerRecord *
swift_task_addCancellationHandler(CancellationHandler *cancelled,
                                  void *context) {
  Task *task = swift_task_getCurrent();
  HandlerRecord *handler = make_handler(RECORD_CANCELLATION, context);
  handler->cancelled = cancelled;
  const bool locked = silc_lockTasks();
  const bool is_cancelled = task->is_cancelled;
  if (!is_cancelled) {
    handler->record.outer = task->records;
    task->records = &handler->record;
  }
  silc_unlockTasks(locked);
  if (!is_cancelled)
    return handler;
  cancelled(context);
  silc_deallocateInTask(task, handler);
  return NULL;
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_removeCancellationHandler(HandlerRecord *handler) {
  if (handler != NULL)
    remove_handler(handler);
}

//===--- Priorities -------------------------------------------------------===//

static void raise(Task *task, Priority priority, HandlerList *handlers);

static void raise_group(TaskGroup *group, Priority priority,
                        HandlerList *handlers) {
  Task *child = silc_firstChild(group);
  for (; child != NULL; child = child->next_sibling)
    raise(child, priority, handlers);
}

static void raise(Task *task, Priority priority, HandlerList *handlers) {
  if (task->priority >= priority || task->status != FUTURE_RUNS)
    return;
  const Priority before = task->priority;
  task->priority = priority;
  for (Record *record = task->records; record != NULL; record = record->outer) {
    switch (record->kind) {
    case RECORD_CHILD:
      raise(silc_childOfRecord(record), priority, handlers);
      break;
    case RECORD_GROUP:
      raise_group(silc_groupOfRecord(record), priority, handlers);
      break;
    case RECORD_ESCALATION: {
      HandlerRecord *handler = (HandlerRecord *)record;
      // One that waits to be called is told of the last priority.
      handler->new_priority = (uint8_t)priority;
      if (!handler->is_listed) {
        handler->old_priority = (uint8_t)before;
        list_handler(handlers, handler);
      }
      break;
    }
    case RECORD_CANCELLATION:
      break;
    }
  }
}

RUNTIME_ENTRY SWIFT_CALL uint8_t swift_task_escalate(Task *task,
                                                     uint8_t priority) {
  HandlerList handlers = {NULL, &handlers.first};
  const bool locked = silc_lockTasks();
  raise(task, (Priority)priority, &handlers);
  const uint8_t now = (uint8_t)task->priority;
  silc_unlockTasks(locked);
  call_handlers(handlers.first);
  return now;
}

RUNTIME_ENTRY SWIFT_CALL HandlerRecord *
swift_task_addPriorityEscalationHandler(EscalationHandler *escalated,
                                        void *context) {
  HandlerRecord *handler = make_handler(RECORD_ESCALATION, context);
  handler->escalated = escalated;
  silc_addRecord(swift_task_getCurrent(), &handler->record);
  return handler;
}

RUNTIME_ENTRY SWIFT_CALL void
swift_task_removePriorityEscalationHandler(HandlerRecord *handler) {
  remove_handler(handler);
}

RUNTIME_ENTRY SWIFT_CALL uint8_t swift_task_currentPriority(Task *task) {
  const bool locked = silc_lockTasks();
  const uint8_t priority = (uint8_t)task->priority;
  silc_unlockTasks(locked);
  return priority;
}

RUNTIME_ENTRY SWIFT_CALL uint8_t swift_task_basePriority(Task *task) {
  return (uint8_t)task->base_priority;
}

RUNTIME_ENTRY SWIFT_CALL intptr_t swift_task_getCurrentThreadPriority(void) {
  return silc_isMainThread() ? PRIORITY_USER_INITIATED : PRIORITY_UNSPECIFIED;
}

RUNTIME_ENTRY SWIFT_CALL bool swift_task_hasTaskGroupStatusRecord(void) {
  const Task *task = swift_task_getCurrent();
  const Record *record = task != NULL ? task->records : NULL;
  while (record != NULL && record->kind != RECORD_GROUP)
    record = record->outer;
  return record != NULL;
}
