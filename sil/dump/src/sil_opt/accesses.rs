//! The storage of memory accesses (SwiftCompilerSources/Sources/Optimizer/TestPasses/AccessDumper.swift,
//! lib/SILOptimizer/UtilityPasses/AccessStorageDumper.cpp, AccessPathVerification.cpp).

use sil_analysis::{
    AccessBase, AccessPath, AccessStorage, ApplySite, BodyView, ElementOffset, InstructionEffects, LocatedAccess,
    NestedAccess, StoragePath, StorageUses, UseRelation, accessed_operands, stored_property,
};
use sil_ir::context::Mutability;
use sil_ir::instructions::{MemoryBehavior, Opcode};
use sil_ir::model::{InstructionId, Value, views};
use std::fmt::Write;

use super::Subject;

/// The access path of each address that is loaded from or stored to.
pub(super) fn paths(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let mut out = format!("Accesses for {}\n", subject.name());
    for id in subject.body.placed_instructions() {
        match view.opcode(id) {
            Opcode::Store => out += &path(subject, &view, views::Store::of(subject.body, id).destination),
            Opcode::Load => out += &path(subject, &view, subject.body.operands(id)[0]),
            Opcode::Apply => out += &distinction(subject, &view, id),
            _ => {}
        }
    }
    out += &format!("End accesses for {}\n", subject.name());
    out
}

fn path(subject: &Subject<'_>, view: &BodyView<'_>, address: Value) -> String {
    let located = LocatedAccess::of(view, address);
    let (access, constant) = (located.access, AccessPath::constant(view, address));
    let scope = located.innermost_access();
    let scope = scope.map_or_else(|| "base\n".to_owned(), |begin| subject.lines.instruction(begin));
    let mut out = format!("Value: {}  Scope: {scope}", subject.lines.value(address));
    let base = |access: AccessPath| base_text(subject, access.base);
    if constant == access {
        out += &format!("  Base: {}  Path: \"{}\"\n", base(access), access.path);
    } else {
        out += &format!("  nonconst-base: {}  nonconst-path: \"{}\"\n", base(access), access.path);
        out += &format!("  const-base: {}  const-path: \"{}\"\n", base(constant), constant.path);
    }
    match access.storage_roots(view) {
        Some(roots) => {
            for (root, path) in roots {
                out += &format!("    Storage: {}    Path: \"{path}\"\n", subject.lines.value(root));
            }
        }
        None => out += "   no Storage paths\n",
    }
    out
}

/// Reports the wrong answers for the arguments of a call of a function of one of these names.
fn distinction(subject: &Subject<'_>, view: &BodyView<'_>, call: InstructionId) -> String {
    let site = ApplySite::new(subject.body, call);
    let called = site.and_then(|site| Some((site.called_function()?, site.arguments())));
    let Some((name, [first, second])) = called else { return String::new() };
    let expected = match subject.module.context.text(name) {
        "_isDistinct" => true,
        "_isNotDistinct" => false,
        _ => return String::new(),
    };
    let paths = [AccessPath::of(view, *first), AccessPath::of(view, *second)];
    let constant = [AccessPath::constant(view, *first), AccessPath::constant(view, *second)];
    let mut pairs = vec![(paths[0], paths[1])];
    // Of distinct memory a constant path may show less.
    if !expected {
        pairs.extend([(constant[0], constant[1]), (paths[0], constant[1]), (constant[0], paths[1])]);
    }
    for (first, second) in pairs {
        if first.is_distinct(view, second) != expected || second.is_distinct(view, first) != expected {
            return format!("wrong isDistinct result of {}", subject.lines.instruction(call));
        }
    }
    String::new()
}

fn base_text(subject: &Subject<'_>, base: AccessBase) -> String {
    let with = |kind: &str, address| format!("{kind} - {}", subject.lines.value(address));
    match base {
        AccessBase::Box(address) => with("box", address),
        AccessBase::Stack(address) => with("stack", address),
        AccessBase::Global(name) => format!("global - @{}\n", subject.module.context.text(name)),
        AccessBase::Class(address) => with("class", address),
        // The elements are identified by their object.
        AccessBase::Tail(address) => {
            let object = subject.body.defining(address).map(|id| subject.body.operands(id)[0]);
            with("tail", object.unwrap_or(address))
        }
        AccessBase::Argument(address) => with("argument", address),
        AccessBase::Yield(address) => with("yield", address),
        AccessBase::StoreBorrow(address) => with("storeBorrow", address),
        AccessBase::Pointer(address) => with("pointer", address),
        AccessBase::Index(address) => with("index", address),
        AccessBase::Unidentified(_) => "?\n".to_owned(),
    }
}

/// Whether the uses of a storage are written, too.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum StorageUseList {
    /// They are not.
    #[default]
    Omit,
    /// They are.
    Write,
}

