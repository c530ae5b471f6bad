//! Opaque result types (`some P`): the underlying type of each, as bodies show. In Embedded Swift callers know it too,
//! so that only the types of the functions themselves and formal types still name the opaque type. Those of a function
//! that is replaced while the program runs are underlying types for its descriptor alone.

use rustc_hash::FxHashMap;

use super::rebuild::{Rebuild, rebuild_parts};
use super::replaceable_opaque_types::is_declared_by;
use super::{Type, TypeQueries};
use crate::context::{Context, Name, TypeId};
use crate::instructions::Opcode;
use crate::model::views::{GlobalAddr, Store};
use crate::model::{Body, Function, FunctionFlag, Module, Value};

/// The underlying types of opaque result types, all of them canonical.
#[derive(Default)]
pub struct OpaqueResults {
    underlying: FxHashMap<TypeId, TypeId>,
    /// Those that a generic function gives, by its symbol and their number.
    generic: FxHashMap<(Name, u32), GenericResult>,
    /// The same of functions that are replaced while the program runs, as long as nothing replaces them.
    replaceable: FxHashMap<(Name, u32), GenericResult>,
}

/// The underlying type of an opaque result type for any arguments of its function.
struct GenericResult {
    /// The function's parameters.
    parameters: Box<[TypeId]>,
    /// The type, in terms of these.
    underlying: TypeId,
}

impl GenericResult {
    /// The type for `arguments`; none if the function has another number of parameters.
    fn applied(&self, queries: &TypeQueries<'_>, arguments: &[TypeId]) -> Option<TypeId> {
        let Self { parameters, underlying } = self;
        if parameters.len() != arguments.len() {
            return None;
        }
        let mut applied = Applied { queries, parameters, arguments };
        Some(queries.canonical_type(applied.rebuild(*underlying)))
    }
}

/// Opaque result types stand for others that are opaque this often: wrong input may make that a circle.
const DEEPEST: usize = 64;

