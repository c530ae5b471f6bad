//! The accesses that functions begin to variables that closures capture by address, in themselves and in functions that
//! they pass the address on to (lib/SILOptimizer/Analysis/AccessSummaryAnalysis.cpp).

use rustc_hash::FxHashMap;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, FunctionId, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

use super::captured_arguments::{BY_ADDRESS, CapturedArgument, captured_argument, closures_last};
use super::{AccessKind, ApplySite, Uses, field_number};

/// The stored properties of structs and elements of tuples that lead from a variable to the part that is accessed, the
/// outermost first.
pub type Path = Vec<u32>;

/// An access to a variable or a part of it.
#[derive(Clone, Debug)]
pub struct CapturedAccess {
    /// How.
    pub kind: AccessKind,
    /// The part.
    pub path: Path,
    /// The function that accesses it.
    pub function: FunctionId,
    /// The access there: a `begin_access`, or a call of an unknown function.
    pub instruction: InstructionId,
}

/// The accesses by captured argument, at most one for each path.
pub struct AccessSummaries {
    arguments: FxHashMap<CapturedArgument, Vec<CapturedAccess>>,
}

impl AccessSummaries {
    /// Gathers those of all functions.
    pub fn new(module: &Module, queries: &TypeQueries<'_>) -> Self {
        let mut found = Self { arguments: FxHashMap::default() };
        let captured = captured_arguments(module, queries);
        let functions = captured.iter().filter_map(|(id, ..)| Some((*id, module.functions[*id].body.as_ref()?)));
        let uses: FxHashMap<FunctionId, Uses> = functions.map(|(id, body)| (id, Uses::new(body))).collect();
        // Local functions that call each other in circles learn of each other's accesses one after the other.
        loop {
            let mut changed = false;
            for (function, argument, value) in &captured {
                let Some(uses) = uses.get(function) else { continue };
                changed |= found.summarize((module, queries, uses), *function, *argument, *value);
            }
            if !changed {
                return found;
            }
        }
    }

    /// The accesses that begin while the callee runs to the variable that it gets.
    pub fn of(&self, argument: CapturedArgument) -> &[CapturedAccess] {
        self.arguments.get(&argument).map_or(&[], Vec::as_slice)
    }

    /// Whether anything is new.
    fn summarize(
        &mut self,
        (module, queries, uses): (&Module, &TypeQueries<'_>, &Uses),
        function: FunctionId,
        argument: CapturedArgument,
        value: Value,
    ) -> bool {
        let Some(body) = &module.functions[function].body else { return false };
        let mut changed = false;
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let mut parts = Vec::new();
            for found in uses.of(value) {
                let user = found.user;
                let access = |kind, path| CapturedAccess { kind, path, function, instruction: user };
                if let Some(site) = ApplySite::new(body, user) {
                    match captured_argument(site, queries, found.operand as usize) {
                        Some(callee) if has_body(module, callee) => {
                            for inner in self.of(callee).to_vec() {
                                changed |= self.add(argument, inner);
                            }
                        }
                        _ if site.kind.is_full() && !is_callee_known(module, site) => {
                            changed |= self.add(argument, access(AccessKind::Modify, Path::new()));
                        }
                        _ => {}
                    }
                    continue;
                }
                match body.instructions[user].opcode {
                    Opcode::BeginAccess if is_enforced(body, user) => {
                        let path = accessed_path(queries, body, uses, user);
                        changed |= self.add(argument, access(AccessKind::of(body, user), path));
                    }
                    Opcode::MarkUnresolvedNonCopyableValue | Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                        parts.extend(body.result(user));
                    }
                    _ => {}
                }
            }
            open.extend(parts.into_iter().rev());
        }
        changed
    }

    fn add(&mut self, argument: CapturedArgument, access: CapturedAccess) -> bool {
        let known = self.arguments.entry(argument).or_default();
        match known.iter_mut().find(|known| known.path == access.path) {
            Some(known) if known.kind == AccessKind::Read && access.kind != AccessKind::Read => *known = access,
            Some(_) => return false,
            None => known.push(access),
        }
        true
    }
}

fn has_body(module: &Module, callee: CapturedArgument) -> bool {
    module.function_named(callee.function).is_some_and(|id| module.functions[id].body.is_some())
}

fn is_callee_known(module: &Module, site: ApplySite<'_>) -> bool {
    let callee = site.called_function().and_then(|name| module.function_named(name));
    callee.is_some_and(|id| module.functions[id].body.is_some())
}

/// All arguments that are variables captured by address, those of functions that get them from others first.
fn captured_arguments(module: &Module, queries: &TypeQueries<'_>) -> Vec<(FunctionId, CapturedArgument, Value)> {
    let mut found = Vec::new();
    for id in closures_last(module, queries).into_iter().rev() {
        let function = &module.functions[id];
        let Some(entry) = function.body.as_ref().and_then(|body| body.blocks.get(body.entry())) else { continue };
        let Some(conventions) = queries.conventions(function.ty) else { continue };
        for (argument, (passed, value)) in conventions.arguments().zip(&entry.arguments).enumerate() {
            if passed.convention == BY_ADDRESS {
                found.push((id, CapturedArgument { function: function.name, argument }, *value));
            }
        }
    }
    found
}

/// Whether the program asks for the access to be enforced.
pub fn is_enforced(body: &Body, begin: InstructionId) -> bool {
    !body.instructions[begin].attributes.contains(Attribute::Unsafe)
}

/// Whether an instruction ends an access, or reports it to a sanitizer.
fn is_bookkeeping(body: &Body, id: InstructionId) -> bool {
    match &body.instructions[id].details {
        Details::Builtin(builtin) => {
            let kind = builtin.kind();
            kind == Some(BuiltinKind::Named(NamedBuiltin::TSanInoutAccess))
        }
        _ => body.instructions[id].opcode == Opcode::EndAccess,
    }
}

/// The part that is accessed: where the access is used to get at one part alone, that one.
pub fn accessed_path(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, begin: InstructionId) -> Path {
    let mut path = Path::new();
    let mut current = begin;
    while let Some(value) = body.result(current) {
        let users = uses.of(value).iter().map(|found| found.user);
        let mut users = users.filter(|user| !is_bookkeeping(body, *user));
        let (Some(user), None) = (users.next(), users.next()) else { break };
        match (body.instructions[user].opcode, field_number(queries, body, user)) {
            (Opcode::StructElementAddr | Opcode::TupleElementAddr, Some(field)) => path.push(field),
            (Opcode::Load | Opcode::LoadBorrow, _) => {
                path.extend(body.result(user).and_then(|whole| extracted(queries, body, uses, whole)));
                break;
            }
            _ => break,
        }
        current = user;
    }
    path
}

/// The one field that is taken out of a value which is loaded for that alone.
fn extracted(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, whole: Value) -> Option<u32> {
    let (mut field, mut open) = (None, vec![whole]);
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            match body.instructions[user].opcode {
                Opcode::BeginBorrow => open.extend(body.result(user)),
                Opcode::EndBorrow | Opcode::DestroyValue => {}
                Opcode::StructExtract | Opcode::TupleExtract => {
                    let found = field_number(queries, body, user)?;
                    if *field.get_or_insert(found) != found {
                        return None;
                    }
                }
                _ => return None,
            }
        }
    }
    field
}
