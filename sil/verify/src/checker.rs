//! The tools of the rules: the function being verified, and one instruction of it with words for findings.

use sil_ir::context::{SilType, Type, TypeId, ValueCategory};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::views::View;
use sil_ir::model::{
    Body, Definition, Function, FunctionAttribute, FunctionFlag, Instruction, InstructionId, Module, Stage, Value,
};
use sil_ir::source::Span;
use sil_ir::types::{FunctionConventions, TypeProperties, TypeQueries};

use super::Verifier;
use super::failures::{BrokenRule, Complaint};
use super::instructions::BuiltinRules;
use super::linkage::LinkageRules;

/// The number of findings in one function after which no more are reported.
const LIMIT: usize = 50;

/// A function being verified.
pub(super) struct FunctionVerifier<'m> {
    pub module: &'m Module,
    pub queries: &'m TypeQueries<'m>,
    pub builtins: &'m BuiltinRules,
    pub linkage: LinkageRules,
    pub function: &'m Function,
    pub body: &'m Body,
    /// None for a type that is no function type.
    pub conventions: Option<FunctionConventions<'m>>,
    pub ownership: OwnershipForm,
    /// The findings, with the words of Swift's verifier for each if they are known.
    findings: Vec<(Diagnostic, Option<Complaint>)>,
}

/// Whether a function has ownership.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnershipForm {
    /// `[ossa]`
    Qualified,
    /// Retains and releases are instructions of their own.
    Lowered,
}

impl<'m> FunctionVerifier<'m> {
    pub fn new(verifier: &'m Verifier<'m>, function: &'m Function, body: &'m Body) -> Self {
        let Verifier { module, queries, builtins, linkage, .. } = verifier;
        let qualified = function.has(FunctionFlag::Ossa);
        let ownership = if qualified { OwnershipForm::Qualified } else { OwnershipForm::Lowered };
        let conventions = queries.conventions(function.ty);
        let linkage = *linkage;
        Self { module, queries, builtins, linkage, function, body, conventions, ownership, findings: Vec::new() }
    }

    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.findings.into_iter().map(|(diagnostic, _)| diagnostic).collect()
    }

    pub fn findings(&self) -> &[(Diagnostic, Option<Complaint>)] {
        &self.findings
    }

    pub fn finding_count(&self) -> usize {
        self.findings.len()
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.report_with(diagnostic, None);
    }

    /// Reports a finding that Swift's verifier has these words for.
    pub fn report_as(&mut self, complaint: Complaint, diagnostic: Diagnostic) {
        self.report_with(diagnostic, Some(complaint));
    }

    fn report_with(&mut self, diagnostic: Diagnostic, complaint: Option<Complaint>) {
        if self.findings.len() < LIMIT {
            self.findings.push((diagnostic.in_function(self.function.name), complaint));
        }
    }

    pub fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, message, span));
    }

    /// Runs rules that Swift's own verifier does not have: their findings are odd, and only a build refuses them.
    pub fn tolerantly(&mut self, rules: impl FnOnce(&mut Self)) {
        let before = self.findings.len();
        rules(self);
        for (diagnostic, complaint) in self.findings.split_off(before) {
            self.findings.push((super::uncompilable(diagnostic), complaint));
        }
    }

    /// Where a value comes from.
    pub fn definition_span(&self, value: Value) -> Option<Span> {
        match self.body.values[value].definition {
            Definition::Result { instruction, .. } => Some(self.body.instructions[instruction].span),
            Definition::Argument { block, .. } => self.body.blocks[block].span,
            Definition::Undef => None,
        }
    }

    /// Whether two types are the same in this function, as far as declarations show.
    pub fn same(&self, first: SilType, second: SilType) -> bool {
        match self.function.signature {
            Some(signature) => self.queries.agree_in(first, second, signature),
            None => first == second || self.queries.agree(first, second),
        }
    }

    /// Whether the function has `[_semantics "NAME"]`.
    pub fn has_semantics(&self, name: &str) -> bool {
        let context = &self.module.context;
        self.function.attributes.iter().any(|attribute| match attribute {
            FunctionAttribute::Semantics(found) => context.text(*found).trim_matches('"') == name,
            _ => false,
        })
    }

    pub fn show(&self, ty: SilType) -> String {
        super::show(self.queries, ty)
    }

    pub fn properties(&self, ty: TypeId) -> TypeProperties {
        self.queries.properties(ty, self.function.signature)
    }

    pub fn is_raw(&self) -> bool {
        self.module.stage == Stage::Raw
    }
}

/// An instruction being verified.
pub(super) struct Checker<'c, 'm> {
    pub scope: &'c mut FunctionVerifier<'m>,
    pub id: InstructionId,
    pub instruction: &'m Instruction,
    pub operands: &'m [Value],
}

impl<'c, 'm> Checker<'c, 'm> {
    pub fn new(scope: &'c mut FunctionVerifier<'m>, id: InstructionId) -> Self {
        let body = scope.body;
        Self { scope, id, instruction: &body.instructions[id], operands: body.operands(id) }
    }

    pub fn queries(&self) -> &'m TypeQueries<'m> {
        self.scope.queries
    }

