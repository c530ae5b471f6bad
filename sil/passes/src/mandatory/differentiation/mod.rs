//! Automatic differentiation (lib/SILOptimizer/Mandatory/Differentiation.cpp; docs/DifferentiableProgramming.md):
//! creates the missing derivatives of differentiability witnesses, adds the missing derivatives and transposes to
//! `differentiable_function` and `linear_function` instructions, and diagnoses functions that cannot be differentiated.
//!
//! `activity` determines active values, `linear_maps` calls that take part, `checks` diagnoses them; `vjp` and
//! `pullback` generate code. Forward-mode derivatives trap, as Swift's do unless that mode is enabled. Unsupported
//! features are refused: control flow, memory, generic functions, and linear maps with addresses.

mod activity;
mod checks;
mod derivative_functions;
mod emitter;
mod invoker;
mod linear_maps;
mod lookup;
mod pullback;
mod references;
mod tangents;
mod thunks;
mod values;
mod vjp;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{Analyses, BodyView};
use sil_ir::context::{DerivativeKind, DifferentiabilityIndices, Name, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::DifferentiableFunction;
use sil_ir::model::{
    Body, Derivatives, DifferentiabilityWitness, Function, FunctionFlag, FunctionId, InstructionId, Linkage, Module,
    Ownership, Replacements, Serialization, Value,
};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use crate::Settings;
use crate::pass::settings::LinearTransposition;

use crate::pass::{Description, Gates, Pass, Runner};
use checks::Checker;
use derivative_functions::{empty_derivative, fatal_body, fatal_error, origin_of_function};
use emitter::Emitter;
use invoker::{Invoker, Location};
use linear_maps::LinearMaps;
use references::{DerivativeSource, References, after_conversions};
use thunks::Subset;

pub(crate) const DIFFERENTIATION: Pass = Pass::new(&Description {
    name: "differentiation",
    class_name: "Differentiation",
    summary: "Synthesises the derivatives of differentiable functions.",
    gates: Gates::OPEN,
    runner: Runner::Program(differentiate),
});

/// An instruction of a function.
type Site = (FunctionId, InstructionId);

/// Differentiates all requested functions of a module. After an error the module is unchanged.
pub(crate) fn differentiate(module: &mut Module, libraries: &Libraries<'_>, settings: &Settings) -> Vec<Diagnostic> {
    let is_open = |witness: &DifferentiabilityWitness| witness.derivatives.is_some();
    let open = open_functions(module);
    if open.is_empty() && !module.differentiability_witnesses.iter().any(is_open) {
        return Vec::new();
    }
    if !module.imports.iter().any(|import| module.context.text(import.module) == "_Differentiation") {
        let message = "Automatic differentiation requires the '_Differentiation' module to be imported";
        let span = open.first().map(|(function, id)| body_of(module, *function).instructions[*id].span);
        let span = span.or(module.differentiability_witnesses.first().map(|witness| witness.span));
        return span.map(|span| Diagnostic::error("not-differentiable", message, span)).into_iter().collect();
    }
    let external = external_witnesses(module, libraries);
    let before = (module.functions.clone(), module.function_names.clone(), module.differentiability_witnesses.clone());
    // The pass changes the module during queries, but not these parts.
    let declarations = std::mem::take(&mut module.declarations);
    let tables = std::mem::take(&mut module.witness_tables);
    let context = module.context.clone();
    let diagnostics = {
        let conformances = ConformanceTable::new(&context, &tables);
        let queries = TypeQueries::new(&context, &declarations, &conformances, module.mode, module.address_lowering);
        let declared = module.differentiability_witnesses.len();
        let mut pass = Differentiation {
            module: &mut *module,
            queries: &queries,
            external,
            declared,
            transposition: settings.linear_transposition,
            open,
            for_calls: FxHashSet::default(),
            made: Vec::new(),
            diagnostics: Vec::new(),
        };
        pass.run();
        let Differentiation { module, made, diagnostics, .. } = pass;
        module.give_own_scopes(made);
        diagnostics
    };
    module.declarations = declarations;
    module.witness_tables = tables;
    if !diagnostics.is_empty() {
        (module.functions, module.function_names, module.differentiability_witnesses) = before;
    }
    diagnostics
}

fn body_of(module: &Module, function: FunctionId) -> &Body {
    static NONE: std::sync::OnceLock<Body> = std::sync::OnceLock::new();
    module.functions[function].body.as_ref().unwrap_or_else(|| NONE.get_or_init(Body::default))
}

/// Returns the instructions that make functions differentiable or linear and lack derivatives.
fn open_functions(module: &Module) -> Vec<Site> {
    let bodies = module.functions.iter().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    let open = bodies.flat_map(|(function, body)| {
        let is_open = move |id: &InstructionId| {
            matches!(body.instructions[*id].opcode, Opcode::DifferentiableFunction | Opcode::LinearFunction)
                && body.operands(*id).len() == 1
        };
        body.placed_instructions().filter(is_open).map(move |id| (function, id))
    });
    open.collect()
}

/// Returns the witnesses of other modules for functions that the module only declares.
fn external_witnesses(
    module: &mut Module,
    libraries: &Libraries<'_>,
) -> FxHashMap<Name, Vec<DifferentiabilityWitness>> {
    let declared: Vec<Name> =
        module.functions.values().filter(|function| function.body.is_none()).map(|function| function.name).collect();
    let found = declared.into_iter().map(|name| (name, libraries.differentiability_witnesses(module, name)));
    found.filter(|(_, witnesses)| !witnesses.is_empty()).collect()
}

struct Differentiation<'p> {
    module: &'p mut Module,
    queries: &'p TypeQueries<'p>,
    /// The witnesses of other modules, by their original functions.
    external: FxHashMap<Name, Vec<DifferentiabilityWitness>>,
    /// The number of witnesses that the program declares.
    declared: usize,
    transposition: LinearTransposition,
    /// The instructions without derivatives, the last first.
    open: Vec<Site>,
    /// The instructions among them that the pass created.
    for_calls: FxHashSet<Site>,
    /// The created functions.
    made: Vec<FunctionId>,
    diagnostics: Vec<Diagnostic>,
}

