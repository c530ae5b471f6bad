//! Rules about functions and globals as a whole: linkage and bodies, static initializers.

use sil_ir::context::{CoroutineKind, FunctionAttribute as TypeAttribute, Representation, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Function, FunctionAttribute, Global, InstructionId, Linkage, Module, Serialization, Stage};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use super::linkage::{self, LinkageRules};
use super::show;

/// All findings outside of function bodies.
pub(super) fn verify(module: &Module, queries: &TypeQueries<'_>, linkage: LinkageRules) -> Vec<Diagnostic> {
    let is_marked = |function: &Function| function.serialization != Serialization::None;
    let is_serialized = !module.functions.values().any(is_marked);
    let mut verifier = EntityVerifier { module, queries, linkage, is_serialized, diagnostics: Vec::new() };
    for function in module.functions.values() {
        verifier.function(function);
    }
    for global in module.globals.values() {
        verifier.global(global);
    }
    verifier.diagnostics
}

struct EntityVerifier<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    linkage: LinkageRules,
    /// Whether the module was serialized: nothing in it is marked so any more
    /// (lib/SILOptimizer/UtilityPasses/SerializeSILPass.cpp).
    is_serialized: bool,
    diagnostics: Vec<Diagnostic>,
}

impl EntityVerifier<'_> {
    fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, message, span));
    }

    fn function(&mut self, function: &Function) {
        let name = self.module.context.text(function.name);
        if let Some(global) = self.module.global_named(function.name) {
            let message = format!("`@{name}` is a function and a global");
            let diagnostic = Diagnostic::error("duplicate-symbol", message, function.span);
            let place = self.module.globals[global].span;
            self.diagnostics.push(diagnostic.note("the global is declared here", Some(place)));
        }
        self.function_type(function);
        self.named_functions(function);
        let foreign = linkage::is_foreign(function);
        let serialized = function.serialization != Serialization::None;
        let embedded = self.linkage == LinkageRules::Embedded;
        match (&function.body, function.linkage) {
            (None, Linkage::PublicNonAbi | Linkage::PackageNonAbi) => {
                self.fail(
                    "missing-body",
                    function.span,
                    format!("`@{name}` needs a body: its linkage makes every user emit it"),
                );
            }
            (None, Linkage::Hidden | Linkage::Private) if !foreign && self.module.stage != Stage::Raw => {
                self.fail(
                    "missing-body",
                    function.span,
                    format!("`@{name}` needs a body: its linkage says that it is defined here"),
                );
            }
            (None, Linkage::Shared) if !foreign && !embedded => {
                self.fail(
                    "missing-body",
                    function.span,
                    format!("`@{name}` needs a body: every module that uses a shared function has its own"),
                );
            }
            (Some(_), Linkage::PublicNonAbi | Linkage::PackageNonAbi)
                if !serialized && !embedded && !self.is_serialized && self.module.stage == Stage::Raw =>
            {
                self.fail(
                    "unserialized",
                    function.span,
                    format!("`@{name}` must be serialized: its linkage makes every user emit it"),
                );
            }
            (Some(_), Linkage::Private | Linkage::Hidden) if serialized && !embedded => {
                self.fail(
                    "serialized-private",
                    function.span,
                    format!("`@{name}` cannot be serialized: others cannot see it"),
                );
            }
            (Some(_), Linkage::HiddenExternal) if !embedded && !serialized => {
                self.fail(
                    "external-body",
                    function.span,
                    format!("`@{name}` belongs to another file of its module and cannot have a body"),
                );
            }
            _ => {}
        }
    }

    /// The functions that attributes name must be there.
    fn named_functions(&mut self, function: &Function) {
        for attribute in &function.attributes {
            let (text, named) = match attribute {
                FunctionAttribute::DynamicReplacementFor(named) => ("dynamic_replacement_for", *named),
                FunctionAttribute::AdHocRequirementWitness(named) => ("ref_adhoc_requirement_witness", *named),
                _ => continue,
            };
            if self.module.function_named(named).is_none() {
                let named = self.module.context.text(named);
                let message = format!("`[{text}]` names `@{named}`, which the module does not declare");
                self.fail("unknown-function", function.span, message);
            }
        }
    }

    /// The possible types of a lowered function.
    fn function_type(&mut self, function: &Function) {
        let Type::Function(ty) = self.queries.get(function.ty) else { return };
        let thick = ty.representation == Representation::Thick;
        if !ty.yields.is_empty() && ty.coroutine == CoroutineKind::None {
            self.fail("function-type", function.span, "only a coroutine, such as a `@yield_once` one, can yield");
        }
        if ty.attributes.contains(TypeAttribute::IsolatedAny) && !thick {
            self.fail("function-type", function.span, "only a thick function can be `@isolated(any)`");
        }
        let parameters = ty.parameters.iter().map(|parameter| parameter.ty);
        let mut passed = parameters.chain(ty.results.iter().map(|result| result.ty));
        let formal = |ty: TypeId| matches!(self.queries.get(ty), Type::Metatype { representation: None, .. });
        if passed.any(formal) {
            let message = "a metatype that is passed must say `@thin`, `@thick` or `@objc_metatype`";
            self.fail("function-type", function.span, message);
        }
    }

    fn global(&mut self, global: &Global) {
        let Some(body) = &global.initializer else { return };
        let Some(last) = body.instructions.keys().next_back() else { return };
        let name = self.module.context.text(global.name);
        for instruction in body.instructions.values() {
            if instruction.opcode.information().position == sil_ir::instructions::Position::Terminator {
                let message = format!(
                    "the static initializer of `@{name}` is a list of values, without `{}`",
                    instruction.opcode.name()
                );
                self.fail("static-initializer", instruction.span, message);
            }
        }
        self.initializer_values(name, body);
        let value = body.result(last);
        let elements = matches!(body.instructions[last].opcode, Opcode::Object | Opcode::Vector);
        if let Some(ty) = value.map(|value| body.ty(value))
            && !ty.is_address()
            && !elements
            && !self.initializes(ty.ty, global.ty)
        {
            let expected = show(self.queries, SilType::object(global.ty));
            let found = show(self.queries, ty);
            let message = format!(
                "the static initializer of `@{name}` must end with a value of type `{expected}`, not `{found}`"
            );
            let diagnostic = Diagnostic::error("static-initializer", message, body.instructions[last].span);
            self.diagnostics.push(super::uncompilable(diagnostic));
        }
    }

    /// Every value but the last serves another one; objects and vectors only stand last.
    fn initializer_values(&mut self, name: &str, body: &Body) {
        let mut used = vec![false; body.values.len()];
        for id in body.instructions.keys() {
            for operand in body.operands(id) {
                used[operand.as_u32() as usize] = true;
            }
        }
        let last = body.instructions.keys().next_back();
        for (id, instruction) in body.instructions.iter() {
            let opcode = instruction.opcode;
            let is_used = body.results(id).any(|value| used[value.as_u32() as usize]);
            let message = match (Some(id) == last, opcode) {
                (_, opcode) if runs(opcode) => {
                    format!(
                        "`{}` cannot stand in the static initializer of `@{name}`: it would have to run",
                        opcode.name()
                    )
                }
                (true, _) if is_used => {
                    format!("the last value of the static initializer of `@{name}` has another use")
                }
                (true, Opcode::Vector) if !self.is_vector(body, id) => {
                    format!("the elements of the vector that initializes `@{name}` must have one type")
                }
                (false, Opcode::Object) => {
                    format!("only the last value of the static initializer of `@{name}` may be an `object`")
                }
                (false, _) if !is_used => {
                    format!("`{}` in the static initializer of `@{name}` has no use", opcode.name())
                }
                _ => continue,
            };
            self.fail("static-initializer", instruction.span, message);
        }
    }

    /// Whether a value of type `value` can initialise a global of type `global`: one with the layout of its raw storage
    /// also can.
    fn initializes(&self, value: TypeId, global: TypeId) -> bool {
        let is = |ty| self.queries.agree_types(value, ty);
        is(global) || self.queries.raw_layout_like(global).is_some_and(is)
    }

    fn is_vector(&self, body: &Body, vector: InstructionId) -> bool {
        let operands = body.operands(vector);
        operands.iter().all(|element| self.queries.agree(body.ty(*element), body.ty(operands[0])))
    }
}

/// Whether an instruction does something beyond giving a value.
fn runs(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Apply
            | BeginApply
            | PartialApply
            | AllocStack
            | AllocBox
            | AllocRef
            | Store
            | CopyAddr
            | DestroyAddr
            | CondFail
    )
}
