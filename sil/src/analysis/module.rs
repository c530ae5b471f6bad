//! What analyses know of a module as a whole: the effects of its functions, the deinitialisers of its classes.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::InstructionEffects;
use super::function_effects::FunctionEffects;
use crate::context::{MemberKind, NominalId, TypeId};
use crate::model::{FunctionId, Module};
use crate::types::TypeQueries;

/// A module as it was when this was made.
pub struct AnalyzedModule<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    effects: SecondaryMap<FunctionId, Option<FunctionEffects>>,
    /// By class, the function that its vtable has for `#C.deinit!deallocator`.
    deinitializers: FxHashMap<NominalId, FunctionId>,
}

impl<'m> AnalyzedModule<'m> {
    /// Reads the effect attributes of all functions.
    pub fn new(module: &'m Module, queries: &'m TypeQueries<'m>) -> Self {
        let mut effects = SecondaryMap::with_capacity(module.functions.len());
        for (id, function) in &module.functions {
            effects[id] = Some(FunctionEffects::of(&module.context, function, queries.conventions(function.ty)));
        }
        Self { module, queries, effects, deinitializers: deinitializers(module) }
    }

    /// What `function` is known to do.
    pub fn effects(&self, function: FunctionId) -> &FunctionEffects {
        const MADE: &str = "every function of the module was read";
        #[expect(clippy::expect_used, reason = "new() fills the map for all functions, and ids are of this module")]
        self.effects[function].as_ref().expect(MADE)
    }

    /// Answers about single instructions.
    pub fn instruction_effects(&self) -> InstructionEffects<'m> {
        InstructionEffects::new(self.module, self.queries)
    }

    /// The function that runs when an object of type `ty` is destroyed, where that is known: its class is exactly `exact`, or final.
    pub(super) fn deinitializer(&self, ty: TypeId, exact: Option<TypeId>) -> Option<FunctionId> {
        let mut ty = exact.unwrap_or(ty);
        while let Some(object) = self.queries.optional_object(ty) {
            ty = object;
        }
        let class = self.queries.as_nominal(ty)?.declaration;
        let known = exact.is_some() || self.queries.declarations.get(class).attributes.is_final;
        self.deinitializers.get(&class).copied().filter(|_| known)
    }
}

fn deinitializers(module: &Module) -> FxHashMap<NominalId, FunctionId> {
    let mut found = FxHashMap::default();
    // Of a generic class, each specialisation has its own.
    for table in module.vtables.iter().filter(|table| table.specialized.is_none()) {
        for entry in &table.entries {
            let member = module.context.get_member(entry.member);
            if member.kind == MemberKind::Deallocator
                && let Some(function) = module.function_named(entry.function)
            {
                found.insert(table.class, function);
            }
        }
    }
    found
}
