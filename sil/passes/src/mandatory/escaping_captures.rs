//! Diagnoses escaping captures: escaping closures must not capture `inout` parameters or non-escaping functions, and
//! non-escaping functions must not be passed to one another
//! (lib/SILOptimizer/Mandatory/DiagnoseInvalidEscapingCaptures.cpp).

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, Change, Use, Uses, Worklist, callee_origin};
use sil_ir::context::{FunctionAttribute, Name, ParameterConvention, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::DebugValue;
use sil_ir::model::{
    self, ArgumentFlag, Body, Definition, Function, FunctionFlag, FunctionId, InstructionId, SourcePlace, Value,
};
use sil_ir::parallel;
use sil_ir::symbols::{EntityKind, EntityPlace, Symbol};
use sil_ir::types::ArgumentConvention;

use super::noncopyable::UNCHECKED;
use crate::messages::findings::{error_at, note_at, source_place};
use crate::pass::settings::Settings;
use crate::pass::{Description, Environment, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const INVALID_ESCAPING_CAPTURES: Pass = Pass::new(&Description {
    name: "diagnose-invalid-escaping-captures",
    class_name: "DiagnoseInvalidEscapingCaptures",
    summary: "Diagnoses escaping closures that capture values which must not escape.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(diagnose),
});

/// Diagnoses the closures and calls of all functions. Noncopyable values of faulty closures are not checked later.
pub(crate) fn diagnose(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, analyses, .. } = environment;
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let found = parallel::map(&functions, |id| {
        let function = &module.functions[*id];
        let body = function.body.as_ref().filter(|_| environment.admits(*id))?;
        Some(found(Environment {
            module,
            queries,
            function,
            body,
            analyses: &analyses[*id],
            of_module: Some(analyses),
            settings: &Settings::default(),
        }))
    });
    let called = found.iter().flatten().flat_map(|found| &found.closures);
    let closures: FxHashSet<FunctionId> = called.filter_map(|name| module.function_named(*name)).collect();
    let mut rewrites = Rewrites::new();
    for (id, found) in functions.into_iter().zip(found) {
        let function = &module.functions[id];
        let diagnostics = found.map(|found| found.diagnostics).unwrap_or_default();
        let Some(body) = function.body.as_ref().filter(|_| !diagnostics.is_empty() || closures.contains(&id)) else {
            continue;
        };
        let mut rewrite = Rewrite { diagnostics, ..Rewrite::new(function, body.clone(), Change::Instructions) };
        if closures.contains(&id) {
            rewrite.attributes.push(model::FunctionAttribute::Semantics(queries.context.name(UNCHECKED)));
        }
        rewrites.push((id, Ok(rewrite)));
    }
    rewrites
}

/// The findings in a function.
struct Found {
    diagnostics: Vec<Diagnostic>,
    /// The functions of closures that must not escape.
    closures: Vec<Name>,
}

fn found(environment: Environment<'_>) -> Found {
    let Environment { body, analyses, .. } = environment;
    let captures = Captures { environment, uses: analyses.uses(body) };
    let mut found = Found { diagnostics: Vec::new(), closures: Vec::new() };
    for id in body.placed_instructions() {
        match body.instructions[id].opcode {
            Opcode::PartialApply => {
                let wrong = captures.closure(id);
                if !wrong.is_empty() {
                    found.closures.extend(ApplySite::new(body, id).and_then(ApplySite::called_function));
                }
                found.diagnostics.extend(wrong);
            }
            Opcode::Apply | Opcode::TryApply => found.diagnostics.extend(captures.call(id)),
            _ => {}
        }
    }
    found
}

struct Captures<'m> {
    environment: Environment<'m>,
    uses: &'m Uses,
}

/// The kind of a capture that must not escape.
enum Capture {
    InOut,
    NoEscape,
}

