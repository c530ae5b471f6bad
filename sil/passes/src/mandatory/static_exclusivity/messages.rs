//! The diagnostics of conflicting accesses.

use sil_analysis::access_summaries::CapturedAccess;
use sil_analysis::{AccessKind, AccessStorage, ApplyKind, ApplySite, BodyView};
use sil_ir::context::{ConformanceKind, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::AllocVariable;
use sil_ir::model::{Body, Details, InstructionId, Module, Value};
use sil_ir::symbols::{EntityKind, Symbol};
use sil_ir::types::Copyability;

use super::Conflict;
use crate::VariableNames;
use crate::messages::findings::{error_at, source_place};
use crate::messages::variable_names::{class_property_name, debug_name, global_name, part};

/// A call that yields an element of a collection, and the access to the element.
struct Element {
    access: InstructionId,
    call: InstructionId,
}

/// The inputs of diagnostics.
pub(super) struct Message<'c, 'm> {
    pub(super) module: &'m Module,
    /// The function in which the first access begins.
    pub(super) view: &'c BodyView<'m>,
    /// Its calls of `swap`.
    pub(super) swaps: &'c [InstructionId],
    /// Whether variables have names.
    pub(super) names: VariableNames,
}

impl Message<'_, '_> {
    /// Returns the diagnostic of a conflict: an error at the first access that must be exclusive, and a note at the
    /// other one.
    pub(super) fn of(&self, conflict: &Conflict) -> Diagnostic {
        let Conflict { storage, first, second } = conflict;
        let (main, other) = if first.kind == AccessKind::Read { (second, first) } else { (first, second) };
        let access = match main.kind {
            AccessKind::Init => "initialization",
            AccessKind::Read => "read",
            AccessKind::Modify => "modification",
            AccessKind::Deinit => "deinitialization",
        };
        let base = self.view.body.result(first.instruction).map(|value| self.view.body.ty(value).ty);
        let (path, ty) = base.map_or((String::new(), None), |base| self.path(base, main));
        let name = self.name(*storage);
        let is_copyable = ty.is_none_or(|ty| {
            let properties = self.view.queries.properties(ty, self.view.function.signature);
            properties.copyability == Copyability::Copyable
        });
        let advice = match () {
            () if !is_copyable => "",
            () if name.is_some() && self.swaps_elements(conflict) => {
                "; consider calling MutableCollection.swapAt(_:_:)"
            }
            () => "; consider copying to a local variable",
        };
        let of = name.map_or_else(String::new, |name| format!(" to '{name}{path}'"));
        let message = format!("overlapping accesses{of}, but {access} requires exclusive access{advice}");
        let Some(main_body) = self.body(main) else { return self.misplaced(message, first) };
        let error = error_at(main_body, main.instruction, "overlapping-accesses", message);
        let Some(body) = self.body(other) else { return error };
        let span = body.instructions[other.instruction].span;
        error.note_in_source("conflicting access is here", Some(span), source_place(body, other.instruction))
    }

    fn misplaced(&self, message: String, first: &CapturedAccess) -> Diagnostic {
        error_at(self.view.body, first.instruction, "overlapping-accesses", message)
    }

    fn body(&self, access: &CapturedAccess) -> Option<&Body> {
        self.module.functions[access.function].body.as_ref()
    }

    /// Returns the path of names from a variable of this type to the accessed part, and the part's type.
    fn path(&self, base: TypeId, access: &CapturedAccess) -> (String, Option<TypeId>) {
        let (mut path, mut ty) = (String::new(), base);
        for index in &access.path {
            let Some((name, inner)) = part(self.view.queries, ty, *index) else { return (path, None) };
            path.push('.');
            path.push_str(&name);
            ty = inner;
        }
        (path, Some(ty))
    }

    /// Returns the source name of the memory.
    fn name(&self, storage: AccessStorage) -> Option<String> {
        let view = self.view;
        let context = view.queries.context;
        match storage {
            AccessStorage::Box(_) | AccessStorage::Stack(_) | AccessStorage::Global(_)
                if self.names == VariableNames::Undeclared =>
            {
                None
            }
            AccessStorage::Box(root) | AccessStorage::Stack(root) => {
                let variable = AllocVariable::get(view.body, view.body.defining(root)?)?.variable?;
                Some(context.text(variable.name?).to_owned())
            }
            AccessStorage::Global(name) => Some(global_name(context.text(name))),
            AccessStorage::Class { object, property } => {
                class_property_name(view.queries, view.body.ty(object).ty, property)
            }
            AccessStorage::Argument(argument) => {
                let marks = view.uses.of(argument).iter().filter_map(|found| {
                    let is_mark = view.opcode(found.user) == Opcode::MarkUnresolvedNonCopyableValue;
                    view.body.result(found.user).filter(|_| is_mark)
                });
                let mut names = std::iter::once(argument).chain(marks);
                names.find_map(|value| debug_name(context, view.body, &view.uses, value))
            }
            AccessStorage::Tail(_)
            | AccessStorage::Yield(_)
            | AccessStorage::Nested(_)
            | AccessStorage::Unidentified(_) => None,
        }
    }

    /// Returns whether the accesses are to elements of one collection passed to `swap`, so that `swapAt` can replace
    /// it.
    fn swaps_elements(&self, conflict: &Conflict) -> bool {
        let Conflict { storage, first, second } = conflict;
        let is_of_self = match storage {
            AccessStorage::Class { .. } => true,
            storage => self.name(*storage).is_some_and(|name| name == "self"),
        };
        let are_changes = first.kind == AccessKind::Modify && second.kind == AccessKind::Modify;
        let is_swap = |swap: &InstructionId| {
            let arguments = ApplySite::new(self.view.body, *swap).map(ApplySite::arguments);
            let Some([one, other]) = arguments else { return false };
            let (one, other) = (self.element(*one), self.element(*other));
            let (Some(one), Some(other)) = (one, other) else { return false };
            let are_these = one.access == first.instruction && other.access == second.instruction;
            are_these && !(is_of_self && self.differ_by_self(&one, &other))
        };
        are_changes && first.path == second.path && self.swaps.iter().any(is_swap)
    }

    /// Returns the access to the collection of which `address` is an element, if it has `swapAt`.
    fn element(&self, address: Value) -> Option<Element> {
        let view = self.view;
        let call = view.body.defining(address)?;
        let site = ApplySite::new(view.body, call)?;
        let [_index, collection] = site.arguments() else { return None };
        if site.kind != ApplyKind::BeginApply || !self.is_subscript_of_collection(site, *collection) {
            return None;
        }
        let mut value = *collection;
        loop {
            let (id, opcode) = view.definition(value)?;
            match opcode {
                Opcode::BeginAccess => return Some(Element { access: id, call }),
                Opcode::StructElementAddr | Opcode::TupleElementAddr => value = view.operand(id, 0)?,
                _ => return None,
            }
        }
    }

    /// Returns whether one is written with `self.` and the other without: they then do not look like the same
    /// collection.
    fn differ_by_self(&self, one: &Element, other: &Element) -> bool {
        let width = |element: &Element| {
            let start = source_place(self.view.body, element.access)?;
            let tokens = self.view.body.results(element.call).flat_map(|value| self.view.uses.of(value));
            let mut ends = tokens.filter(|found| self.view.opcode(found.user) == Opcode::EndApply);
            let end = source_place(self.view.body, ends.next()?.user)?;
            (start.line == end.line).then_some(end.column.abs_diff(start.column))
        };
        let widths = width(one).zip(width(other));
        widths.is_some_and(|(one, other)| one.abs_diff(other) == "self.".len() as u32)
    }

    fn is_subscript_of_collection(&self, site: ApplySite<'_>, collection: Value) -> bool {
        let (body, context, queries) = (self.view.body, self.view.queries.context, self.view.queries);
        let Some(swift) = context.find_name("Swift") else { return false };
        let protocol = context.find_name("MutableCollection");
        let Some(protocol) = protocol.and_then(|name| queries.declarations.in_module(swift, name)) else {
            return false;
        };
        let callee = site.callee().and_then(|callee| body.defining(callee));
        match callee.map(|callee| &body.instructions[callee].details) {
            Some(Details::Method(method)) => {
                let member = context.get_member(method.member);
                member.parent == Some(protocol) && context.text(member.name) == "subscript"
            }
            Some(Details::Function(function)) => {
                let symbol = Symbol::demangle(context.text(*function));
                let is_subscript = symbol.as_ref().is_some_and(|symbol| {
                    let entity = symbol.entity();
                    let labels = symbol.labels().unwrap_or_default();
                    entity.is_some_and(|entity| matches!(entity.kind, EntityKind::SubscriptAccessor(_)))
                        && labels.iter().all(Option::is_none)
                });
                let conformance = queries.conformance(body.ty(collection).ty, protocol);
                let kind = &context.get_conformance(conformance).kind;
                is_subscript && !matches!(kind, ConformanceKind::Missing | ConformanceKind::Unknown)
            }
            _ => false,
        }
    }
}
