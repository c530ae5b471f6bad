//! Generic functions made anew for concrete types (lib/SILOptimizer/Utils/Generics.cpp). Values stay where they were: what went by its address in
//! the generic function still does.

use crate::context::{Name, SubstitutionMapId};
use crate::model::{Body, Function, FunctionAttribute, InstructionId, Linkage, LocationTraits, Module};
use crate::symbols::Abstraction;
use crate::transform::editing::cloning::{Cloner, Origin};
use crate::transform::editing::specialized_names::generic_specialized_name;
use crate::transform::optimizations::generic_specialization::specialized_type;
use crate::types::TypeQueries;

/// A function that is to be made.
pub(super) struct Specialization {
    /// The generic function.
    pub(super) callee: Name,
    /// What replaces its parameters.
    pub(super) substitutions: SubstitutionMapId,
    /// What it is called.
    pub(super) name: Name,
}

impl Specialization {
    /// What becomes of `callee` with these types; none where a type cannot be a part of a symbol.
    pub(super) fn new(
        module: &Module,
        queries: &TypeQueries<'_>,
        callee: &Function,
        substitutions: SubstitutionMapId,
    ) -> Option<Self> {
        let passing = (Abstraction::Same, &[][..]);
        let serialization = callee.serialization;
        let name = generic_specialized_name(queries, module, callee.name, substitutions, serialization, passing)?;
        Some(Self { callee: callee.name, substitutions, name })
    }

    /// The function, if the body of the generic one is at hand.
    pub(super) fn function(&self, module: &Module, queries: &TypeQueries<'_>) -> Option<Function> {
        let callee = &module.functions[module.function_named(self.callee)?];
        let body = self.body(queries, callee, callee.body.as_ref()?);
        let attributes = callee.attributes.iter();
        let kept = attributes.filter(|attribute| !matches!(attribute, FunctionAttribute::Specialize(_)));
        Some(Function {
            name: self.name,
            ty: specialized_type(queries, callee.ty, self.substitutions),
            signature: None,
            linkage: Linkage::Shared,
            attributes: kept.cloned().collect(),
            body: Some(body),
            ..callee.clone()
        })
    }

    fn body(&self, queries: &TypeQueries<'_>, callee: &Function, from: &Body) -> Body {
        let mut body = Body::default();
        let origin = Origin { span: callee.span, location: None, traits: LocationTraits::default() };
        let site = InstructionId::from_u32(0);
        let mut cloner = Cloner::new(queries, from, self.substitutions, None, origin, site);
        cloner.block(&mut body, from.entry());
        cloner.whole(&mut body);
        body
    }
}
