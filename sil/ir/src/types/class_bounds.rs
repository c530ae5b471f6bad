//! Type parameters that are bound to classes, as the references that their values are: with them in place, a type lies
//! in memory as it does in terms of the signature, and speaks of no signature any more.

use super::rebuild::{Rebuild, rebuild_parts};
use super::*;
use crate::context::{Context, SignatureId};

impl TypeQueries<'_> {
    /// `ty` with the type parameters that `signature` binds to classes replaced by `Builtin.NativeObject`.
    pub fn with_references(&self, ty: TypeId, signature: SignatureId) -> TypeId {
        let reference = self.context.ty(Type::Builtin(BuiltinType::NativeObject));
        ReferencesForParameters { queries: self, signature, reference }.rebuild(ty)
    }
}

struct ReferencesForParameters<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    signature: SignatureId,
    reference: TypeId,
}

impl Rebuild for ReferencesForParameters<'_, '_> {
    fn context(&self) -> &Context {
        self.queries.context
    }

    fn rebuild(&mut self, ty: TypeId) -> TypeId {
        match self.queries.get(ty) {
            _ if self.queries.is_type_parameter(ty) => {
                match self.queries.properties(ty, Some(self.signature)).is_reference() {
                    true => self.reference,
                    false => ty,
                }
            }
            // A member of another type is looked up by the resolved form of that.
            Type::DependentMember { .. } => ty,
            _ => rebuild_parts(self, ty),
        }
    }
}
