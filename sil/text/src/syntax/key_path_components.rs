//! Reads the components of key paths in `keypath` instructions and `sil_property` descriptors.

use sil_ir::context::{MemberId, SignatureId, SilType, SubstitutionMapId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{
    AddressLowering, KeyPathComponent, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier, LanguageMode,
};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::Parsed;
use super::lexer::Token;
use super::reader::Reader;

impl Reader<'_> {
    /// Reads a component: `stored_property #T.x : $U`, `gettable_property $U, id @f : $…, getter @f : $…` and so on. In
    /// a pattern with parameters, `base` is the type that contains the component.
    pub(super) fn key_path_component(&mut self, base: Option<TypeId>) -> Parsed<KeyPathComponent> {
        let error = self.cursor.expected("a component of a key path such as 'stored_property'");
        let kind = match self.cursor.bump() {
            "stored_property" => KeyPathComponentKind::StoredProperty(self.member()?),
            "tuple_element" => {
                self.cursor.expect(Token::Hash)?;
                KeyPathComponentKind::TupleElement(self.cursor.expect_number()?)
            }
            "optional_chain" => KeyPathComponentKind::OptionalChain,
            "optional_force" => KeyPathComponentKind::OptionalForce,
            "optional_wrap" => KeyPathComponentKind::OptionalWrap,
            "gettable_property" | "settable_property" => {
                let ty = self.formal_type_with_dollar()?;
                let kind = KeyPathComponentKind::Computed(Box::new(self.computed(base)?));
                return Ok(KeyPathComponent { kind, ty });
            }
            "method" => {
                let ty = self.formal_type_with_dollar()?;
                let kind = KeyPathComponentKind::Method(Box::new(self.computed(base)?));
                return Ok(KeyPathComponent { kind, ty });
            }
            _ => return Err(error),
        };
        self.cursor.expect(Token::Colon)?;
        Ok(KeyPathComponent { kind, ty: self.formal_type_with_dollar()? })
    }

    /// Reads the substitutions for the parameters of the type that declares `member`, if present. They spell the
    /// parameters of a pattern by undeclared names.
    fn external_substitutions(&mut self, member: MemberId, base: Option<TypeId>) -> Parsed<SubstitutionMapId> {
        let known = base.map_or_else(Box::default, |base| self.arguments_of_declaring(member, base));
        let arguments = self.generic_arguments_like(&known)?;
        let parent = self.context.get_member(member).parent;
        let declared = parent.and_then(|parent| self.declarations.get(parent).signature);
        let has_parameters =
            |signature: &SignatureId| self.context.get_signature(*signature).parameters.len() == arguments.len();
        let signature = declared.filter(has_parameters);
        let signature = signature.unwrap_or_else(|| self.context.unconstrained_signature(arguments.len()));
        Ok(self.substitutions(signature, arguments))
    }

    /// Returns the generic arguments of `base` for the type or protocol that declares `member`, if they are known.
    fn arguments_of_declaring(&self, member: MemberId, base: TypeId) -> Box<[TypeId]> {
        let Some(parent) = self.context.get_member(member).parent else { return Box::default() };
        let conformances = ConformanceTable::default();
        let (context, declarations) = (self.context, self.declarations);
        let queries =
            TypeQueries::new(context, declarations, &conformances, LanguageMode::Full, AddressLowering::Lowered);
        // A class inherits the members of its superclasses.
        let declaring = queries.ancestor_declared_by(base, parent).unwrap_or(base);
        match context.get(declaring) {
            Type::Nominal(nominal) if nominal.declaration == parent && nominal.parent.is_none() => {
                nominal.arguments.clone()
            }
            _ if declarations.get(parent).kind == NominalKind::Protocol => [base].into(),
            _ => Box::default(),
        }
    }

    /// Reads `, id #T.x!getter : …, getter @f : $…, setter @g : $…, indices […]` and so on.
    fn computed(&mut self, base: Option<TypeId>) -> Parsed<KeyPathComputed> {
        let mut identifier = None;
        let mut getter = None;
        let (mut setter, mut indices, mut equals, mut hash, mut external) = (None, Box::default(), None, None, None);
        while self.cursor.eat(Token::Comma) {
            let error = self.cursor.expected("'id', 'getter', 'setter', 'indices' or 'external'");
            match self.cursor.bump() {
                "id" => identifier = Some(self.identifier()?),
                "getter" => getter = Some(self.symbol_and_type()?),
                "setter" => setter = Some(self.symbol_and_type()?),
                "indices" => indices = self.indices()?,
                "indices_equals" => equals = Some(self.symbol_and_type()?),
                "indices_hash" => hash = Some(self.symbol_and_type()?),
                "external" => {
                    let member = self.member()?;
                    external = Some((member, self.external_substitutions(member, base)?));
                }
                _ => return Err(error),
            }
        }
        let (Some(identifier), Some(getter)) = (identifier, getter) else {
            return Err(self.cursor.expected("', id' and ', getter'"));
        };
        Ok(KeyPathComputed { identifier, getter, setter, indices, equals, hash, external })
    }

    fn identifier(&mut self) -> Parsed<KeyPathIdentifier> {
        if self.cursor.at(Token::AtName) {
            let (name, ty) = self.symbol_and_type()?;
            return Ok(KeyPathIdentifier::Function(name, ty));
        }
        if self.cursor.at(Token::Hash) && self.cursor.peek_second() == Token::Hash {
            self.cursor.bump();
            return Ok(KeyPathIdentifier::Property(self.member()?));
        }
        let member = self.member()?;
        let formal = match self.cursor.eat(Token::Colon) {
            true => Some(self.formal_type()?),
            false => None,
        };
        Ok(KeyPathIdentifier::Member(member, formal))
    }

    /// Reads `[%$0 : $T : $U, …]`.
    fn indices(&mut self) -> Parsed<Box<[(u32, TypeId, SilType)]>> {
        self.cursor.expect(Token::LeftBracket)?;
        let mut indices = Vec::new();
        loop {
            let error = self.cursor.expected("an operand of a pattern such as '%$0'");
            let number = self.cursor.expect(Token::LocalValue)?.strip_prefix("%$");
            let Some(number) = number.and_then(|number| number.parse().ok()) else { return Err(error) };
            self.cursor.expect(Token::Colon)?;
            let formal = self.formal_type_with_dollar()?;
            self.cursor.expect(Token::Colon)?;
            indices.push((number, formal, self.sil_type()?));
            if !self.cursor.eat(Token::Comma) {
                break;
            }
        }
        self.cursor.expect(Token::RightBracket)?;
        Ok(indices.into())
    }
}
