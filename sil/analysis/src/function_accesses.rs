//! The storages that functions access, in themselves and in their callees
//! (lib/SILOptimizer/Analysis/AccessStorageAnalysis.cpp).
//!
//! Storages that are arguments of a callee, or parts of objects that are, become those of the caller. Callers do not
//! see the function's own allocations. A call of an unknown function, and the end of an object whose effects are not
//! known, may access anything.

use std::cell::OnceCell;

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use sil_ir::context::{CalleeConvention, Name, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Function, FunctionId, InstructionId, Module, Value};
use sil_ir::types::TypeQueries;

use super::access::reference_root_through_phis;
use super::accessed_storage::{AccessedStorage, KnownStorage, NestedConflict, StorageAccess};
use super::destruction::Destruction;
use super::function_order::bottom_up_from;
use super::{AccessStorage, ApplySite, BodyView, CalleeAnalysis, InstructionEffects, NestedAccess, callee_origin};

/// Accesses, each by the function that it is in and the instruction that begins it.
pub type AccessSet = FxHashSet<(Name, InstructionId)>;

/// The context for gathering the accesses of functions.
#[derive(Clone, Copy)]
pub struct AccessContext<'a, 'm> {
    /// The module.
    pub module: &'m Module,
    /// Answers about its types.
    pub queries: &'m TypeQueries<'m>,
    /// The possible callees of calls.
    pub callees: &'a CalleeAnalysis<'m>,
}

/// The accesses of functions.
#[derive(Default)]
pub struct FunctionAccesses {
    functions: SecondaryMap<FunctionId, Option<AccessedStorage>>,
    conflict_free: AccessSet,
}

/// A body, with a view of it as soon as that is needed.
struct Code<'v, 'm> {
    function: &'m Function,
    body: &'m Body,
    view: &'v dyn Fn() -> &'v BodyView<'m>,
}

impl FunctionAccesses {
    /// Gathers those of `functions` and of their callees. Accesses of `conflict_free` are assumed to have no conflict
    /// within, whatever they state.
    pub fn new(
        context: AccessContext<'_, '_>,
        functions: impl IntoIterator<Item = FunctionId>,
        conflict_free: AccessSet,
    ) -> Self {
        let mut accesses = Self { functions: SecondaryMap::new(), conflict_free };
        for component in bottom_up_from(context.module, context.callees, functions) {
            accesses.gather(context, &component);
        }
        accesses
    }

    /// The accesses of `function`; none if they were not gathered.
    pub fn of(&self, function: FunctionId) -> Option<&AccessedStorage> {
        self.functions[function].as_ref()
    }

    /// The accesses of an instruction, as the function of `view` sees them.
    pub fn of_instruction<'m>(
        &self,
        context: AccessContext<'_, 'm>,
        view: &BodyView<'m>,
        id: InstructionId,
    ) -> AccessedStorage {
        let mut found = AccessedStorage::default();
        self.add_instruction(
            context,
            &Code { function: view.function, body: view.body, view: &|| view },
            id,
            &mut found,
        );
        found
    }

    /// Gathers those of functions that call each other, until nothing more comes up.
    fn gather(&mut self, context: AccessContext<'_, '_>, component: &[FunctionId]) {
        let views: Vec<OnceCell<BodyView<'_>>> = component.iter().map(|_| OnceCell::new()).collect();
        for id in component {
            self.functions[*id] = Some(AccessedStorage::default());
        }
        loop {
            let mut is_changed = false;
            for (id, view) in component.iter().zip(&views) {
                let found = self.summary(context, &context.module.functions[*id], view);
                is_changed |= self.of(*id) != Some(&found);
                self.functions[*id] = Some(found);
            }
            if !is_changed {
                return;
            }
        }
    }

    fn summary<'m>(
        &self,
        context: AccessContext<'_, 'm>,
        function: &'m Function,
        view: &OnceCell<BodyView<'m>>,
    ) -> AccessedStorage {
        let Some(body) = &function.body else { return AccessedStorage::anything() };
        let view = || view.get_or_init(|| BodyView::new(context.module, context.queries, function, body));
        let code = Code { function, body, view: &view };
        let mut found = AccessedStorage::default();
        for id in body.placed_instructions() {
            self.add_instruction(context, &code, id, &mut found);
        }
        found
    }

    fn add_instruction<'m>(
        &self,
        context: AccessContext<'_, 'm>,
        code: &Code<'_, 'm>,
        id: InstructionId,
        found: &mut AccessedStorage,
    ) {
        let Code { function, body, .. } = *code;
        match body.instructions[id].opcode {
            Opcode::BeginAccess | Opcode::BeginUnpairedAccess => {
                if body.instructions[id].attributes.contains(Attribute::Dynamic) {
                    self.add_access(code, id, found);
                }
            }
            _ => match running_call(body, id) {
                Some(site) => self.add_call(context, code, site, found),
                None if may_deinitialize(context, function, body, id) => found.add_anything(),
                None => {}
            },
        }
    }

    fn add_access(&self, code: &Code<'_, '_>, begin: InstructionId, found: &mut AccessedStorage) {
        let mut access = StorageAccess::of(code.body, begin);
        if self.conflict_free.contains(&(code.function.name, begin)) {
            access.nested = NestedConflict::None;
        }
        let view = (code.view)();
        let address = view.operand(begin, 0);
        match address.and_then(|address| AccessStorage::of(view, address, NestedAccess::Ignore)) {
            Some(AccessStorage::Unidentified(_)) | None => found.add_unidentified(access.kind),
            Some(storage) => found.add(KnownStorage::new(view, storage), access),
        }
    }

    fn add_call<'m>(
        &self,
        context: AccessContext<'_, 'm>,
        code: &Code<'_, 'm>,
        site: ApplySite<'_>,
        found: &mut AccessedStorage,
    ) {
        // Other accesses of a call add nothing then.
        if found.is_anything() || asks_allocator(context, site) {
            return;
        }
        let called = site.callee().map(|callee| context.callees.of(code.body, callee));
        let called = called.as_ref().and_then(|callees| callees.all_visible(context.module));
        let Some(called) = called.filter(|_| !consumes_context(context, code.body, site)) else {
            return found.add_anything();
        };
        for callee in called {
            let Some(accessed) = self.of(*callee) else { return found.add_anything() };
            if let Some(kind) = accessed.unidentified() {
                found.add_unidentified(kind);
            }
            let callee = context.module.functions[*callee].name;
            for (storage, access) in accessed.storages().filter(|(storage, _)| !storage.is_local()) {
                match storage.argument.filter(|_| storage.function == Some(callee)) {
                    None => found.add(*storage, access),
                    Some(argument) => {
                        let passed = passed_argument(context, code.body, site, argument);
                        let storage = passed.and_then(|passed| as_passed((code.view)(), storage.storage, passed));
                        match storage {
                            Some(storage) => found.add(storage, access),
                            None => found.add_unidentified(access.kind),
                        }
                    }
                }
            }
        }
    }
}

