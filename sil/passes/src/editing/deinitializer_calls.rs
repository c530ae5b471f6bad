//! Builds calls of deallocators and `deinit`s.

use sil_ir::context::{SilType, SubstitutionMapId};
use sil_ir::model::{Apply, FunctionId, Module, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;

/// A reference to a deinitialiser.
pub(crate) struct Deinitializer {
    callee: Value,
    apply: Apply,
    result: SilType,
}

impl Deinitializer {
    /// References `function`, the deinitialiser of `ty`, with the substitutions of `ty`. Returns `None` if it has
    /// another convention.
    pub(crate) fn refer(
        (module, queries): (&Module, &TypeQueries<'_>),
        builder: &mut InstructionBuilder<'_>,
        function: FunctionId,
        ty: SilType,
    ) -> Option<Self> {
        let function = &module.functions[function];
        let callee_type = SilType::object(function.ty);
        let nominal = queries.as_nominal(ty.ty).filter(|_| function.signature.is_some());
        let substitutions = nominal.map_or(SubstitutionMapId::EMPTY, |nominal| queries.nominal_substitutions(nominal));
        let conventions = queries.applied_conventions(function.ty, substitutions)?;
        let result = queries.direct_result(conventions);
        let callee = builder.function_ref(function.name, callee_type);
        let apply = Apply::new(callee_type, substitutions);
        Some(Self { callee, apply, result })
    }

    /// Calls it with an object or an address.
    pub(crate) fn call(self, builder: &mut InstructionBuilder<'_>, value: Value) -> Value {
        builder.apply(self.apply, &[self.callee, value], self.result)
    }
}
