//! Creates thunks for closures over specialisations. A thunk takes its values indirectly like the generic function, and
//! calls the specialisation with direct values (`ReabstractionThunkGenerator` in lib/SILOptimizer/Utils/Generics.cpp).

use sil_ir::context::{Name, ParameterConvention, SignatureId, SilType, SubstitutionMapId};

use super::calls::{self, InsertionOrder};
use super::reabstraction::{Reabstraction, specialized_type};

use sil_ir::model::{
    Apply, BlockId, Body, Function, FunctionAttribute, FunctionFlag, InstructionId, Linkage, Ownership, Place,
    Replacements, Serialization, Value,
};
use sil_ir::types::{ArgumentConvention, FunctionConventions, SilArgument, TypeQueries};

use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::unused::remove_unused;

/// The function that a closure is created from.
pub(super) struct Thunk<'t> {
    /// The generic function.
    pub(super) callee: &'t Function,
    pub(super) substitutions: SubstitutionMapId,
    /// The conventions of the thunk, which are those of the generic function.
    pub(super) outer: &'t Reabstraction,
    /// The conventions of the called specialisation.
    pub(super) inner: &'t Reabstraction,
    pub(super) inner_name: Name,
}

impl Thunk<'_> {
    /// Creates the thunk `name`, or returns `None` for coroutines.
    pub(super) fn function(
        &self,
        queries: &TypeQueries<'_>,
        name: Name,
        serialization: Serialization,
    ) -> Option<Function> {
        let has_ownership = self.callee.has(FunctionFlag::Ossa);
        let mut attributes = vec![FunctionFlag::Transparent, FunctionFlag::Thunk];
        attributes.extend(has_ownership.then_some(FunctionFlag::Ossa));
        let mut function = Function {
            name,
            ty: self.outer.ty,
            signature: self.outer.signature(),
            linkage: Linkage::Shared,
            serialization,
            attributes: attributes.into_iter().map(FunctionAttribute::Flag).collect(),
            body: None,
            entry_count: None,
            specialized_from: None,
            scope: None,
            span: self.callee.span,
        };
        let substituted = specialized_type(queries, self.callee.ty, self.substitutions);
        let conventions = queries.conventions(substituted)?;
        if conventions.yields().next().is_some() {
            return None;
        }
        let mut maker = Maker {
            queries,
            signature: self.outer.signature(),
            callee: self.callee,
            has_ownership,
            body: Body::default(),
        };
        let dropped = self.outer.dropped();
        let (call, mut unused) = maker.make(conventions, self.substitutions, &dropped)?;
        let mut body = maker.body;
        let ty = SilType::object(self.inner.ty);
        let callee = |body: &mut Body| {
            let mut builder = InstructionBuilder::new(body, Place::Before(call), call);
            builder.function_ref(self.inner_name, ty)
        };
        let forwarded = self.inner.remainder.map_or(SubstitutionMapId::EMPTY, |remainder| remainder.forwarded(queries));
        let inner = (self.inner, forwarded, InsertionOrder::Ends);
        let retargeted = calls::retarget_with(queries, &function, &mut body, call, inner, callee)?;
        let mut replacements = Replacements::default();
        retargeted.replaced.into_iter().for_each(|(value, by)| replacements.replace(value, by));
        body.replace_values(&replacements);
        unused.extend(retargeted.unneeded);
        remove_unused(&mut body, unused);
        function.body = Some(body);
        Some(function)
    }
}

struct Maker<'m> {
    queries: &'m TypeQueries<'m>,
    signature: Option<SignatureId>,
    callee: &'m Function,
    has_ownership: bool,
    body: Body,
}

impl Maker<'_> {
    /// Creates a body that calls the generic function. Returns the call, and the operands for dropped arguments, which
    /// have these indices.
    fn make(
        &mut self,
        conventions: FunctionConventions<'_>,
        substitutions: SubstitutionMapId,
        dropped: &[usize],
    ) -> Option<(InstructionId, Vec<Value>)> {
        let entry = self.body.add_block();
        let mut metatypes = Vec::new();
        let mut passed = Vec::new();
        for (number, argument) in conventions.arguments().enumerate() {
            if dropped.contains(&number) {
                metatypes.push(self.at(entry).metatype(argument.ty));
                passed.extend(metatypes.last());
            } else {
                passed.push(self.argument(entry, argument));
            }
        }
        let ty = SilType::object(self.callee.ty);
        let name = self.callee.name;
        let reference = self.at(entry).function_ref(name, ty);
        let operands: Vec<Value> = std::iter::once(reference).chain(passed).collect();
        let apply = Apply::new(ty, substitutions);
        let result = self.queries.direct_result(conventions);
        if conventions.function.error.is_none() {
            let returned = self.at(entry).apply(apply, &operands, result);
            self.at(entry).return_value(returned);
            return Some((self.body.defining(returned)?, metatypes));
        }
        let (normal, thrown) = (self.body.add_block(), self.body.add_block());
        let call = self.at(entry).try_apply(apply, &operands, [normal, thrown]);
        let returned = self.owned_argument(normal, result);
        self.at(normal).return_value(returned);
        match self.queries.direct_error(conventions) {
            Some(error) => {
                let error = self.owned_argument(thrown, error);
                self.at(thrown).throw(error);
            }
            None => _ = self.at(thrown).throw_addr(),
        }
        Some((call, metatypes))
    }

    fn argument(&mut self, entry: BlockId, argument: SilArgument) -> Value {
        let is_trivial = argument.ty.is_address() || self.is_trivial(argument.ty);
        let ownership = match argument.convention {
            _ if is_trivial || !self.has_ownership => Ownership::None,
            ArgumentConvention::Parameter(ParameterConvention::Owned) => Ownership::Owned,
            ArgumentConvention::Parameter(ParameterConvention::Unowned) => Ownership::Unowned,
            _ => Ownership::Guaranteed,
        };
        self.body.add_argument(entry, argument.ty, ownership)
    }

    fn owned_argument(&mut self, block: BlockId, ty: SilType) -> Value {
        let is_owned = self.has_ownership && !self.is_trivial(ty);
        self.body.add_argument(block, ty, if is_owned { Ownership::Owned } else { Ownership::None })
    }

    fn is_trivial(&self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.signature).is_trivial()
    }

    /// The builder at the end of a block.
    fn at(&mut self, block: BlockId) -> InstructionBuilder<'_> {
        InstructionBuilder::of_origin(&mut self.body, Place::End(block), Origin::nowhere(self.callee.span))
    }
}
