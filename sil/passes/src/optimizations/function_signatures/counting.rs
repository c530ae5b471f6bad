//! Owned-to-guaranteed conversion: arguments with epilogue releases become guaranteed, and results with epilogue
//! retains become unowned. The retain or release moves to the caller, where it may pair with its counterpart.

use sil_analysis::{AliasAnalysis, AnalyzedModule, ApplySite, RcIdentity, Use};
use sil_ir::context::{ParameterConvention, ResultConvention};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, Copyability};

use super::{ArgumentPlan, Passing, ResultPlan, Signature};
use crate::knowledge::counting::Counting;
use crate::knowledge::epilogue_counting::epilogue_counting;
use crate::knowledge::epilogue_releases::{ArgumentMemory, EpilogueReleases, Exit, Owned};
use crate::knowledge::reference_questions::{self, Questions};
use crate::pass::Environment;

/// The semantics of functions whose owned arguments are kept.
const NEVER: &str = "optimize.sil.specialize.owned2guarantee.never";

impl Signature<'_> {
    /// Converts owned arguments to guaranteed and the result to unowned. Returns whether anything changes.
    pub(super) fn lend(&mut self) -> bool {
        let environment = self.environment();
        if environment.function.semantics(&environment.module.context).any(|name| name == NEVER) {
            return false;
        }
        self.find_retains();
        let is_lent = self.lend_arguments();
        self.remove_retains();
        is_lent || self.result != ResultPlan::AsBefore
    }

    fn find_retains(&mut self) {
        let results = &self.ty.results;
        let is_owned = results.len() == 1 && results[0].convention == ResultConvention::Owned;
        let retains = if is_owned { self.epilogue_retains() } else { Vec::new() };
        if !retains.is_empty() {
            self.result = ResultPlan::Unowned(retains);
        }
    }

    /// The epilogue retains of the result.
    fn epilogue_retains(&self) -> Vec<InstructionId> {
        let Environment { module, queries, settings, .. } = self.environment();
        let analyzed = AnalyzedModule::of_extent(module, queries, settings.extent);
        let view = self.editor.view();
        let (aliases, identities) = (AliasAnalysis::new(&analyzed, &view), RcIdentity::new(&view));
        let questions = Questions::new(self.editor.current(), &view, &aliases, &identities);
        let body: &Body = self.editor.body();
        let is_return = |id: &InstructionId| self.editor.opcode(*id) == Opcode::Return;
        let end = body.blocks.keys().filter_map(|block| body.terminator(block)).find(is_return);
        let returned = end.and_then(|end| body.operands(end).first().copied());
        returned.map_or_else(Vec::new, |returned| {
            epilogue_counting(&questions, reference_questions::Counting::Retain, returned)
        })
    }

    /// The epilogue releases of the owned arguments.
    pub(super) fn epilogue_releases(&self, exit: Exit) -> EpilogueReleases {
        let owned =
            |plan: &&ArgumentPlan| matches!(plan.convention, ParameterConvention::Owned | ParameterConvention::In);
        let arguments: Vec<Value> = self.arguments.iter().filter(owned).map(|plan| plan.argument).collect();
        let owned = Owned { arguments: &arguments, memory: ArgumentMemory::Considered };
        EpilogueReleases::find(&self.editor.view(), owned, exit)
    }

    fn remove_retains(&mut self) {
        let ResultPlan::Unowned(retains) = self.result.clone() else { return };
        for retain in retains {
            if self.editor.opcode(retain) != Opcode::Apply {
                self.editor.erase(retain);
                continue;
            }
            // The result of a recursive call is already retained. The caller of this function retains it again, so it
            // is released here.
            let body = self.editor.body();
            let Some(result) = body.result(retain) else { continue };
            let Some(end) = body.terminator(body.instructions[retain].block) else { continue };
            if let Some(release) = Counting::of(self.environment(), body.ty(result)).release() {
                self.editor.build(Place::Before(end), retain, |builder| {
                    builder.effect(release, result);
                });
            }
        }
    }

    fn lend_arguments(&mut self) -> bool {
        let returned = self.epilogue_releases(Exit::Return);
        let thrown = self.epilogue_releases(Exit::Throw);
        let mut is_lent = false;
        for index in 0..self.arguments.len() {
            let plan = &self.arguments[index];
            let argument = plan.argument;
            if !self.may_be_lent(index) {
                continue;
            }
            let releases = returned.complete(argument);
            let when_thrown = thrown.complete(argument);
            if releases.is_empty() || thrown.has_exit() && when_thrown.is_empty() {
                continue;
            }
            releases.iter().chain(when_thrown).for_each(|release| self.editor.erase(*release));
            self.arguments[index].passing = Passing::Lent;
            is_lent = true;
        }
        is_lent
    }

    /// Returns whether an argument is owned and not changed by the function.
    fn may_be_lent(&self, index: usize) -> bool {
        let environment = self.environment();
        let plan = &self.arguments[index];
        let properties = environment.queries.properties(plan.ty.ty, environment.function.signature);
        // The destroy of a noncopyable value may have been lowered to destroys of its parts. A release would repeat
        // them.
        plan.may_change(environment)
            && properties.copyability != Copyability::Noncopyable
            && matches!(plan.convention, ParameterConvention::Owned | ParameterConvention::In)
            && !(plan.ty.is_address() && self.is_written(plan.argument))
    }

    /// Returns whether the memory at an address may be overwritten or consumed before the function returns, except by a
    /// destroy.
    fn is_written(&self, address: Value) -> bool {
        self.editor.uses(address).into_iter().any(|found| !self.is_read(found))
    }

    fn is_read(&self, found: Use) -> bool {
        use Opcode::*;
        let body = self.editor.body();
        let attributes = body.instructions[found.user].attributes;
        match self.editor.opcode(found.user) {
            DebugValue | DestroyAddr | FixLifetime | IsUnique | WitnessMethod => true,
            Load => !attributes.contains(Attribute::Take),
            CopyAddr => found.operand == 0 && !attributes.contains(Attribute::Take),
            StructElementAddr | TupleElementAddr | UncheckedAddrCast | OpenExistentialAddr => {
                body.result(found.user).is_some_and(|part| !self.is_written(part))
            }
            Apply | TryApply => {
                let site = ApplySite::new(body, found.user);
                let conventions = site.and_then(|site| site.conventions(self.environment().queries));
                let argument = site
                    .zip(conventions)
                    .and_then(|(site, conventions)| site.argument_of_operand(conventions, found.operand as usize));
                argument.is_some_and(|argument| {
                    argument.convention == ArgumentConvention::Parameter(ParameterConvention::InGuaranteed)
                })
            }
            _ => false,
        }
    }
}
