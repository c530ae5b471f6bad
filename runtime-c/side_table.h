//===--- side_table.h - shared by weak and unowned references -------------===//
//
// Owns: the operations on side tables. side_table.c describes them.
//
//===----------------------------------------------------------------------===//

#ifndef SILC_SIDE_TABLE_H
#define SILC_SIDE_TABLE_H

#include "runtime.h"

// Finds or makes the object's side table and counts one more weak variable.
SideTable *silc_sideTableFormWeak(HeapObject *object);

// One more, or one fewer, weak variable.
void silc_sideTableRetainWeak(SideTable *table);
void silc_sideTableReleaseWeak(SideTable *table);

// A strong reference to the object, or null where its deinit has begun.
HeapObject *silc_sideTableLoadStrong(SideTable *table);

// One more, or one fewer, unowned reference. While there is one, the object's
// memory stays allocated.
void silc_sideTableRetainUnowned(HeapObject *object);
void silc_sideTableReleaseUnowned(HeapObject *object);

#endif
