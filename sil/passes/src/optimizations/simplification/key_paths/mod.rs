//! Key path literals (docs/SIL/Instructions.md, "keypath"): replaces their application with direct accesses, folds
//! their offsets, and removes dead ones (`tryOptimizeKeypath`,
//! lib/SILOptimizer/SILCombiner/SILCombinerApplyVisitors.cpp).
//!
//! Owns: the recognition of calls that apply a key path. `steps` translates the components, `projector` inserts the
//! instructions.
//!
//! Does not own: captured key paths, which are handled in `capture_propagation`.

mod projector;
mod steps;

use sil_analysis::{ApplySite, Use};
use sil_ir::context::{BuiltinType, MemberKind, SilType, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{ClassMethod, KeyPathPattern, Unary};
use sil_ir::model::{InstructionId, KeyPath, KeyPathComponentKind, Place, Value};
use sil_ir::types::AbstractionPattern;

use self::projector::{Loads, Projector};
use self::steps::Steps;
use super::Simplifier;
use crate::knowledge::enum_cases::{optional_none, optional_some};
use crate::knowledge::key_path_functions::{KeyPathFunction, PlaceAccess};

/// A call that applies a key path literal.
struct Application {
    /// The `keypath`.
    literal: InstructionId,
    steps: Steps,
    /// The address of the root.
    root: Value,
}

impl Simplifier<'_> {
    /// Replaces the application of a key path literal with direct accesses, or folds the offset of a literal.
    pub(super) fn apply_key_path(&mut self, id: InstructionId) -> Option<()> {
        self.access_by_key_path(id).or_else(|| self.key_path_offset(id))
    }

    fn access_by_key_path(&mut self, id: InstructionId) -> Option<()> {
        let function = self.key_path_function(id)?;
        let value = *ApplySite::new(self.editor.body(), id)?.arguments().get(function.value?)?;
        let application = self.application(id, &function, value)?;
        let result = self.editor.body().result(id)?;
        if !self.editor.uses(result).is_empty() {
            return None;
        }
        self.follow(id, &application, |projector, part| {
            match function.access {
                PlaceAccess::Set => projector.take(value, part),
                PlaceAccess::Get | PlaceAccess::Modify => projector.copy(part, value),
            }
            projector.end();
        });
        self.editor.erase(id);
        Some(())
    }

    /// Replaces the address that a coroutine yields for a key path literal with a projected address.
    pub(super) fn yield_by_key_path(&mut self, id: InstructionId) -> Option<()> {
        let function = self.key_path_function(id)?;
        let results: Vec<Value> = self.editor.body().results(id).collect();
        let [yielded, token] = results[..] else { return None };
        let [Use { user: end, .. }] = self.editor.uses(token)[..] else { return None };
        let is_last = self.editor.body().results(end).all(|result| self.editor.uses(result).is_empty());
        if self.editor.has_ownership() || self.editor.opcode(end) != Opcode::EndApply || !is_last {
            return None;
        }
        let application = self.application(id, &function, yielded)?;
        let mut found = yielded;
        self.follow(id, &application, |projector, part| {
            found = part;
            projector.go_to(end);
            projector.end();
        });
        self.editor.replace_all(yielded, found);
        [end, id].into_iter().for_each(|gone| self.editor.erase(gone));
        self.breaks_nesting = true;
        Some(())
    }

    /// The runtime function by which a call applies a key path.
    fn key_path_function(&self, id: InstructionId) -> Option<KeyPathFunction> {
        let name = ApplySite::new(self.editor.body(), id)?.called_function()?;
        KeyPathFunction::named(self.editor.environment.module.context.text(name))
    }

    /// The application of a key path literal by a call of `function`, if its value type is the type at the address
    /// `value`.
    fn application(&self, id: InstructionId, function: &KeyPathFunction, value: Value) -> Option<Application> {
        let body = self.editor.body();
        let arguments = ApplySite::new(body, id)?.arguments();
        let (root, key_path) = (*arguments.get(function.root)?, *arguments.get(function.key_path)?);
        let literal = self.literal_key_path(key_path)?;
        let KeyPathPattern { pattern, .. } = KeyPathPattern::of(body, literal);
        let steps = Steps::new(self.editor.environment, pattern, body.ty(root), function.access)?;
        let leads_there = self.editor.environment.queries.same_sil_type(steps.target(body.ty(root)), body.ty(value));
        leads_there.then_some(Application { literal, steps, root })
    }

    /// The `keypath` that defines a value, looking through upcasts.
    pub(super) fn literal_key_path(&self, mut value: Value) -> Option<InstructionId> {
        let body = self.editor.body();
        loop {
            let id = body.defining(value)?;
            if self.editor.opcode(id) == Opcode::Keypath {
                return Some(id);
            }
            let (Opcode::Upcast | Opcode::OpenExistentialRef) = self.editor.opcode(id) else { return None };
            value = self.after_ownership(Unary::of(body, id).operand);
        }
    }

    fn after_ownership(&self, mut value: Value) -> Value {
        let body = self.editor.body();
        while let Some(id) = body.defining(value)
            && let Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue = self.editor.opcode(id)
        {
            value = Unary::of(body, id).operand;
        }
        value
    }

    /// Projects a key path before `call`. `access` inserts the access of the projected address and ends the projection.
    fn follow(
        &mut self,
        call: InstructionId,
        application: &Application,
        access: impl FnOnce(&mut Projector<'_, '_>, Value),
    ) {
        let loads = if self.editor.has_ownership() { Loads::Borrowed } else { Loads::Unqualified };
        let environment = self.editor.environment;
        let ((), placed) = self.editor.build_flow(call, call, |flow| {
            let mut projector = Projector::new(environment.queries, flow, loads, environment.settings.exclusivity);
            let part = projector.project(application.root, &application.steps);
            access(&mut projector, part);
        });
        placed.into_iter().for_each(|(after, block)| self.order.insert_after(after, block));
        self.push(application.literal);
    }

    /// Folds the offset of a key path literal: the address of the element, projected from a null address.
    fn key_path_offset(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let site = ApplySite::new(body, id)?;
        let [key_path] = *site.arguments() else { return None };
        let callee = body.defining(*body.operands(id).first()?)?;
        let ClassMethod { method, .. } = ClassMethod::get(body, callee)?;
        let queries = self.editor.environment.queries;
        let member = queries.context.get_member(method.member);
        let asks = self.editor.opcode(callee) == Opcode::ClassMethod
            && queries.context.text(member.name) == "_storedInlineOffset"
            && member.kind == MemberKind::Getter;
        let literal = self.literal_key_path(key_path).filter(|_| asks)?;
        let KeyPathPattern { pattern, .. } = KeyPathPattern::of(body, literal);
        let result = body.result(id)?;
        let optional = body.ty(result);
        let root = queries.lower(queries.substitute(pattern.root, pattern.substitutions), AbstractionPattern::Opaque);
        let root = SilType::address(root);
        let offset = if self.has_offset(pattern)? {
            let steps = Steps::new(self.editor.environment, pattern, root, PlaceAccess::Get)?;
            let root =
                self.editor.build(Place::Before(id), id, |builder| builder.base_addr_for_offset(root.object_type()));
            self.offset(id, Application { literal, steps, root }, optional)?
        } else {
            let none = optional_none(self.editor.environment, optional.ty)?;
            self.editor.build(Place::Before(id), id, |builder| builder.enumeration(none, None, optional))
        };
        self.push(literal);
        self.editor.replace(id, offset);
        Some(())
    }

    /// Returns whether a key path only refers to stored elements of its root. `None` if that is only known at run time.
    fn has_offset(&self, pattern: &KeyPath) -> Option<bool> {
        let queries = self.editor.environment.queries;
        let mut has_offset = true;
        let mut whole = pattern.root;
        for component in &pattern.components {
            has_offset &= match &component.kind {
                KeyPathComponentKind::StoredProperty(_) => {
                    queries.declaration_of(whole).is_some_and(|declaration| declaration.kind == NominalKind::Struct)
                }
                KeyPathComponentKind::TupleElement(_) => true,
                // A computed property of another module may be stored in a later version.
                KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => {
                    computed.external.is_none().then_some(false)?
                }
                KeyPathComponentKind::OptionalChain
                | KeyPathComponentKind::OptionalForce
                | KeyPathComponentKind::OptionalWrap => false,
            };
            whole = component.ty;
        }
        Some(has_offset)
    }

    /// Creates the `Optional<Int>` with the offset of the element.
    fn offset(&mut self, id: InstructionId, application: Application, optional: SilType) -> Option<Value> {
        let queries = self.editor.environment.queries;
        let some = optional_some(self.editor.environment, optional.ty)?;
        let integer = queries.optional_object(optional.ty)?;
        let [bits] = queries.stored_property_types(integer)?[..] else { return None };
        let Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word) = queries.get(bits) else { return None };
        let pointer = SilType::object(queries.context.ty(Type::Builtin(BuiltinType::RawPointer)));
        let mut element = application.root;
        self.follow(id, &application, |_, part| element = part);
        Some(self.editor.build(Place::Before(id), id, |builder| {
            let pointer = builder.address_to_pointer(element, pointer);
            let bits = SilType::object(bits);
            let bits = builder.unchecked_trivial_bit_cast(pointer, bits);
            let integer = SilType::object(integer);
            let integer = builder.structure(&[bits], integer);
            builder.enumeration(some, Some(integer), optional)
        }))
    }

    /// Removes a key path without uses other than those that end its lifetime.
    pub(super) fn keypath(&mut self, id: InstructionId) {
        if !self.is_unused_for_long(id) {
            return;
        }
        if self.editor.has_ownership() {
            for captured in self.editor.body().operands(id).to_vec() {
                let ty = self.editor.body().ty(captured);
                let opcode = match ty.is_address() {
                    true if self.editor.is_trivial(ty.object_type()) => continue,
                    true => Opcode::DestroyAddr,
                    false if self.editor.is_trivial(ty) => continue,
                    false => Opcode::DestroyValue,
                };
                self.editor.build(Place::After(id), id, |builder| {
                    builder.effect(opcode, captured);
                });
            }
        }
        self.editor.erase_with_users(id);
    }

    fn is_unused_for_long(&self, id: InstructionId) -> bool {
        let is_removable = |found: Use| {
            let opcode = self.editor.opcode(found.user);
            matches!(
                opcode,
                Opcode::Upcast
                    | Opcode::DestroyValue
                    | Opcode::StrongRelease
                    | Opcode::BeginBorrow
                    | Opcode::EndBorrow
                    | Opcode::MoveValue
                    | Opcode::CopyValue
            ) && self.is_unused_for_long(found.user)
        };
        self.editor.body().results(id).all(|result| self.editor.uses(result).into_iter().all(is_removable))
    }
}
