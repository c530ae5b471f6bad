//! The work on one function: calls of methods of protocols become direct ones, calls of transparent functions their bodies, calls of generic functions
//! those of functions for the types. What needs a body that is not linked yet waits for the next round.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::super::block_merging::merge_blocks;
use super::super::inlining::{CallSite, Callee, Chain, Inliner};
use super::super::unused::remove_unused;
use super::requirements::is_concrete;
use super::specialization::{Specialization, specialized_type};
use super::witnesses::{Witness, WitnessIndex};
use super::{Seen, folding, is_transparent};
use crate::analysis::ApplyKind;
use crate::context::{Name, Representation, SilType, SubstitutionMapId, Sugar, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{self, Unary};
use crate::model::{Apply, Body, Details, Function, FunctionId, InstructionId, Module, Place, Value};
use crate::syntax::{Libraries, Wanted};
use crate::transform::InstructionBuilder;
use crate::types::TypeQueries;

/// What is to be done on a function.
pub(super) struct Work {
    pub(super) function: FunctionId,
    /// The instructions that wait, and where they are from; none where nothing was done yet.
    pub(super) open: Option<Vec<(InstructionId, Arc<Chain>)>>,
}

pub(super) struct Rewriting<'m> {
    module: &'m Module,
    libraries: &'m Libraries<'m>,
    queries: &'m TypeQueries<'m>,
    witnesses: &'m WitnessIndex,
    seen: &'m Seen,
    inliner: Inliner<'m>,
    open: Vec<(InstructionId, Arc<Chain>)>,
    /// What calls called, and what was folded, that is perhaps not used any more.
    unused: Vec<Value>,
    pub(super) waiting: Vec<(InstructionId, Arc<Chain>)>,
    pub(super) wanted: Wanted,
    pub(super) made: Vec<Specialization>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What is to be done with a call.
enum Decision {
    Nothing,
    /// To wait for what was asked for.
    Wait,
    /// To call this function, with these generic arguments.
    Retarget(Name, SubstitutionMapId),
    Inline(FunctionId),
    /// To call what this instruction finds in the table that a class has for the types.
    LookUp(InstructionId),
}

impl<'m> Rewriting<'m> {
    pub(super) fn new(
        module: &'m Module,
        libraries: &'m Libraries<'m>,
        queries: &'m TypeQueries<'m>,
        witnesses: &'m WitnessIndex,
        seen: &'m Seen,
        work: &Work,
    ) -> Self {
        let function = &module.functions[work.function];
        let empty = Body::default();
        let body = function.body.as_ref().unwrap_or(&empty);
        let outer = || Arc::new(Chain::new(function.name));
        let open = match &work.open {
            // What waits may be gone with code that is never reached.
            Some(open) => {
                let placed: FxHashSet<InstructionId> = body.placed_instructions().collect();
                open.iter().filter(|(id, _)| placed.contains(id)).cloned().collect()
            }
            None => {
                let outer = outer();
                body.placed_instructions().map(|id| (id, outer.clone())).collect()
            }
        };
        Self {
            module,
            libraries,
            queries,
            witnesses,
            seen,
            inliner: Inliner::new(queries, function, body),
            open,
            unused: Vec::new(),
            waiting: Vec::new(),
            wanted: Wanted::default(),
            made: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    pub(super) fn run(&mut self) {
        // Literals come before what is made of them.
        self.open.reverse();
        while let Some((id, chain)) = self.open.pop() {
            let opcode = self.inliner.body.instructions[id].opcode;
            if matches!(opcode, Opcode::Builtin | Opcode::TypeValue | Opcode::CheckedCastAddrBr) {
                let arguments = self.inliner.body.operands(id).to_vec();
                if folding::fold(self.queries, &mut self.inliner, id) {
                    self.unused.extend(arguments);
                }
            } else if ApplyKind::of(opcode).is_some() {
                self.visit(id, chain);
            }
        }
    }

    /// The body as it is now.
    pub(super) fn finish(self) -> Body {
        let mut body = self.inliner.finish();
        remove_unused(&mut body, self.unused);
        body.remove_unreachable_blocks();
        merge_blocks(&mut body);
        body
    }

    fn visit(&mut self, id: InstructionId, chain: Arc<Chain>) {
        loop {
            match self.decide(id, &chain) {
                Decision::Nothing => return,
                Decision::Wait => return self.waiting.push((id, chain)),
                Decision::Retarget(name, substitutions) => {
                    if !self.retarget(id, name, substitutions) {
                        return;
                    }
                }
                Decision::Inline(callee) => return self.inline(id, callee, &chain),
                Decision::LookUp(lookup) => return self.look_up(id, lookup),
            }
        }
    }

    fn decide(&mut self, id: InstructionId, chain: &Chain) -> Decision {
        let body = &self.inliner.body;
        let Details::Apply(apply) = &body.instructions[id].details else { return Decision::Nothing };
        let substitutions = apply.substitutions;
        let callee = self.inliner.resolve(body.operands(id)[0]);
        let Some(definition) = self.origin(callee) else { return Decision::Nothing };
        match body.instructions[definition].opcode {
            Opcode::WitnessMethod => self.devirtualize(definition, substitutions),
            Opcode::FunctionRef => {
                let name = views::FunctionRef::of(body, definition).function;
                let is_direct = body.defining(callee) == Some(definition);
                self.decide_on_function(id, name, substitutions, is_direct, chain)
            }
            Opcode::ClassMethod | Opcode::SuperMethod => {
                let is_direct = body.defining(callee) == Some(definition);
                let is_generic = is_direct && substitutions != SubstitutionMapId::EMPTY;
                if is_generic && is_concrete(self.queries, substitutions) {
                    Decision::LookUp(definition)
                } else {
                    Decision::Nothing
                }
            }
            _ => Decision::Nothing,
        }
    }

    /// The instruction that a callee is from, behind copies, borrows and a conversion to a thick function.
    fn origin(&self, callee: Value) -> Option<InstructionId> {
        let body = &self.inliner.body;
        let mut value = callee;
        loop {
            let id = body.defining(value)?;
            match body.instructions[id].opcode {
                Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue | Opcode::ThinToThickFunction => {
                    value = self.inliner.resolve(Unary::of(body, id).operand);
                }
                _ => return Some(id),
            }
        }
    }

    fn devirtualize(&mut self, lookup: InstructionId, substitutions: SubstitutionMapId) -> Decision {
        let views::WitnessMethod { method, .. } = views::WitnessMethod::of(&self.inliner.body, lookup);
        let Some(ty) = method.lookup.filter(|ty| !self.queries.is_dependent(*ty)) else { return Decision::Nothing };
        match self.witnesses.witness(self.module, self.queries, ty, method, substitutions) {
            Witness::Function(name, substitutions) => Decision::Retarget(name, substitutions),
            Witness::Unknown(declaration, protocol) => {
                if self.seen.linked_tables.contains(&(declaration, protocol)) {
                    return Decision::Nothing;
                }
                self.wanted.witness_tables.insert((declaration, protocol));
                Decision::Wait
            }
            Witness::None => Decision::Nothing,
        }
    }

    fn decide_on_function(
        &mut self,
        id: InstructionId,
        name: Name,
        substitutions: SubstitutionMapId,
        is_direct: bool,
        chain: &Chain,
    ) -> Decision {
        let Some(callee) = self.module.function_named(name) else { return Decision::Nothing };
        let function = &self.module.functions[callee];
        let is_call = matches!(self.inliner.body.instructions[id].opcode, Opcode::Apply | Opcode::TryApply);
        if is_call && is_transparent(function) && !chain.contains(name) && !is_foreign(self.queries, function) {
            if function.body.is_some() {
                return Decision::Inline(callee);
            }
            if self.can_link(name) {
                self.wanted.functions.insert(name);
                return Decision::Wait;
            }
        }
        let is_generic = is_direct && substitutions != SubstitutionMapId::EMPTY;
        if !is_generic || !is_concrete(self.queries, substitutions) {
            return Decision::Nothing;
        }
        if function.body.is_none() && !self.can_link(name) {
            return Decision::Nothing;
        }
        match Specialization::new(self.module, self.queries, function, substitutions) {
            Some(made) => {
                let name = made.name;
                self.made.push(made);
                Decision::Retarget(name, SubstitutionMapId::EMPTY)
            }
            None => Decision::Nothing,
        }
    }

    /// Whether a library has a body that nobody asked for yet.
    fn can_link(&self, name: Name) -> bool {
        !self.seen.linked_functions.contains(&name) && self.libraries.has_function(self.queries.context.text(name))
    }

    /// Lets a call call another function. Whether that may be changed further.
    fn retarget(&mut self, id: InstructionId, name: Name, substitutions: SubstitutionMapId) -> bool {
        let body = &mut self.inliner.body;
        let Details::Apply(before) = &body.instructions[id].details else { return false };
        let known = self.module.function_named(name).map(|id| self.module.functions[id].ty);
        let made = self.made.last().filter(|made| made.name == name);
        let ty = match (made, known) {
            (Some(made), _) => {
                let callee = self.module.function_named(made.callee).map(|id| self.module.functions[id].ty);
                callee.map(|callee| specialized_type(self.queries, callee, made.substitutions))
            }
            (None, known) => known,
        };
        let Some(ty) = ty.map(SilType::object) else { return false };
        let isolation = before.isolation;
        let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
        let function = builder.value_of_written_type(Opcode::FunctionRef, Details::Function(name), &[], ty);
        let apply = Apply { substitutions, sugar: Sugar::default(), callee_type: ty, isolation };
        body.instructions[id].details = Details::Apply(Box::new(apply));
        let callee = std::mem::replace(&mut body.operands_mut(id)[0], function);
        self.unused.push(callee);
        made.is_none()
    }

    /// Lets a call of a method that `lookup` finds call it with the type that it has in the table of the class for the types.
    fn look_up(&mut self, id: InstructionId, lookup: InstructionId) {
        let body = &mut self.inliner.body;
        let Details::Apply(before) = &body.instructions[id].details else { return };
        let (substitutions, isolation) = (before.substitutions, before.isolation);
        let found = body.operands(id)[0];
        let ty = SilType::object(specialized_type(self.queries, body.ty(found).ty, substitutions));
        let (opcode, details) = (body.instructions[lookup].opcode, body.instructions[lookup].details.clone());
        let object = body.operands(lookup).to_vec();
        let mut builder = InstructionBuilder::new(body, Place::Before(lookup), lookup);
        let method = builder.value_of_written_type(opcode, details, &object, ty);
        let apply =
            Apply { substitutions: SubstitutionMapId::EMPTY, sugar: Sugar::default(), callee_type: ty, isolation };
        body.instructions[id].details = Details::Apply(Box::new(apply));
        body.operands_mut(id)[0] = method;
        self.unused.push(found);
    }

    fn inline(&mut self, id: InstructionId, callee: FunctionId, chain: &Arc<Chain>) {
        let function = &self.module.functions[callee];
        let Some(callee_body) = &function.body else { return };
        let body = &self.inliner.body;
        let Details::Apply(apply) = &body.instructions[id].details else { return };
        let called = body.operands(id)[0];
        let arguments = match views::TryApply::get(body, id) {
            Some(call) => call.arguments.to_vec(),
            None => views::Apply::of(body, id).arguments.to_vec(),
        };
        let site = CallSite { call: id, arguments, substitutions: apply.substitutions };
        let made = self.inliner.inline(&site, Callee { function, body: callee_body });
        self.unused.push(called);
        let chain = Arc::new(chain.with(function.name));
        self.open.extend(made.into_iter().rev().map(|id| (id, chain.clone())));
    }
}

fn is_foreign(queries: &TypeQueries<'_>, function: &Function) -> bool {
    match queries.get(function.ty) {
        Type::Function(function) => matches!(
            function.representation,
            Representation::C | Representation::CxxMethod | Representation::ObjCMethod | Representation::Block
        ),
        _ => true,
    }
}