impl<'m> Captures<'m> {
    fn body(&self) -> &'m Body {
        self.environment.body
    }

    fn called(&self, id: InstructionId) -> Option<&'m Function> {
        let module = self.environment.module;
        let name = ApplySite::new(self.body(), id)?.called_function()?;
        module.function_named(name).map(|id| &module.functions[id])
    }

    /// Returns the diagnostics for the captures of a closure.
    fn closure(&self, id: InstructionId) -> Vec<Diagnostic> {
        let captures = match self.is_thunk_of_closure(id) {
            true => Vec::new(),
            false => self.captures(id),
        };
        if captures.is_empty() || !self.escapes(id) {
            return Vec::new();
        }
        let kind = self.kind(id);
        captures.into_iter().map(|(value, capture)| self.message(id, kind, value, &capture)).collect()
    }

    fn message(&self, id: InstructionId, kind: &str, value: Value, capture: &Capture) -> Diagnostic {
        let body = self.body();
        let error = |text: String| error_at(body, id, "escaping-capture", format!("escaping {kind} captures {text}"));
        let parameter = self.parameter(value);
        match (capture, parameter) {
            (Capture::InOut, Some((name, declared))) if name != "self" => note_at(
                error(format!("'inout' parameter '{name}'")),
                body,
                declared,
                format!("parameter '{name}' is declared 'inout'"),
            ),
            (Capture::InOut, _) => error("mutating 'self' parameter".into()),
            (Capture::NoEscape, Some((name, declared))) => note_at(
                error(format!("non-escaping parameter '{name}'")),
                body,
                declared,
                format!("parameter '{name}' is implicitly non-escaping"),
            ),
            (Capture::NoEscape, None) => error("non-escaping value".into()),
        }
    }

    /// Returns the captures of a closure that must not escape, `inout` captures first.
    fn captures(&self, id: InstructionId) -> Vec<(Value, Capture)> {
        let body = self.body();
        let Some(site) = ApplySite::new(body, id) else { return Vec::new() };
        let conventions = site.conventions(self.environment.queries);
        let arguments = || site.arguments().iter().copied().enumerate();
        let is_inout = |number: usize| {
            let argument = conventions.and_then(|found| site.argument_of_operand(found, number + 1));
            argument.is_some_and(|argument| {
                argument.convention == ArgumentConvention::Parameter(ParameterConvention::InOutAliasable)
            })
        };
        let changed = arguments().filter(|(number, _)| is_inout(*number)).map(|(_, value)| (value, Capture::InOut));
        let functions = arguments()
            .filter(|(_, value)| self.has_noescape_function(body.ty(*value).ty, NESTING))
            .map(|(_, value)| (value, Capture::NoEscape));
        changed.chain(functions).collect()
    }

    fn has_noescape_function(&self, ty: TypeId, depth: u32) -> bool {
        let queries = self.environment.queries;
        match (queries.get(ty), depth.checked_sub(1)) {
            (Type::Function(function), _) => function.attributes.contains(FunctionAttribute::NoEscape),
            (Type::Tuple(elements), Some(depth)) => {
                elements.iter().any(|element| self.has_noescape_function(element.ty, depth))
            }
            (Type::Box(_), Some(depth)) => {
                queries.box_field_type(ty, 0).is_some_and(|field| self.has_noescape_function(field, depth))
            }
            (Type::Nominal(_), Some(depth)) => {
                queries.optional_object(ty).is_some_and(|payload| self.has_noescape_function(payload, depth))
            }
            _ => false,
        }
    }

    fn kind(&self, id: InstructionId) -> &'static str {
        let context = &self.environment.module.context;
        let name = ApplySite::new(self.body(), id).and_then(ApplySite::called_function);
        let entity = name.and_then(|name| Symbol::demangle(context.text(name))?.entity());
        match entity {
            Some(entity) if entity.kind == EntityKind::ImplicitClosure => "autoclosure",
            Some(entity) if entity.kind != EntityKind::Closure && entity.place == EntityPlace::Local => {
                "local function"
            }
            _ => "closure",
        }
    }

    /// Returns whether a closure is a reabstraction thunk of another one.
    fn is_thunk_of_closure(&self, id: InstructionId) -> bool {
        let body = self.body();
        let [_, argument] = body.operands(id) else { return false };
        let is_function = matches!(self.environment.queries.get(body.ty(*argument).ty), Type::Function(_));
        is_function && self.called(id).is_some_and(|callee| callee.has(FunctionFlag::ReabstractionThunk))
    }

    /// Returns whether a closure may escape.
    fn escapes(&self, closure: InstructionId) -> bool {
        let body = self.body();
        let mut open = Worklist::new(body.results(closure));
        while let Some(value) = open.pop() {
            for found in self.uses.of(value) {
                match self.flow(*found) {
                    Flow::Ends => {}
                    Flow::Into(values) => open.extend(values),
                    Flow::Escapes => return true,
                }
            }
        }
        false
    }

    fn flow(&self, found: Use) -> Flow {
        use Opcode::*;
        let body = self.body();
        let instruction = &body.instructions[found.user];
        let results = || Flow::Into(body.results(found.user).collect());
        match instruction.opcode {
            ConvertEscapeToNoescape | CopyBlockWithoutEscaping | DeallocStack => Flow::Ends,
            DebugValue | FixLifetime | EndBorrow | EndLifetime | IgnoredUse | DestroyValue | ExtendLifetime
            | StrongRelease | StrongRetain | ReleaseValue | RetainValue => Flow::Ends,
            ConvertFunction if instruction.attributes.contains(Attribute::WithoutActuallyEscaping) => Flow::Ends,
            CopyValue | BeginBorrow | MoveValue | ConvertFunction | MarkDependence | CopyBlock | Upcast
            | UncheckedRefCast
                if found.operand == 0 =>
            {
                results()
            }
            MarkDependence => Flow::Ends,
            Enum | DifferentiableFunction => results(),
            Br => {
                let target = body.targets(found.user).first();
                let argument = target.and_then(|block| body.blocks[*block].arguments.get(found.operand as usize));
                Flow::Into(argument.copied().into_iter().collect())
            }
            Store if found.operand == 0 => self.stored(found.user),
            PartialApply if found.operand == 0 => results(),
            PartialApply if self.is_thunk_of_closure(found.user) => match self.called(found.user) {
                Some(thunk) if thunk.has(FunctionFlag::WithoutActuallyEscaping) => Flow::Ends,
                Some(_) => results(),
                None => Flow::Escapes,
            },
            _ => Flow::Escapes,
        }
    }

    /// Returns the blocks made from the storage that a store writes to.
    fn stored(&self, store: InstructionId) -> Flow {
        let body = self.body();
        let storage = body.defining(body.operands(store)[1]);
        let storage = storage.filter(|id| body.instructions[*id].opcode == Opcode::ProjectBlockStorage);
        let Some(storage) = storage else { return Flow::Escapes };
        let made = self.uses.of(body.operands(storage)[0]).iter();
        let headers = made.filter(|found| body.instructions[found.user].opcode == Opcode::InitBlockStorageHeader);
        Flow::Into(headers.flat_map(|found| body.results(found.user)).collect())
    }

    /// Returns the name of the parameter of a value, and its declaring instruction.
    fn parameter(&self, value: Value) -> Option<(String, InstructionId)> {
        let body = self.body();
        let mut path = vec![value];
        let mut value = value;
        while let Some(id) = body.defining(value) {
            match body.instructions[id].opcode {
                Opcode::MarkUnresolvedNonCopyableValue | Opcode::CopyValue => value = body.operands(id)[0],
                _ => return None,
            }
            path.push(value);
        }
        if !matches!(body.values[value].definition, Definition::Argument { block, .. } if block == body.entry()) {
            return None;
        }
        let (name, declared) = path.iter().rev().flat_map(|value| self.uses.of(*value)).find_map(|found| {
            let variable = DebugValue::get(body, found.user)?.variable?;
            Some((variable.name?, found.user))
        })?;
        let place = source_place(body, declared);
        let is_capture = body.values[value].flags.contains(ArgumentFlag::ClosureCapture);
        let is_variable = is_capture && place.is_some_and(|place| !self.is_parameter_of_another(name, place));
        let is_function = self.has_noescape_function(body.ty(value).ty, NESTING);
        let name = self.environment.module.context.text(name).to_owned();
        (!is_function || !is_variable).then_some((name, declared))
    }

    /// Returns whether a captured variable is a parameter of the enclosing function, by its declared place.
    fn is_parameter_of_another(&self, name: Name, place: SourcePlace) -> bool {
        let bodies = self.environment.module.functions.values().filter_map(|function| function.body.as_ref());
        let declares = |body: &Body, id: InstructionId| {
            let declared = DebugValue::get(body, id).filter(|_| source_place(body, id) == Some(place));
            declared.and_then(|found| found.variable).is_some_and(|variable| variable.name == Some(name))
        };
        let is_own = |body: &Body, id: InstructionId| {
            let described = body.operands(id).first().map(|value| lent(body, *value));
            described.is_some_and(|value| {
                let value = &body.values[value];
                let is_argument =
                    matches!(value.definition, Definition::Argument { block, .. } if block == body.entry());
                is_argument && !value.flags.contains(ArgumentFlag::ClosureCapture)
            })
        };
        bodies.into_iter().any(|body| body.placed_instructions().any(|id| declares(body, id) && is_own(body, id)))
    }

    /// Returns the diagnostic for the arguments of a call of a non-escaping parameter.
    fn call(&self, id: InstructionId) -> Option<Diagnostic> {
        let body = self.body();
        let site = ApplySite::new(body, id)?;
        self.noescape_parameter(callee_origin(body, site.callee()?))?;
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut open: Vec<(Value, &str)> = site.arguments().iter().map(|value| (*value, "")).collect();
        while let Some((value, how)) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if let Some(name) = self.noescape_parameter(value) {
                let message = format!(
                    "passing a {how}non-escaping function parameter '{name}' to a call to a non-escaping function parameter can \
                     allow re-entrant modification of a variable"
                );
                return Some(error_at(body, id, "noescape-parameter-call", message));
            }
            let Some(made) = body.defining(value) else { continue };
            match body.instructions[made].opcode {
                Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => open.push((body.operands(made)[0], "")),
                Opcode::CopyValue => open.push((body.operands(made)[0], how)),
                Opcode::PartialApply => {
                    let captured = body.operands(made).iter().skip(1);
                    open.extend(captured.map(|value| (*value, "closure which captures a ")));
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the name of the parameter if a value is a non-escaping function parameter.
    fn noescape_parameter(&self, value: Value) -> Option<String> {
        let is_noescape = self.has_noescape_function(self.body().ty(value).ty, NESTING);
        self.parameter(value).filter(|_| is_noescape).map(|(name, _)| name)
    }
}

/// Returns the value, looking through copies and marks.
fn lent(body: &Body, mut value: Value) -> Value {
    while let Some(id) = body.defining(value)
        && matches!(body.instructions[id].opcode, Opcode::MarkUnresolvedNonCopyableValue | Opcode::CopyValue)
    {
        value = body.operands(id)[0];
    }
    value
}

/// The greatest nesting depth of types.
const NESTING: u32 = 32;

/// The result of a use of a closure.
enum Flow {
    /// It does not forward the closure.
    Ends,
    /// It forwards the closure to other values.
    Into(Vec<Value>),
    /// The closure may escape.
    Escapes,
}
