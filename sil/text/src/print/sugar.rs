//! Writes types in their short forms, where they are spelled so: `[T]`, `[K : V]`, `[4 of T]`, `T?`.

use sil_ir::context::{Composition, NominalType, Spelling, Sugar, Type, TypeId};

use super::Printer;

/// The spellings of the types that are being written, and the number of those already written.
#[derive(Clone, Copy)]
pub(super) struct SugarCursor {
    sugar: Sugar,
    next: u32,
}

impl Printer<'_> {
    /// Writes types as `sugar` spells them; in full, where it does not fit them.
    pub(super) fn sugared(&mut self, sugar: Sugar, write: impl Fn(&mut Self)) {
        if sugar.is_plain() {
            return write(self);
        }
        let start = self.out.len();
        self.sugar = Some(SugarCursor { sugar, next: 0 });
        write(self);
        let after = self.sugar.take().map_or(0, |cursor| cursor.next);
        if after != sugar.count() {
            self.out.truncate(start);
            write(self);
        }
    }

    /// Writes the short form of a type; returns whether it did.
    pub(super) fn short_form(&mut self, nominal: &NominalType) -> bool {
        let Some(cursor) = self.sugar else { return false };
        let declaration = self.declarations.get(nominal.declaration);
        let name = self.context.text(declaration.name);
        let form = match (name, &*nominal.arguments) {
            ("Optional", [object]) => ShortForm::Optional(*object),
            ("Array", [element]) => ShortForm::Array(*element),
            ("Dictionary", [key, value]) => ShortForm::Pair(*key, " : ", *value),
            ("InlineArray", [count, element]) => ShortForm::Pair(*count, " of ", *element),
            _ => return false,
        };
        self.sugar = Some(SugarCursor { next: cursor.next + 1, ..cursor });
        if cursor.sugar.spelling(cursor.next) == Spelling::Full {
            return false;
        }
        match form {
            ShortForm::Optional(object) => {
                let simple = self.is_simple(object);
                self.text(if simple { "" } else { "(" });
                self.lowered_type(object);
                self.text(if simple { "?" } else { ")?" });
            }
            ShortForm::Array(element) => {
                self.text("[");
                self.lowered_type(element);
                self.text("]");
            }
            ShortForm::Pair(first, separator, second) => {
                self.text("[");
                self.lowered_type(first);
                self.text(separator);
                self.lowered_type(second);
                self.text("]");
            }
        }
        true
    }

    /// Whether a type can stand in front of `?` without brackets (`TypeBase::hasSimpleTypeRepr` of lib/AST/Type.cpp).
    fn is_simple(&self, ty: TypeId) -> bool {
        match self.context.get(ty) {
            Type::Function(_)
            | Type::FormalFunction(_)
            | Type::ExistentialMetatype { .. }
            | Type::OpenedArchetype { .. }
            | Type::PackElementArchetype { .. }
            | Type::OpaqueResult { .. }
            | Type::PackExpansion { .. }
            | Type::PackElement(_) => false,
            Type::Metatype { representation, .. } => representation.is_none(),
            Type::Existential(constraint) => match self.context.get(*constraint) {
                Type::Composition(composition) => is_any_or_any_object(composition),
                _ => false,
            },
            _ => true,
        }
    }
}

enum ShortForm {
    Optional(TypeId),
    Array(TypeId),
    Pair(TypeId, &'static str, TypeId),
}

/// Whether an existential is written without `any`.
fn is_any_or_any_object(composition: &Composition) -> bool {
    composition.members.is_empty() && composition.inverses.is_empty()
}