    pub fn name(&self) -> &'static str {
        self.instruction.opcode.name()
    }

    /// The parts of the instruction, its operands by number. That each instruction has the parts of its kind is checked
    /// before its rules.
    pub fn view<V: View<'m, usize>>(&self) -> V {
        V::of_verified(self.scope.body, self.id)
    }

    /// Reports at the instruction.
    pub fn fail(&mut self, code: &'static str, message: impl Into<String>) {
        self.scope.fail(code, self.instruction.span, message);
    }

    /// The same with the words of Swift's verifier for it.
    pub fn fail_as(&mut self, broken: BrokenRule, code: &'static str, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(code, message, self.instruction.span);
        self.scope.report_as(Complaint::Rule { broken, at: self.id }, diagnostic);
    }

    /// Reports at the instruction, and shows where the operand comes from.
    pub fn fail_at_operand(&mut self, operand: usize, code: &'static str, message: impl Into<String>) {
        let diagnostic = self.about_operand(operand, code, message);
        self.scope.report(diagnostic);
    }

    /// The same with the words of Swift's verifier for it.
    pub fn fail_at_operand_as(
        &mut self,
        broken: BrokenRule,
        operand: usize,
        code: &'static str,
        message: impl Into<String>,
    ) {
        let diagnostic = self.about_operand(operand, code, message);
        self.scope.report_as(Complaint::Rule { broken, at: self.id }, diagnostic);
    }

    fn about_operand(&self, operand: usize, code: &'static str, message: impl Into<String>) -> Diagnostic {
        let definition = self.scope.definition_span(self.operands[operand]);
        let diagnostic = Diagnostic::error(code, message, self.instruction.span);
        let ty = self.scope.show(self.ty(operand));
        match definition {
            Some(span) => {
                diagnostic.note(format!("operand {} is defined here, with type `{ty}`", operand + 1), Some(span))
            }
            None => diagnostic,
        }
    }

    /// Whether there are exactly `count` operands; reports it if not.
    pub fn takes(&mut self, count: usize) -> bool {
        if self.operands.len() == count {
            return true;
        }
        let (name, found) = (self.name(), self.operands.len());
        self.fail("operand-count", format!("`{name}` takes {count} operands, not {found}"));
        false
    }

    pub fn ty(&self, operand: usize) -> SilType {
        self.scope.body.ty(self.operands[operand])
    }

    /// The type of an operand.
    pub fn operand(&self, operand: usize) -> &'m Type {
        self.queries().get(self.ty(operand).ty)
    }

    pub fn result(&self) -> Option<SilType> {
        self.scope.body.result(self.id).map(|value| self.scope.body.ty(value))
    }

    /// The instruction that makes an operand.
    pub fn maker(&self, operand: usize) -> Option<&'m Instruction> {
        let body = self.scope.body;
        body.defining(self.operands[operand]).map(|id| &body.instructions[id])
    }

    /// Runs rules that Swift's own verifier does not know.
    pub fn tolerantly(&mut self, rules: impl FnOnce(&mut Checker<'_, 'm>)) {
        let id = self.id;
        self.scope.tolerantly(|scope| rules(&mut Checker::new(scope, id)));
    }

    pub fn is_undef(&self, operand: usize) -> bool {
        self.scope.body.values[self.operands[operand]].definition == Definition::Undef
    }

    pub fn same(&self, first: SilType, second: SilType) -> bool {
        self.scope.same(first, second)
    }

    pub fn is_known(&self, ty: TypeId) -> bool {
        !self.queries().is_undeclared(ty)
    }

    /// The operand must be a value.
    pub fn object(&mut self, operand: usize) -> bool {
        let fits = !self.ty(operand).is_address();
        self.require_category(operand, fits, "a value, not an address")
    }

    /// The operand must be an address.
    pub fn address(&mut self, operand: usize) -> bool {
        let fits = self.ty(operand).is_address();
        self.require_category(operand, fits, "an address")
    }

    /// The operand must be a value or an address, by `category`.
    pub fn has_category(&mut self, operand: usize, category: ValueCategory) -> bool {
        match category {
            ValueCategory::Object => self.object(operand),
            ValueCategory::Address => self.address(operand),
        }
    }

    fn require_category(&mut self, operand: usize, fits: bool, wanted: &str) -> bool {
        if !fits {
            let message = format!("operand {} of `{}` must be {wanted}", operand + 1, self.name());
            self.fail_at_operand(operand, "operand-category", message);
        }
        fits
    }

    /// The operand must have this type.
    pub fn expect(&mut self, operand: usize, expected: SilType) -> bool {
        let found = self.ty(operand);
        if self.same(expected, found) {
            return true;
        }
        let (name, expected, found) = (self.name(), self.scope.show(expected), self.scope.show(found));
        let message = format!("operand {} of `{name}` must have type `{expected}`, not `{found}`", operand + 1);
        self.fail_at_operand(operand, "operand-type", message);
        false
    }

    /// The only result must have this type.
    pub fn expect_result(&mut self, expected: SilType) -> bool {
        let Some(found) = self.result() else {
            let name = self.name();
            self.fail("result-count", format!("`{name}` has one result"));
            return false;
        };
        if self.same(expected, found) {
            return true;
        }
        let (name, expected, found) = (self.name(), self.scope.show(expected), self.scope.show(found));
        self.fail("result-type", format!("the result of `{name}` must have type `{expected}`, not `{found}`"));
        false
    }

    /// The operand must satisfy a condition: `operand N of `x` must be WHAT, not `$T``.
    pub fn require_operand(&mut self, operand: usize, holds: bool, what: &str) -> bool {
        if holds || !self.is_known(self.ty(operand).ty) {
            return true;
        }
        let (name, found) = (self.name(), self.scope.show(self.ty(operand)));
        let message = format!("operand {} of `{name}` must be {what}, not `{found}`", operand + 1);
        self.fail_at_operand(operand, "operand-type", message);
        false
    }

    pub fn require(&mut self, holds: bool, code: &'static str, message: impl FnOnce() -> String) -> bool {
        if !holds {
            self.fail(code, message());
        }
        holds
    }
}