impl OpaqueResults {
    /// The underlying types that the bodies of `module` show.
    pub fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut results = Self::default();
        for function in module.functions.values() {
            results.add_function(module, queries, function);
        }
        results
    }

    /// Adds the underlying types that the body of a function of `module` shows.
    pub fn add_function(&mut self, module: &Module, queries: &TypeQueries<'_>, function: &Function) {
        if let Some(body) = &function.body {
            self.add(queries, function, body);
            self.add_stores(queries, body);
            self.add_globals(module, queries, body);
            if function.has(FunctionFlag::DynamicallyReplaceable) {
                self.add_replaceable(queries, function, body);
            }
        }
    }

    /// The underlying type of `ty`, an opaque result type; none if no body shows it.
    pub fn underlying(&self, queries: &TypeQueries<'_>, ty: TypeId) -> Option<TypeId> {
        let ty = queries.canonical_type(ty);
        if let Some(found) = self.underlying.get(&ty) {
            return Some(*found);
        }
        let Type::OpaqueResult { symbol, ordinal, arguments } = queries.get(ty) else { return None };
        self.generic.get(&(*symbol, *ordinal))?.applied(queries, arguments)
    }

    /// The type that the descriptor of the declaration has for `ty`, an opaque result type; none if no body shows it.
    pub fn described(&self, queries: &TypeQueries<'_>, ty: TypeId) -> Option<TypeId> {
        let Type::OpaqueResult { symbol, ordinal, arguments } = queries.get(ty) else { return None };
        let described = match self.replaceable.get(&(*symbol, *ordinal)) {
            Some(result) => result.applied(queries, arguments),
            None => self.underlying(queries, ty),
        };
        described.map(|described| self.transparent(queries, described))
    }

    /// The symbols of the declarations with opaque types that bodies show.
    pub fn symbols(&self, queries: &TypeQueries<'_>) -> Vec<Name> {
        let symbol = |ty: &TypeId| match queries.get(*ty) {
            Type::OpaqueResult { symbol, .. } => Some(*symbol),
            _ => None,
        };
        let replaceable = self.replaceable.keys().map(|(symbol, _)| *symbol);
        self.underlying.keys().filter_map(symbol).chain(replaceable).collect()
    }

    /// The canonical form of `ty` with the underlying types of all opaque result types in it that bodies show.
    pub fn transparent(&self, queries: &TypeQueries<'_>, ty: TypeId) -> TypeId {
        let ty = queries.canonical_type(ty);
        if self.underlying.is_empty() {
            return ty;
        }
        let transparent = Transparent { results: self, queries, depth: 0 }.rebuild(ty);
        if transparent == ty { ty } else { queries.canonical_type(transparent) }
    }

    /// Matches the results in a function's type with the values that its body returns.
    fn add(&mut self, queries: &TypeQueries<'_>, function: &Function, body: &Body) {
        let Some(conventions) = queries.conventions(function.ty) else { return };
        let results = &conventions.function.results;
        let indirect = results.iter().filter(|result| result.convention.is_indirect());
        let direct: Vec<_> = results.iter().filter(|result| !result.convention.is_indirect()).collect();
        let Some(entry) = body.blocks.values().next() else { return };
        for (result, argument) in indirect.zip(&entry.arguments) {
            self.unify(queries, result.ty, body.ty(*argument).ty);
        }
        let Some(returned) = returned(body) else { return };
        let ty = body.ty(returned).ty;
        match (direct.as_slice(), queries.get(ty)) {
            ([only], _) => self.unify(queries, only.ty, ty),
            (several, Type::Tuple(elements)) => {
                for (result, element) in several.iter().zip(elements) {
                    self.unify(queries, result.ty, element.ty);
                }
            }
            _ => {}
        }
    }

    /// A value that is stored to memory of an opaque type, where the function that returns it is inlined, has the
    /// underlying type.
    fn add_stores(&mut self, queries: &TypeQueries<'_>, body: &Body) {
        for instruction in body.placed_instructions().filter(|found| body.instructions[*found].opcode == Opcode::Store)
        {
            let Store { source, destination } = Store::of(body, instruction);
            let ty = body.ty(destination).ty;
            if matches!(queries.get(ty), Type::OpaqueResult { .. }) {
                self.unify(queries, ty, body.ty(source).ty);
            }
        }
    }

    /// Functions that know the underlying type of a variable of their module address it with that.
    fn add_globals(&mut self, module: &Module, queries: &TypeQueries<'_>, body: &Body) {
        for instruction in body.placed_instructions() {
            let Some(GlobalAddr { global, .. }) = GlobalAddr::get(body, instruction) else { continue };
            let (Some(global), Some(address)) = (global.id, body.result(instruction)) else { continue };
            self.unify(queries, module.globals[global].ty, body.ty(address).ty);
        }
    }

    /// Adds the underlying type of `opaque` for all arguments, if these are the function's own parameters.
    fn add_generic(&mut self, queries: &TypeQueries<'_>, opaque: TypeId, actual: TypeId) {
        let Type::OpaqueResult { symbol, ordinal, arguments } = queries.get(opaque) else { return };
        let is_parameter = |ty: &TypeId| matches!(queries.get(*ty), Type::GenericParameter { .. });
        let is_once = |(number, ty): (usize, &TypeId)| !arguments[..number].contains(ty);
        if arguments.iter().all(is_parameter) && arguments.iter().enumerate().all(is_once) {
            let result = || GenericResult { parameters: arguments.clone(), underlying: actual };
            self.generic.entry((*symbol, *ordinal)).or_insert_with(result);
        }
    }

    /// The body of a replaceable function gives its result the opaque type by casts (lib/SILGen/SILGenExpr.cpp,
    /// `visitUnderlyingToOpaqueExpr`): of memory to the underlying type, of loaded values from it.
    fn add_replaceable(&mut self, queries: &TypeQueries<'_>, function: &Function, body: &Body) {
        use Opcode::{UncheckedAddrCast, UncheckedBitwiseCast, UncheckedRefCast, UncheckedTrivialBitCast};
        for id in body.placed_instructions() {
            let opcode = body.instructions[id].opcode;
            let (Some(operand), Some(result)) = (body.operands(id).first(), body.result(id)) else { continue };
            let [operand, result] = [*operand, result].map(|value| body.ty(value).ty);
            let (opaque, underlying) = match opcode {
                UncheckedAddrCast => (operand, result),
                UncheckedBitwiseCast | UncheckedRefCast | UncheckedTrivialBitCast => (result, operand),
                _ => continue,
            };
            let [opaque, underlying] = [opaque, underlying].map(|ty| queries.canonical_type(ty));
            if let Type::OpaqueResult { symbol, ordinal, arguments } = queries.get(opaque)
                && is_declared_by(queries, function.name, *symbol)
            {
                let result = || GenericResult { parameters: arguments.clone(), underlying };
                self.replaceable.entry((*symbol, *ordinal)).or_insert_with(result);
            }
        }
    }

    /// Finds in `actual` the types at the places where `pattern` has opaque result types.
    fn unify(&mut self, queries: &TypeQueries<'_>, pattern: TypeId, actual: TypeId) {
        if pattern == actual {
            return;
        }
        match (queries.get(pattern), queries.get(actual)) {
            (Type::OpaqueResult { .. }, _) => {
                let [pattern, actual] = [pattern, actual].map(|ty| queries.canonical_type(ty));
                self.underlying.entry(pattern).or_insert(actual);
                self.add_generic(queries, pattern, actual);
            }
            (Type::Nominal(pattern), Type::Nominal(actual)) if pattern.declaration == actual.declaration => {
                for (pattern, actual) in pattern.arguments.iter().zip(&actual.arguments) {
                    self.unify(queries, *pattern, *actual);
                }
                if let (Some(pattern), Some(actual)) = (pattern.parent, actual.parent) {
                    self.unify(queries, pattern, actual);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(actual)) => {
                for (pattern, actual) in pattern.iter().zip(actual) {
                    self.unify(queries, pattern.ty, actual.ty);
                }
            }
            _ => {}
        }
    }
}

/// The returned value of a function.
fn returned(body: &Body) -> Option<Value> {
    let terminators = body.blocks.keys().filter_map(|block| body.terminator(block));
    let mut returns = terminators.filter(|last| body.instructions[*last].opcode == Opcode::Return);
    returns.next().and_then(|last| body.operands(last).first().copied())
}

/// The parameters of a function replaced by arguments.
struct Applied<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    parameters: &'q [TypeId],
    arguments: &'q [TypeId],
}

impl Rebuild for Applied<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match self.parameters.iter().position(|parameter| *parameter == ty) {
            Some(number) => self.arguments[number],
            None => rebuild_parts(self, ty),
        }
    }
}

/// Opaque result types replaced by their underlying types.
struct Transparent<'q, 'a> {
    results: &'q OpaqueResults,
    queries: &'q TypeQueries<'a>,
    depth: usize,
}

impl Rebuild for Transparent<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        let is_opaque = matches!(self.queries.get(ty), Type::OpaqueResult { .. }) && self.depth < DEEPEST;
        match is_opaque.then(|| self.results.underlying(self.queries, ty)).flatten() {
            Some(underlying) => {
                self.depth += 1;
                let rebuilt = self.rebuild(underlying);
                self.depth -= 1;
                rebuilt
            }
            None => rebuild_parts(self, ty),
        }
    }
}
