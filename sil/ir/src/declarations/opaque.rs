//! Declarations with opaque results (`some P`): the constraints on their underlying types. Only bodies show which types
//! those are.

use crate::context::{Context, Name, NominalId, SignatureId};
use crate::declarations::DeclarationTable;
use crate::symbols::{DeclaredEntity, Symbol};

/// A function, a property or a subscript whose type has `some P`.
#[derive(Clone, Debug)]
pub struct OpaqueDeclaration {
    /// The type or protocol that it stands in, or whose extension it stands in.
    pub container: Option<NominalId>,
    /// Its name; `subscript` for a subscript.
    pub name: Name,
    /// The argument labels of a function.
    pub labels: Box<[Name]>,
    /// Its own generic signature; none where it has no parameters.
    pub outer: Option<SignatureId>,
    /// The same with the opaque types as one more level of parameters.
    pub signature: SignatureId,
    /// How many opaque types there are.
    pub count: u32,
}

impl DeclarationTable {
    /// The declaration with `symbol`, which an opaque type names; none if it is not at hand, or if overloads with
    /// different constraints cannot be distinguished.
    pub fn find_opaque_declaration(&self, symbol: &str, context: &Context) -> Option<&OpaqueDeclaration> {
        if self.opaque_declarations().is_empty() {
            return None;
        }
        let entity = Symbol::demangle(symbol)?.declared_entity()?;
        let mut found =
            self.opaque_declarations().iter().filter(|declared| self.is_declared_as(declared, &entity, context));
        let first = found.next()?;
        found.all(|other| (other.signature, other.outer) == (first.signature, first.outer)).then_some(first)
    }

    fn is_declared_as(&self, declared: &OpaqueDeclaration, entity: &DeclaredEntity, context: &Context) -> bool {
        let mut path = Vec::new();
        let mut container = declared.container;
        while let Some(nominal) = container.map(|id| self.get(id)) {
            path.push(context.text(nominal.name));
            container = nominal.parent;
        }
        let is_labelled = || {
            let labels = declared.labels.iter().map(|label| context.text(label.to_owned()));
            match &entity.labels {
                Some(written) => labels.eq(written.iter().map(String::as_str)),
                None => labels.into_iter().all(|label| label == "_"),
            }
        };
        let is_subscript = entity.name == "subscript";
        path.iter().rev().eq(entity.path.iter())
            && context.text(declared.name) == entity.name
            && (is_subscript || is_labelled())
    }
}
