// The registration of an executable with Swift's own library at its start: the
// places of its records of types, conformances, fields and so on (the layout of
// `MetadataSections`, version 4,
// stdlib/public/SwiftShims/swift/shims/MetadataSections.h). Every section is
// there, if empty, so that the linker gives each a beginning and an end.

#include <stdint.h>

#define SECTIONS(each)                                                                                                                     \
    each(swift5_protocols) each(swift5_protocol_conformances) each(swift5_type_metadata) each(swift5_typeref) each(swift5_reflstr)         \
        each(swift5_fieldmd) each(swift5_assocty) each(swift5_replace) each(swift5_replac2) each(swift5_builtin) each(swift5_capture)      \
            each(swift5_mpenum) each(swift5_accessible_functions) each(swift5_runtime_attributes) each(swift5_tests)

#define DECLARE(name)                                                                                                                      \
    __asm__(".section " #name ",\"aR\",%progbits\n.text\n");                                                                                \
    extern __attribute__((visibility("hidden"))) const char __start_##name[];                                                              \
    extern __attribute__((visibility("hidden"))) const char __stop_##name[];

SECTIONS(DECLARE)

struct range {
    uintptr_t start;
    uintptr_t length;
};

#define MEMBER(name) struct range name;
#define RANGE(name) .name = {(uintptr_t)__start_##name, (uintptr_t)__stop_##name - (uintptr_t)__start_##name},

static struct {
    uintptr_t version;
    const void *base_address;
    void *unused[2];
    SECTIONS(MEMBER)
} sections;

extern __attribute__((visibility("hidden"))) const char __ehdr_start[];

extern void swift_addNewDSOImage(void *sections);

// The linker takes this object by this name.
__attribute__((constructor)) void silc_registerSwiftImage(void) {
    enum { VERSION = 4 };
    sections = (__typeof__(sections)){.version = VERSION, .base_address = __ehdr_start, SECTIONS(RANGE)};
    swift_addNewDSOImage(&sections);
}
