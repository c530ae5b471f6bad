//! Shapes of packs: that packs have as many elements as others, `(repeat (each T, each U)) : Any` (docs/Generics,
//! "Shape Requirements").

use super::Generics;
use crate::context::{Requirement, SignatureId, TupleElement, Type, TypeId};
use crate::types::substitution::generic_parameter;

/// A pack parameter: depth and index.
pub(super) type Pack = (u32, u32);

impl Generics<'_> {
    /// The packs that a requirement on `subject` makes the same shape; none if it is about something else.
    pub(super) fn packs_of_shape(&self, subject: TypeId) -> Option<Vec<Pack>> {
        let Type::Tuple(elements) = self.context.get(subject) else { return None };
        let [TupleElement { label: None, ty }] = **elements else { return None };
        let Type::PackExpansion { pattern } = *self.context.get(ty) else { return None };
        let Type::Tuple(packs) = self.context.get(pattern) else { return None };
        packs.iter().map(|pack| self.pack_of(pack.ty)).collect()
    }

    /// The subject and the other side of a requirement that two packs have the same shape.
    pub(super) fn shape_requirement(&self, first: Pack, second: Pack) -> (TypeId, TypeId) {
        let element = |ty| TupleElement { label: None, ty };
        let packs = [first, second].map(|(depth, index)| {
            let parameter = self.context.ty(Type::GenericParameter { depth, index });
            element(self.context.ty(Type::PackElement(parameter)))
        });
        let pattern = self.context.ty(Type::Tuple(packs.into()));
        let expansion = self.context.ty(Type::PackExpansion { pattern });
        let any = self.context.ty(Type::Composition(Box::default()));
        (self.context.ty(Type::Tuple([element(expansion)].into())), any)
    }

    /// The least pairs of packs that imply `stated`, in order: packs whose elements `equal` makes the same have the
    /// same shape implicitly.
    pub(super) fn minimal_shapes(&self, stated: &[Vec<Pack>], equal: &[(TypeId, TypeId)]) -> Vec<(Pack, Pack)> {
        let mut implied: Vec<Vec<Pack>> = Vec::new();
        for (first, second) in equal {
            if let (Some(first), Some(second)) = (self.pack_of(*first), self.pack_of(*second)) {
                join(&mut implied, &[first, second]);
            }
        }
        let least = |pack: &Pack| {
            let class = implied.iter().find(|class| class.contains(pack));
            class.and_then(|class| class.iter().min()).copied().unwrap_or(*pack)
        };
        let mut classes: Vec<Vec<Pack>> = Vec::new();
        for packs in stated {
            join(&mut classes, &packs.iter().map(least).collect::<Vec<_>>());
        }
        let mut pairs = Vec::new();
        for mut class in classes {
            class.sort();
            pairs.extend(class.windows(2).map(|pair| (pair[0], pair[1])));
        }
        pairs
    }

    /// The first parameter pack that has the shape of the parameter pack `pack` by `signature`.
    pub fn shape_of(&self, signature: SignatureId, pack: TypeId) -> TypeId {
        let Some(pack) = generic_parameter(self.context.get(pack)) else { return pack };
        let mut classes = vec![vec![pack]];
        for requirement in &self.context.get_signature(signature).requirements {
            match requirement {
                Requirement::Conformance { subject, .. } => {
                    if let Some(packs) = self.packs_of_shape(*subject) {
                        join(&mut classes, &packs);
                    }
                }
                Requirement::SameType { first, second } => {
                    if let (Some(first), Some(second)) = (self.pack_of(*first), self.pack_of(*second)) {
                        join(&mut classes, &[first, second]);
                    }
                }
                _ => {}
            }
        }
        let class = classes.iter().find(|class| class.contains(&pack));
        let (depth, index) = class.and_then(|class| class.iter().min()).copied().unwrap_or(pack);
        self.context.ty(Type::GenericParameter { depth, index })
    }

    /// The pack that `ty` is an element of, or a member of one.
    pub(super) fn pack_of(&self, ty: TypeId) -> Option<Pack> {
        match self.context.get(ty) {
            Type::PackElement(pack) => generic_parameter(self.context.get(*pack)),
            Type::DependentMember { base: inner, .. } | Type::PackExpansion { pattern: inner } => self.pack_of(*inner),
            _ => None,
        }
    }
}

/// Makes `members` and all that are in a class with one of them one class.
fn join(classes: &mut Vec<Vec<Pack>>, members: &[Pack]) {
    let (touched, others): (Vec<_>, Vec<_>) =
        classes.drain(..).partition(|class| members.iter().any(|member| class.contains(member)));
    let mut joined: Vec<Pack> = touched.into_iter().flatten().chain(members.iter().copied()).collect();
    joined.sort();
    joined.dedup();
    *classes = others;
    classes.push(joined);
}
