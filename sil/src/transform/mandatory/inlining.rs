//! Mandatory inlining: calls of `[transparent]` functions become their bodies (lib/SILOptimizer/Mandatory/MandatoryInlining.cpp).
//!
//! What is inlined is looked through for calls again, with the functions in mind that it came from: a function that calls itself through
//! transparent ones alone is an error. Coroutines, closures over captured values and methods that are looked up stay calls.

use std::sync::Arc;

use super::ownership_lowering;
use crate::context::{Representation, Type};
use crate::diagnostic::Diagnostic;
use crate::instructions::Opcode;
use crate::model::views::{self, Unary};
use crate::model::{Body, Function, FunctionFlag, InstructionId, Serialization, Value};
use crate::transform::analyses::Change;
use crate::transform::editing::block_merging::merge_blocks;
use crate::transform::editing::inlining::{CallSite, Callee, Chain, Inliner};
use crate::transform::editing::unused::remove_unused;
use crate::transform::pipeline::{Environment, Rewrite};

/// Inlines what must be inlined into a function.
pub(in crate::transform) fn inline(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { queries, function, body, .. } = environment;
    let kept = [FunctionFlag::Thunk, FunctionFlag::ReabstractionThunk, FunctionFlag::SignatureOptimizedThunk];
    if kept.iter().any(|flag| function.has(*flag)) || function.has(FunctionFlag::Canonical) {
        return Ok(None);
    }
    let mut pass =
        MandatoryInlining { environment, inliner: Inliner::new(queries, function, body), called: Vec::new() };
    let outer = Arc::new(Chain::new(function.name));
    let mut open: Vec<(InstructionId, Arc<Chain>)> = body.placed_instructions().map(|id| (id, outer.clone())).collect();
    while let Some((id, chain)) = open.pop() {
        if let Some(Inlined { made, chain }) = pass.visit(id, &chain)? {
            open.extend(made.into_iter().map(|id| (id, chain.clone())));
        }
    }
    if pass.called.is_empty() {
        return Ok(None);
    }
    let called = std::mem::take(&mut pass.called);
    let mut body = pass.inliner.finish();
    remove_unused(&mut body, called);
    merge_blocks(&mut body);
    Ok(Some(Rewrite::new(function, body, Change::Blocks)))
}

/// The instructions that an inlined call became, and where they are from.
struct Inlined {
    made: Vec<InstructionId>,
    chain: Arc<Chain>,
}

struct MandatoryInlining<'m> {
    environment: Environment<'m>,
    inliner: Inliner<'m>,
    /// What inlined calls called.
    called: Vec<Value>,
}

impl<'m> MandatoryInlining<'m> {
    /// Inlines a call, if it must be inlined, and gives the instructions that were made.
    fn visit(&mut self, id: InstructionId, chain: &Arc<Chain>) -> Result<Option<Inlined>, Box<Diagnostic>> {
        let Some((site, called, callee)) = self.transparent_call(id) else { return Ok(None) };
        let span = self.inliner.body.instructions[id].span;
        if chain.contains(callee.name) {
            let message = "inlining 'transparent' functions forms circular loop";
            let error = Diagnostic::error("circular-inlining", message, span);
            let error = chain.calls().fold(error, |error, call| error.note("while inlining here", Some(call)));
            return Err(Box::new(error));
        }
        let Some(callee_body) = &callee.body else { return Ok(None) };
        let lowered = self.without_ownership(callee, callee_body)?;
        let (callee, callee_body) = match &lowered {
            Some((function, body)) => (function, body),
            None => (callee, callee_body),
        };
        let made = self.inliner.inline(&site, Callee { function: callee, body: callee_body });
        self.called.push(called);
        Ok(Some(Inlined { made, chain: Arc::new(chain.with(callee.name, span)) }))
    }

    /// The call that an instruction is, what it calls, and the transparent function that this is.
    fn transparent_call(&self, id: InstructionId) -> Option<(CallSite, Value, &'m Function)> {
        let body = &self.inliner.body;
        let (callee, arguments, apply) = match body.instructions[id].opcode {
            Opcode::Apply => {
                let views::Apply { callee, arguments, apply } = views::Apply::of(body, id);
                (callee, arguments, apply)
            }
            Opcode::TryApply => {
                let views::TryApply { callee, arguments, apply, .. } = views::TryApply::of(body, id);
                (callee, arguments, apply)
            }
            _ => return None,
        };
        let function = self.referenced(callee)?;
        let site = CallSite { call: id, arguments: arguments.to_vec(), substitutions: apply.substitutions };
        self.is_inlined(function).then_some((site, callee, function))
    }

    /// The function that a value refers to, behind copies, borrows and a conversion to a thick function.
    fn referenced(&self, callee: Value) -> Option<&'m Function> {
        let body = &self.inliner.body;
        let mut value = self.inliner.resolve(callee);
        loop {
            let id = body.defining(value)?;
            match body.instructions[id].opcode {
                Opcode::CopyValue | Opcode::BeginBorrow | Opcode::MoveValue | Opcode::ThinToThickFunction => {
                    value = self.inliner.resolve(Unary::of(body, id).operand);
                }
                Opcode::FunctionRef => {
                    let module = self.environment.module;
                    return module
                        .function_named(views::FunctionRef::of(body, id).function)
                        .map(|id| &module.functions[id]);
                }
                _ => return None,
            }
        }
    }

    fn is_inlined(&self, callee: &Function) -> bool {
        let caller = self.environment.function;
        let representation = match self.environment.queries.get(callee.ty) {
            Type::Function(function) => function.representation,
            _ => return false,
        };
        let is_foreign = matches!(
            representation,
            Representation::C | Representation::CxxMethod | Representation::ObjCMethod | Representation::Block
        );
        // What clients may see the body of can only have in it what they may see.
        let is_visible = caller.serialization == Serialization::None || callee.serialization != Serialization::None;
        let has_ownership = callee.has(FunctionFlag::Ossa) || !caller.has(FunctionFlag::Ossa);
        callee.has(FunctionFlag::Transparent) && callee.body.is_some() && !is_foreign && is_visible && has_ownership
    }

    /// The callee without ownership, where it has ownership and the caller has not.
    fn without_ownership(&self, callee: &Function, body: &Body) -> Result<Option<(Function, Body)>, Box<Diagnostic>> {
        if self.environment.function.has(FunctionFlag::Ossa) || !callee.has(FunctionFlag::Ossa) {
            return Ok(None);
        }
        let analyses = crate::transform::analyses::Analyses::default();
        let environment = Environment { function: callee, body, analyses: &analyses, ..self.environment };
        let Some(rewrite) = ownership_lowering::lower(environment)? else { return Ok(None) };
        Ok(Some((Function { attributes: rewrite.attributes, body: None, ..callee.clone() }, rewrite.body)))
    }
}
