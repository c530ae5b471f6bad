//! The sections in which the runtime and tools find metadata (lib/IRGen/GenDecl.cpp, include/swift/ABI/ObjectFile.h).

use crate::generation::IRGenModule;
use crate::target::ObjectFormat;

/// A section by its contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MetadataSection {
    /// The entry point of a program.
    EntryPoint,
    /// Mangled names of types.
    TypeReferences,
    /// The records by which the runtime finds the descriptors of types.
    Types,
    /// The same for noncopyable types, which older runtimes do not know.
    NoncopyableTypes,
    /// The records by which the runtime finds the descriptors of protocols.
    Protocols,
    /// The records by which the runtime finds the descriptors of conformances.
    Conformances,
    /// The names and types of fields.
    Fields,
    /// The layouts of types that do not follow from their fields.
    FixedLayouts,
    /// The spare bits of enums with several payloads.
    MultiPayloadLayouts,
    /// The associated types of conformances.
    AssociatedTypes,
    /// The descriptions of heap objects without a type of their own.
    Captures,
    /// Names of fields.
    ReflectedNames,
    /// The lists of functions to replace when the program is loaded.
    Replacements,
    /// The opaque types that replace others.
    OpaqueReplacements,
    /// The records by which the runtime finds functions by their names.
    AccessibleFunctions,
}

impl IRGenModule<'_, '_> {
    /// The section's name in object files of the target.
    pub(super) fn metadata_section(&self, section: MetadataSection) -> &'static str {
        let [elf, mach_o, coff] = match section {
            MetadataSection::EntryPoint => {
                ["swift5_entry", "__TEXT, __swift5_entry, regular, no_dead_strip", ".sw5entr$B"]
            }
            MetadataSection::TypeReferences => {
                ["swift5_typeref", "__TEXT, __swift5_typeref, regular, no_dead_strip", ".sw5tyrf$B"]
            }
            MetadataSection::Types => {
                ["swift5_type_metadata", "__TEXT, __swift5_types, regular, no_dead_strip", ".sw5tymd$B"]
            }
            MetadataSection::NoncopyableTypes => {
                ["swift5_type_metadata_2", "__TEXT, __swift5_types2, regular, no_dead_strip", ".sw5tym2$B"]
            }
            MetadataSection::Protocols => {
                ["swift5_protocols", "__TEXT, __swift5_protos, regular, no_dead_strip", ".sw5prt$B"]
            }
            MetadataSection::Conformances => {
                ["swift5_protocol_conformances", "__TEXT, __swift5_proto, regular, no_dead_strip", ".sw5prtc$B"]
            }
            MetadataSection::Fields => {
                ["swift5_fieldmd", "__TEXT, __swift5_fieldmd, regular, no_dead_strip", ".sw5flmd$B"]
            }
            MetadataSection::FixedLayouts => {
                ["swift5_builtin", "__TEXT, __swift5_builtin, regular, no_dead_strip", ".sw5bltn$B"]
            }
            MetadataSection::MultiPayloadLayouts => {
                ["swift5_mpenum", "__TEXT, __swift5_mpenum, regular, no_dead_strip", ".sw5mpen$B"]
            }
            MetadataSection::AssociatedTypes => {
                ["swift5_assocty", "__TEXT, __swift5_assocty, regular, no_dead_strip", ".sw5asty$B"]
            }
            MetadataSection::Captures => {
                ["swift5_capture", "__TEXT, __swift5_capture, regular, no_dead_strip", ".sw5cptr$B"]
            }
            MetadataSection::ReflectedNames => {
                ["swift5_reflstr", "__TEXT, __swift5_reflstr, regular, no_dead_strip", ".sw5rfst$B"]
            }
            MetadataSection::Replacements => ["swift5_replace", "__TEXT, __swift5_replace, regular", ".sw5repl$B"],
            MetadataSection::OpaqueReplacements => {
                ["swift5_replac2", "__TEXT, __swift5_replac2, regular, no_dead_strip", ".sw5reps$B"]
            }
            MetadataSection::AccessibleFunctions => {
                ["swift5_accessible_functions", "__TEXT, __swift5_acfuncs, regular", ".sw5acfn$B"]
            }
        };
        match self.options.object_format {
            ObjectFormat::Elf | ObjectFormat::Wasm => elf,
            ObjectFormat::MachO => mach_o,
            ObjectFormat::Coff => coff,
        }
    }
}