impl Differentiation<'_> {
    fn run(&mut self) {
        for index in 0..self.declared {
            if self.module.differentiability_witnesses[index].derivatives.is_some() {
                let invoker = self.witness_invoker(index);
                let result = self.complete(index, invoker);
                self.note(result);
            }
        }
        let is_linear = |module: &Module, (function, id): Site| {
            body_of(module, function).instructions[id].opcode == Opcode::LinearFunction
        };
        let (linear, differentiable): (Vec<Site>, Vec<Site>) =
            std::mem::take(&mut self.open).into_iter().partition(|site| is_linear(self.module, *site));
        self.open = differentiable;
        while let Some(site) = self.open.pop() {
            let result = self.give_derivatives(site);
            self.note(result);
        }
        for site in linear.into_iter().rev() {
            let result = self.give_transpose(site);
            self.note(result);
        }
    }

    fn note(&mut self, result: Result<(), Box<Diagnostic>>) {
        if let Err(diagnostic) = result {
            self.diagnostics.push(*diagnostic);
        }
    }

    fn witness_invoker(&self, index: usize) -> Invoker {
        let witness = &self.module.differentiability_witnesses[index];
        let original = self.module.function_named(witness.configuration.original);
        Invoker::Witness(match original {
            Some(original) => Location::of_function(self.module, &self.module.functions[original]),
            None => Location { span: witness.span, place: None },
        })
    }

    fn unsupported_at(&self, (function, id): Site, what: &str) -> Box<Diagnostic> {
        let function = &self.module.functions[function];
        let at = match &function.body {
            Some(body) => Location::of_instruction(self.module, function, body, id),
            None => Location::of_function(self.module, function),
        };
        Box::new(Diagnostic::unsupported(what, at.span).in_source(at.place))
    }

    /// Creates the missing derivatives of a witness (`canonicalizeDifferentiabilityWitness`).
    fn complete(&mut self, index: usize, invoker: Invoker) -> Result<(), Box<Diagnostic>> {
        let witness = self.module.differentiability_witnesses[index].clone();
        let unsupported = |what: &str| Box::new(Diagnostic::unsupported(what, witness.span));
        let Some(original) = self.module.function_named(witness.configuration.original) else {
            return Err(unsupported("differentiating a function that is not declared"));
        };
        let no_type = || unsupported("the type of this derivative");
        let serialization = match self.module.functions[original].linkage {
            Linkage::HiddenExternal => Serialization::None,
            _ => self.module.functions[original].serialization,
        };
        let derivatives = witness.derivatives.clone().unwrap_or(Derivatives { jvp: None, vjp: None });
        if derivatives.jvp.is_none() {
            let made = self.forward_mode(original, &witness, serialization).ok_or_else(no_type)?;
            self.set_derivatives(index, |derivatives| derivatives.jvp = Some(made));
        }
        if derivatives.vjp.is_none() {
            let kind = (DerivativeKind::Vjp, serialization);
            let function = &self.module.functions[original];
            let empty = empty_derivative(self.queries, function, &witness, kind).ok_or_else(no_type)?;
            let made = (empty.name, empty.ty);
            self.set_derivatives(index, |derivatives| derivatives.vjp = Some(made));
            self.reverse_mode(original, &witness, (empty, invoker))?;
        }
        Ok(())
    }

    fn set_derivatives(&mut self, index: usize, set: impl FnOnce(&mut Derivatives)) {
        let derivatives = &mut self.module.differentiability_witnesses[index].derivatives;
        set(derivatives.get_or_insert(Derivatives { jvp: None, vjp: None }));
    }

    fn add(&mut self, function: Function) -> FunctionId {
        let id = self.module.add_function(function);
        self.made.push(id);
        id
    }

    /// Creates a forward-mode derivative that traps.
    fn forward_mode(
        &mut self,
        original: FunctionId,
        witness: &DifferentiabilityWitness,
        serialization: Serialization,
    ) -> Option<(Name, TypeId)> {
        let function = &self.module.functions[original];
        let mut derivative = empty_derivative(self.queries, function, witness, (DerivativeKind::Jvp, serialization))?;
        let fatal = fatal_error(self.queries, function)?;
        let origin = origin_of_function(self.module, function);
        derivative.body = Some(fatal_body(self.queries, &derivative, origin, &fatal)?);
        let made = (derivative.name, derivative.ty);
        self.add(derivative);
        if self.module.function_named(fatal.name).is_none() {
            self.module.add_function(fatal);
        }
        Some(made)
    }

    /// Creates the body of a reverse-mode derivative, and its pullback.
    fn reverse_mode(
        &mut self,
        original: FunctionId,
        witness: &DifferentiabilityWitness,
        (derivative, invoker): (Function, Invoker),
    ) -> Result<(), Box<Diagnostic>> {
        let function = &self.module.functions[original];
        let configuration = &witness.configuration;
        let body = function.body.as_ref().ok_or_else(|| {
            let at = Location::of_function(self.module, function);
            invoker.nondifferentiable(at, "missing return for differentiation")
        })?;
        let view = BodyView::new(self.module, self.queries, function, body);
        checks::control_flow(&view, invoker)?;
        let maps = LinearMaps::new(&view, &configuration.indices);
        let signature = configuration.signature.or(function.signature);
        Checker { maps: &maps, invoker, signature }.check()?;
        let made = match vjp::make(&maps, configuration, derivative) {
            Ok(made) => made,
            Err(refused) => {
                let callees = called(&maps);
                return Err(self.wrong_callee(original, callees).unwrap_or(refused));
            }
        };
        let derivative = self.add(made.derivative);
        self.open.extend(made.open.into_iter().map(|id| (derivative, id)));
        self.for_calls.extend(made.for_calls.into_iter().map(|id| (derivative, id)));
        self.add(made.pullback);
        Ok(())
    }

    /// Returns an error about the callees of a function that is not differentiated itself yet.
    fn wrong_callee(
        &mut self,
        original: FunctionId,
        callees: Vec<(Value, DifferentiabilityIndices)>,
    ) -> Option<Box<Diagnostic>> {
        let found = callees
            .into_iter()
            .filter_map(|(callee, indices)| self.source(original, callee, (&indices, Invoker::Call)).err());
        let mut found: Vec<Box<Diagnostic>> = found.filter(|found| !found.is_unsupported()).collect();
        let last = found.pop();
        self.diagnostics.extend(found.into_iter().map(|found| *found));
        last
    }

    /// Adds derivatives to a `differentiable_function` (`promoteToDifferentiableFunction`).
    fn give_derivatives(&mut self, site: Site) -> Result<(), Box<Diagnostic>> {
        let (function, id) = site;
        let body = body_of(self.module, function);
        let DifferentiableFunction { original, indices, .. } = DifferentiableFunction::of(body, id);
        let indices = indices.clone();
        if lookup::is_curried(self.queries, body, original) {
            return Err(self.unsupported_at(site, "derivatives of partially applied methods"));
        }
        let invoker = match self.for_calls.contains(&site) {
            true => Invoker::Call,
            false => {
                Invoker::Operator(Location::of_instruction(self.module, &self.module.functions[function], body, id))
            }
        };
        let (mut source, found) = self.source(function, original, (&indices, invoker))?;
        if found != indices {
            source = self.subset((site, original), (&indices, invoker), &source)?;
        }
        self.edit(site, |emitter, kinds, has_ownership| promote(emitter, (kinds, has_ownership), id, &source))
    }

    /// Creates derivatives with respect to fewer parameters than those of `source`.
    fn subset(
        &mut self,
        (site, original): (Site, Value),
        (indices, invoker): (&DifferentiabilityIndices, Invoker),
        source: &DerivativeSource,
    ) -> Result<DerivativeSource, Box<Diagnostic>> {
        let (module, queries) = (&*self.module, self.queries);
        let function = &module.functions[site.0];
        let body = body_of(module, site.0);
        let binding = after_conversions(body, original, Opcode::PartialApply);
        if binding.is_some_and(|closure| body.operands(closure).len() > 1) {
            let at = Location::of_value(module, function, body, original);
            let reason = "cannot convert a direct method reference to a '@differentiable' function; use an explicit closure instead";
            return Err(invoker.nondifferentiable(at, reason));
        }
        let thunks = match source {
            DerivativeSource::Witness(_, configuration) if configuration.indices.results == indices.results => {
                let subset = Subset {
                    configuration,
                    original: body.ty(original).ty,
                    indices,
                    serialization: function.serialization,
                    origin: origin_of_function(module, function),
                };
                let [jvp, vjp] = [DerivativeKind::Jvp, DerivativeKind::Vjp].map(|kind| subset.thunks(queries, kind));
                jvp.zip(vjp)
            }
            _ => None,
        };
        let Some((jvp, vjp)) = thunks else {
            return Err(self.unsupported_at(site, "derivatives by fewer parameters than this function has them by"));
        };
        let made = [&jvp, &vjp].map(|thunks| (thunks.derivative.name, thunks.derivative.ty));
        for function in [jvp.derivative, jvp.linear_map, vjp.derivative, vjp.linear_map] {
            if self.module.function_named(function.name).is_none() {
                self.add(function);
            }
        }
        Ok(DerivativeSource::Thunks(made))
    }

    /// Adds an undefined transpose to a `linear_function` (`promoteToLinearFunction`).
    fn give_transpose(&mut self, site: Site) -> Result<(), Box<Diagnostic>> {
        if self.transposition == LinearTransposition::Disabled {
            let function = &self.module.functions[site.0];
            let at = Location::of_instruction(self.module, function, body_of(self.module, site.0), site.1);
            let message = "conversion to '@differentiable(_linear)' function type is not yet supported";
            return Err(Box::new(Diagnostic::error("not-differentiable", message, at.span).in_source(at.place)));
        }
        self.edit(site, |emitter, kinds, _| {
            let DifferentiableFunction { original, indices, .. } = DifferentiableFunction::of(emitter.body, site.1);
            let indices = indices.clone();
            let Type::Function(function) = emitter.queries.get(emitter.ty(original).ty) else { return None };
            let transpose = emitter.queries.transpose_type(function, &indices, None)?;
            let transpose = emitter.body.undef(SilType::object(transpose));
            replace(emitter, kinds, site.1, &[transpose])
        })
    }

    /// Edits a function at an instruction.
    fn edit(
        &mut self,
        site: Site,
        change: impl FnOnce(&mut Emitter<'_, '_>, &dyn Fn(Value) -> Ownership, bool) -> Option<()>,
    ) -> Result<(), Box<Diagnostic>> {
        let (id, at) = site;
        let function = &mut self.module.functions[id];
        let Some(mut body) = function.body.take() else { return Ok(()) };
        let has_ownership = function.has(FunctionFlag::Ossa);
        let known: Vec<Ownership> = {
            let kinds = Analyses::default().ownership(self.queries, function, &body);
            body.values.keys().map(|value| kinds.kind(value)).collect()
        };
        let kinds = |value: Value| {
            let known = known.get(value.as_u32() as usize).copied().unwrap_or(Ownership::None);
            if has_ownership { known } else { Ownership::None }
        };
        let changed = change(&mut Emitter::before(self.queries, &mut body, at), &kinds, has_ownership);
        self.module.functions[id].body = Some(body);
        changed.ok_or_else(|| self.unsupported_at(site, "the derivatives of this function"))
    }
}