/// The storage of each address that an instruction accesses, with the place in it.
pub(super) fn storage(subject: &Subject<'_>, list: StorageUseList) -> String {
    let view = subject.view();
    let effects = InstructionEffects::new(subject.module, subject.queries);
    let uses = (list == StorageUseList::Write).then(|| StorageUses::new(&view));
    let mut out = format!("@{}\n", subject.name());
    for id in subject.body.placed_instructions() {
        if effects.memory_behavior(subject.body, id) == MemoryBehavior::None {
            continue;
        }
        out += &format!("###For MemOp: {}", subject.lines.instruction(id));
        for operand in accessed_operands(&view, effects, id) {
            let address = subject.body.operands(id)[operand as usize];
            let storage = AccessStorage::of(&view, address, NestedAccess::Ignore);
            let place = StoragePath::of(&view, address, NestedAccess::Ignore);
            out += &storage.map_or_else(|| "INVALID\n".to_owned(), |storage| storage_text(subject, storage));
            let base = place.as_ref().and_then(|place| place.base).map(|base| subject.lines.value(base));
            out += &format!("Base: {}", base.unwrap_or_else(|| "unidentified\n".to_owned()));
            match &place {
                Some(place) => {
                    out += &format!("Storage: {}{}", storage_text(subject, place.storage), place_text(place));
                }
                None => out += "INVALID\n",
            }
            if let (Some(place), Some(uses)) = (place, &uses) {
                out += &use_lists(subject, &view, uses, &place);
            }
        }
    }
    out
}

fn use_lists(subject: &Subject<'_>, view: &BodyView<'_>, uses: &StorageUses, place: &StoragePath) -> String {
    let mut out = String::new();
    let kinds =
        [("Exact", UseRelation::Exact), ("Inner", UseRelation::Inner), ("Overlapping", UseRelation::Overlapping)];
    let found = uses.of(place);
    for (name, widest) in kinds {
        let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
        write(format_args!("{name} Uses {{\n"));
        for (found, _) in found.iter().filter(|(_, relation)| *relation <= widest) {
            let place = StoragePath::of(view, view.used_value(*found), NestedAccess::Ignore);
            let place = place.map_or_else(|| "Path: INVALID\n".to_owned(), |place| place_text(&place));
            write(format_args!("{}  {place}", subject.lines.instruction(found.user)));
        }
        out += "}\n";
    }
    out
}

fn storage_text(subject: &Subject<'_>, storage: AccessStorage) -> String {
    let kind = storage.kind_name();
    match storage {
        AccessStorage::Global(name) => format!("{kind} sil_global @{}\n", subject.module.context.text(name)),
        AccessStorage::Class { object, property } => {
            let field = property_text(subject, object, property).unwrap_or_default();
            format!("{kind} {}{field} Index: {property}\n", subject.lines.value(object))
        }
        _ => format!("{kind} {}", storage.root().map_or_else(String::new, |root| subject.lines.value(root))),
    }
}

/// `  Field: var x: Int`, if the type of the object shows which property it is.
pub(super) fn property_text(subject: &Subject<'_>, object: Value, number: u32) -> Option<String> {
    let class = subject.queries.as_nominal(subject.body.ty(object).ty)?.declaration;
    let property = stored_property(subject.queries, class, number)?;
    let word = match property.mutability {
        Mutability::Let => "let",
        Mutability::Var => "var",
    };
    let name = subject.module.context.text(property.name);
    Some(format!("  Field: {word} {name}: {}", subject.type_text(property.ty)))
}

/// `Path: (@1,#0)`
fn place_text(place: &StoragePath) -> String {
    let offset = match place.offset {
        ElementOffset::Known(0) => None,
        ElementOffset::Known(by) => Some(format!("@{by}")),
        ElementOffset::Unknown => Some("@Unknown".to_owned()),
    };
    let fields = place.fields.iter().map(|field| format!("#{field}"));
    format!("Path: ({})\n", offset.into_iter().chain(fields).collect::<Vec<_>>().join(","))
}

/// The differences between the uses of places and the places of uses.
pub(super) fn inconsistencies(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let effects = InstructionEffects::new(subject.module, subject.queries);
    let uses = StorageUses::new(&view);
    let mut out = String::new();
    for user in subject.body.placed_instructions() {
        for operand in accessed_operands(&view, effects, user) {
            let address = subject.body.operands(user)[operand as usize];
            let Some(place) = StoragePath::of(&view, address, NestedAccess::Ignore) else { continue };
            let is_own = uses.of(&place).into_iter().any(|(found, relation)| {
                (found.user, found.operand) == (user, operand)
                    && (relation == UseRelation::Exact || place.offset == ElementOffset::Unknown)
            });
            if !is_own {
                out += &format!("Address use: {}", subject.lines.instruction(user));
                out += &format!("  is not a use of path\n  {}", place_text(&place));
            }
        }
    }
    out
}
