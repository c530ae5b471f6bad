//! Passes the arguments of inlined calls: borrows and moves them so that lexical lifetimes of the callee's parameters
//! are kept in the caller.

use sil_analysis::is_storage_cast;
use sil_ir::context::ParameterConvention;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{ArgumentFlag, Definition, FunctionFlag, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, Lifetime};

use super::{CallSite, Callee, Exits, InlineKind, Inliner, OwnedKind};
use crate::{InstructionBuilder, LexicalLifetimes};

const AS_IN_CXX: ArgumentConvention = ArgumentConvention::Parameter(ParameterConvention::InCxx);

/// Whether a borrow scope is lexical.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Bare,
    Lexical,
}

impl Inliner<'_> {
    /// Returns the values to map the callee's parameters to. Owned values are borrowed for guaranteed parameters, and
    /// lexical lifetimes of parameters are kept.
    pub(super) fn lend(&mut self, site: &CallSite, callee: Callee<'_>, exits: &Exits) -> Vec<Value> {
        let mut arguments = Vec::with_capacity(site.arguments.len());
        self.keep_variables(site, callee);
        for (parameter, argument) in callee.parameters().iter().zip(&site.arguments) {
            let argument = self.resolve(*argument);
            let scope = self.scope(callee, *parameter, argument);
            arguments.push(match (callee.body.values[*parameter].ownership, scope) {
                (Ownership::Guaranteed, Some(scope)) => self.borrow(site.call, argument, scope, exits),
                (Ownership::Owned, Some(Scope::Lexical)) => {
                    self.forward(site.call, Opcode::MoveValue, argument, Scope::Lexical, Ownership::Owned)
                }
                _ => argument,
            });
        }
        self.destroy_passed(site, callee, exits);
        arguments
    }

    /// Destroys `@in_cxx` arguments at all exits, since the callee does not destroy them.
    fn destroy_passed(&mut self, site: &CallSite, callee: Callee<'_>, exits: &Exits) {
        let Some(conventions) = self.queries.conventions(callee.function.ty) else { return };
        let passed = conventions.arguments().zip(&site.arguments);
        let passed = passed.filter(|(argument, _)| argument.convention == AS_IN_CXX).map(|(_, passed)| *passed);
        for address in passed.collect::<Vec<_>>() {
            let address = self.resolve(address);
            let properties = self.queries.properties(self.body.ty(address).ty, self.function.signature);
            if properties.is_trivial() {
                continue;
            }
            for block in exits.ends() {
                let mut builder = InstructionBuilder::new(&mut self.body, Place::Start(block), site.call);
                builder.destroy_addr(address);
            }
        }
    }

    /// The borrow scope that an argument needs for a parameter.
    fn scope(&self, callee: Callee<'_>, parameter: Value, argument: Value) -> Option<Scope> {
        let ty = self.body.ty(argument);
        if !self.function.has(FunctionFlag::Ossa) || ty.is_address() {
            return None;
        }
        let lifetime = self.queries.properties(ty.ty, self.function.signature).lifetime;
        let flags = callee.body.values[parameter].flags;
        let is_kept = self.lexical_lifetimes == LexicalLifetimes::Kept;
        let lexical = is_kept
            && (flags.contains(ArgumentFlag::Lexical)
                || lifetime == Lifetime::Lexical && !flags.contains(ArgumentFlag::EagerMove));
        let owned = self.kinds[argument].0 == Ownership::Owned;
        match lexical && self.kinds[argument].0 != Ownership::None && !self.is_lexical(argument) {
            true => Some(Scope::Lexical),
            false => owned.then_some(Scope::Bare),
        }
    }

    /// Returns whether `value` has a lexical lifetime already.
    fn is_lexical(&self, value: Value) -> bool {
        let data = &self.body.values[value];
        match data.definition {
            Definition::Argument { block, .. } if block == self.body.entry() => {
                let lifetime = self.queries.properties(data.ty.ty, self.function.signature).lifetime;
                data.flags.contains(ArgumentFlag::Lexical)
                    || lifetime == Lifetime::Lexical && !data.flags.contains(ArgumentFlag::EagerMove)
            }
            Definition::Result { instruction, .. } => {
                let instruction = &self.body.instructions[instruction];
                matches!(instruction.opcode, Opcode::BeginBorrow | Opcode::MoveValue)
                    && instruction.attributes.contains(Attribute::Lexical)
            }
            Definition::Argument { .. } | Definition::Undef => false,
        }
    }

    /// Borrows `value` from before the call to all its exits.
    fn borrow(&mut self, call: InstructionId, value: Value, scope: Scope, exits: &Exits) -> Value {
        let borrowed = self.forward(call, Opcode::BeginBorrow, value, scope, Ownership::Guaranteed);
        for block in exits.ends() {
            let mut builder = InstructionBuilder::new(&mut self.body, Place::Start(block), call);
            builder.end_borrow(borrowed);
        }
        borrowed
    }

    fn forward(&mut self, call: InstructionId, opcode: Opcode, value: Value, scope: Scope, kind: Ownership) -> Value {
        let mut attributes = AttributeSet::default();
        if scope == Scope::Lexical {
            attributes.insert(Attribute::Lexical);
        }
        let made =
            InstructionBuilder::new(&mut self.body, Place::Before(call), call).with(attributes).unary(opcode, value);
        self.kinds[made] = OwnedKind(kind);
        made
    }

    /// Marks the caller's variables whose memory is passed as lexical, unless they are passed `inout` and so only the
    /// callee may modify them.
    fn keep_variables(&mut self, site: &CallSite, callee: Callee<'_>) {
        let is_kept = self.kind != InlineKind::Completing && self.lexical_lifetimes == LexicalLifetimes::Kept;
        if !self.function.has(FunctionFlag::Ossa) || !is_kept {
            return;
        }
        let Some(conventions) = self.queries.conventions(callee.function.ty) else { return };
        for (argument, passed) in conventions.arguments().zip(&site.arguments) {
            let is_kept = match argument.convention {
                ArgumentConvention::Parameter(convention) => convention != ParameterConvention::InOut,
                ArgumentConvention::Result(_) | ArgumentConvention::Error => false,
            };
            let variable = self.variable(self.resolve(*passed)).filter(|_| is_kept);
            if let Some(variable) = variable {
                self.body.instructions[variable].attributes.insert(Attribute::Lexical);
            }
        }
    }

    /// The stack variable that is the storage of an address (include/swift/SIL/MemAccessUtils.h).
    fn variable(&self, address: Value) -> Option<InstructionId> {
        use Opcode::*;
        let mut id = self.body.defining(address).filter(|_| self.body.ty(address).is_address())?;
        loop {
            let base = match self.body.instructions[id].opcode {
                AllocStack => return Some(id),
                BeginAccess
                | StructElementAddr
                | TupleElementAddr
                | IndexAddr
                | TailAddr
                | InitEnumDataAddr
                | UncheckedTakeEnumDataAddr
                | InitExistentialAddr
                | OpenExistentialAddr => 0,
                StoreBorrow => 1,
                opcode if is_storage_cast(opcode) => 0,
                _ => return None,
            };
            let base = *self.body.operands(id).get(base)?;
            id = self.body.defining(self.resolve(base))?;
        }
    }
}