/// Returns the callees of the calls that take part, with their differentiability indices.
fn called(maps: &LinearMaps<'_, '_>) -> Vec<(Value, DifferentiabilityIndices)> {
    let order = maps.view.cfg.reverse_post_order();
    let instructions = order.iter().flat_map(|block| maps.view.body.instructions_in(*block));
    let calls = instructions.filter(|id| !checks::is_array_literal(maps.view, *id));
    calls
        .filter_map(|id| {
            let call = maps.differentiated_call(id)?;
            Some((call.callee()?, maps.call_indices(call)?))
        })
        .collect()
}

/// Adds derivatives from `source` to the `differentiable_function` `id`.
fn promote(
    emitter: &mut Emitter<'_, '_>,
    (ownership, has_ownership): (&dyn Fn(Value) -> Ownership, bool),
    id: InstructionId,
    source: &DerivativeSource,
) -> Option<()> {
    let DifferentiableFunction { original, indices, .. } = DifferentiableFunction::of(emitter.body, id);
    let indices = indices.clone();
    let queries = emitter.queries;
    let Type::Function(function) = queries.get(emitter.ty(original).ty) else { return None };
    let inner = Emitter::before(queries, emitter.body, id);
    let mut references = References { emitter: inner, has_ownership, ownership, buffers: Vec::new() };
    let mut derivatives = Vec::new();
    for kind in [DerivativeKind::Jvp, DerivativeKind::Vjp] {
        let derivative = references.derivative(source, kind, original)?;
        let wanted = queries.derivative_type(function, &indices, kind, None)?;
        if !queries.agree_types(references.emitter.ty(derivative).ty, wanted) {
            return None;
        }
        derivatives.push(derivative);
    }
    let References { buffers, .. } = references;
    for buffer in buffers.into_iter().rev() {
        emitter.at().dealloc_stack(buffer);
    }
    replace(emitter, ownership, id, &derivatives)
}

/// Replaces an instruction by one with `derivatives`.
fn replace(
    emitter: &mut Emitter<'_, '_>,
    ownership: &dyn Fn(Value) -> Ownership,
    id: InstructionId,
    derivatives: &[Value],
) -> Option<()> {
    let original = *emitter.body.operands(id).first()?;
    let result = emitter.body.result(id)?;
    let is_owned = ownership(original) != Ownership::None;
    let copy = if is_owned { emitter.copy(original) } else { original };
    let operands: Vec<Value> = std::iter::once(copy).chain(derivatives.iter().copied()).collect();
    let made = emitter.at().again(id, &operands);
    let made = emitter.body.result(made)?;
    if is_owned {
        emitter.destroy(original);
    }
    let mut replacements = Replacements::default();
    replacements.replace(result, made);
    emitter.body.replace_values(&replacements);
    emitter.body.erase(id);
    Some(())
}