/// The call whose callee runs at an instruction: a coroutine's goes on where its application ends.
pub fn running_call(body: &Body, id: InstructionId) -> Option<ApplySite<'_>> {
    let call = match body.instructions[id].opcode {
        Opcode::EndApply | Opcode::AbortApply => body.defining(*body.operands(id).first()?)?,
        _ => id,
    };
    ApplySite::new(body, call).filter(|site| site.kind.is_full())
}

/// Whether an instruction may end the lifetime of something that does more than to free memory as it ends.
pub fn may_deinitialize(context: AccessContext<'_, '_>, function: &Function, body: &Body, id: InstructionId) -> bool {
    let AccessContext { module, queries, .. } = context;
    let effects = InstructionEffects::new(module, queries);
    effects.may_release(body, function.signature, id)
        && !Destruction::new(module, queries).is_harmless(body, function.signature, id)
}

/// Whether a call only asks how much memory an allocation has.
fn asks_allocator(context: AccessContext<'_, '_>, site: ApplySite<'_>) -> bool {
    site.called_function().is_some_and(|name| ALLOCATOR_QUESTIONS.contains(&context.module.context.text(name)))
}

/// C functions of the standard library (stdlib/public/SwiftShims/swift/shims/LibcShims.h).
const ALLOCATOR_QUESTIONS: [&str; 2] = ["_swift_stdlib_malloc_size", "_swift_stdlib_has_malloc_size"];

/// Whether a call releases the captures of a closure: then it may run any deinitialiser.
fn consumes_context(context: AccessContext<'_, '_>, body: &Body, site: ApplySite<'_>) -> bool {
    let callee = site.callee().map(|callee| context.queries.get(body.ty(callee_origin(body, callee)).ty));
    let written = site.callee().map(|callee| context.queries.get(body.ty(callee).ty));
    let is_owned = |ty: Option<&Type>| match ty {
        Some(Type::Function(function)) => function.callee == CalleeConvention::Owned,
        _ => true,
    };
    is_owned(callee) || is_owned(written)
}

/// The value that a call, or the closure that it calls, passes for an argument of the callee.
fn passed_argument(context: AccessContext<'_, '_>, body: &Body, site: ApplySite<'_>, argument: usize) -> Option<Value> {
    if let Some(passed) = site.arguments().get(argument) {
        return Some(*passed);
    }
    let closure = ApplySite::new(body, body.defining(callee_origin(body, site.callee()?))?)?;
    let numbering = closure.numbering(closure.conventions(context.queries)?);
    let operand = numbering.operand_of_sil_argument(argument).filter(|_| !closure.kind.is_full())?;
    body.operands(closure.instruction).get(operand).copied()
}

/// A storage that is an argument, or a part of an object that is one, where that argument is `passed`. None where it is
/// not known.
fn as_passed(view: &BodyView<'_>, storage: AccessStorage, passed: Value) -> Option<KnownStorage> {
    let root = || reference_root_through_phis(view, passed);
    let storage = match storage {
        AccessStorage::Box(_) => AccessStorage::Box(root()),
        AccessStorage::Class { property, .. } => AccessStorage::Class { object: root(), property },
        AccessStorage::Tail(_) => AccessStorage::Tail(root()),
        AccessStorage::Argument(_) => AccessStorage::of(view, passed, NestedAccess::Ignore)?,
        AccessStorage::Stack(_)
        | AccessStorage::Global(_)
        | AccessStorage::Yield(_)
        | AccessStorage::Nested(_)
        | AccessStorage::Unidentified(_) => return None,
    };
    let is_known = !matches!(storage, AccessStorage::Unidentified(_) | AccessStorage::Nested(_));
    is_known.then(|| KnownStorage::new(view, storage))
}
