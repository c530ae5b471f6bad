//! Reads `sil_witness_table` and `sil_default_witness_table`, and conformances in their syntax.

use sil_ir::context::{
    Conformance, ConformanceId, ConformanceKind, MemberId, MemberRef, NominalId, SignatureId, Type, TypeId,
};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{ConformanceRequirement, DefaultWitnessTable, Linkage, Serialization, WitnessEntry, WitnessTable};

use super::super::Parsed;
use super::super::lexer::Token;
use super::super::names::plain_name;
use super::super::reader::{GenericScope, NamedGenericParameter, Reader};

const PROTOCOLS: &[NominalKind] = &[NominalKind::Protocol];

/// A line of a witness table.
enum Line {
    Entry(WitnessEntry),
    Conditional(ConformanceRequirement),
    NoDefault,
}

impl Reader<'_> {
    /// Reads `sil_witness_table hidden [serialized] <T> C<T>: P module m { … }`. Wrong entries are reported and left
    /// out.
    pub(in super::super) fn witness_table(&mut self) -> Parsed<WitnessTable> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_witness_table")?;
        let linkage = self.linkage();
        let (mut serialization, mut specialized) = (Serialization::None, false);
        while self.cursor.at(Token::LeftBracket) {
            let mut ahead = self.cursor.clone();
            ahead.bump();
            if ahead.at_word("specialized") {
                self.bracketed_text()?;
                specialized = true;
            } else {
                serialization = self.serialization()?;
            }
        }
        let outer = self.set_generics(GenericScope::default());
        let read = self.witness_table_body(start);
        self.set_generics(outer);
        let (conformance, entries, conditional, span) = read?;
        let default = if entries.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        let linkage = linkage.unwrap_or(default);
        Ok(WitnessTable { linkage, serialization, specialized, conformance, entries, conditional, span })
    }

    #[expect(clippy::type_complexity, reason = "the parts of one table, taken apart at once")]
    fn witness_table_body(
        &mut self,
        start: u32,
    ) -> Parsed<(ConformanceId, Option<Vec<WitnessEntry>>, Vec<ConformanceRequirement>, sil_ir::source::Span)> {
        let (conformance, signature) = self.concrete_conformance()?;
        let span = self.cursor.span_from(start);
        let mut conditional = Vec::new();
        if !self.cursor.eat(Token::LeftBrace) {
            return Ok((conformance, None, conditional, span));
        }
        let scope = signature.map(|signature| GenericScope::of(self.context, signature)).unwrap_or_default();
        let protocol = self.context.get_conformance(conformance).protocol;
        let mut entries = Vec::new();
        while !self.cursor.eat(Token::RightBrace) {
            self.set_generics(scope.clone());
            match self.witness_line(protocol) {
                Ok(Line::Entry(entry)) => entries.push(entry),
                Ok(Line::Conditional(requirement)) => conditional.push(requirement),
                Ok(Line::NoDefault) => {
                    let error = self.cursor.error("syntax", "only default witness tables have 'no_default'");
                    self.diagnostics.push(*error);
                }
                Err(error) if self.cursor.at(Token::End) => return Err(error),
                Err(error) => {
                    self.diagnostics.push(*error);
                    self.skip_entry();
                }
            }
        }
        Ok((conformance, Some(entries), conditional, span))
    }

    /// Reads `sil_default_witness_table hidden P { no_default … }`.
    pub(in super::super) fn default_witness_table(&mut self) -> Parsed<DefaultWitnessTable> {
        let start = self.cursor.span().start;
        self.cursor.expect_word("sil_default_witness_table")?;
        let linkage = self.linkage().unwrap_or(Linkage::Public);
        let protocol = self.nominal(PROTOCOLS)?;
        let span = self.cursor.span_from(start);
        self.cursor.expect(Token::LeftBrace)?;
        let mut scope = self.generics_of(protocol);
        if scope.is_empty() {
            scope.add(NamedGenericParameter { name: self.context.name("Self"), depth: 0, index: 0 });
        }
        let outer = self.set_generics(scope);
        let entries = self.default_witnesses(protocol);
        self.set_generics(outer);
        Ok(DefaultWitnessTable { linkage, protocol, entries: entries?, span })
    }

    fn default_witnesses(&mut self, protocol: NominalId) -> Parsed<Vec<Option<WitnessEntry>>> {
        let mut entries = Vec::new();
        while !self.cursor.eat(Token::RightBrace) {
            match self.witness_line(protocol)? {
                Line::Entry(entry) => entries.push(Some(entry)),
                Line::NoDefault => entries.push(None),
                Line::Conditional(_) => {
                    return Err(self.cursor.error("syntax", "a default witness table has no conditional conformances"));
                }
            }
        }
        Ok(entries)
    }

    /// Returns `member` as a requirement of `protocol`, if its path names the protocol or another type of that name.
    /// SIL omits modules, and a table holds requirements of its own protocol alone.
    fn requirement_of(&self, protocol: NominalId, member: MemberId) -> MemberId {
        let stated = self.context.get_member(member);
        let name = |declaration: NominalId| {
            let declaration = self.declarations.get(declaration);
            (declaration.name, declaration.parent)
        };
        match stated.parent {
            Some(parent) if parent != protocol && name(parent) == name(protocol) => {
                let (parent, target) = self.find_target(protocol, stated.name, stated.kind);
                self.context.member(MemberRef { parent: Some(parent), target, ..stated.clone() })
            }
            _ => member,
        }
    }

    fn witness_line(&mut self, protocol: NominalId) -> Parsed<Line> {
        let start = self.cursor.span().start;
        let error = self.cursor.expected("an entry such as 'method', 'associated_type' or 'base_protocol'");
        Ok(match self.cursor.bump() {
            "no_default" => Line::NoDefault,
            "base_protocol" => {
                let named = self.nominal(PROTOCOLS)?;
                self.cursor.expect(Token::Colon)?;
                let this = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
                let conformance = self.conformance((this, named))?;
                let stated = self.context.get_conformance(conformance).protocol;
                let name = |protocol| self.declarations.get(protocol).name;
                let protocol = if name(stated) == name(named) { stated } else { named };
                Line::Entry(WitnessEntry::BaseProtocol { protocol, conformance })
            }
            "associated_type" => {
                let name = self.context.name(plain_name(self.cursor.expect(Token::Identifier)?));
                self.cursor.expect(Token::Colon)?;
                Line::Entry(WitnessEntry::AssociatedType { name, ty: self.formal_type()? })
            }
            "associated_conformance" | "associated_type_protocol" => {
                let (subject, protocol) = self.requirement(Subject::AssociatedType)?;
                let sugar = self.conformance_sugar_ahead();
                let conformance = self.conformance((subject, protocol))?;
                Line::Entry(WitnessEntry::AssociatedConformance { subject, protocol, conformance, sugar })
            }
            "conditional_conformance" => {
                let (subject, protocol) = self.requirement(Subject::Parameter)?;
                let conformance = self.conformance((subject, protocol))?;
                Line::Conditional(ConformanceRequirement { subject, protocol, conformance })
            }
            "method" => {
                let member = self.member()?;
                let member = self.requirement_of(protocol, member);
                self.cursor.expect(Token::Colon)?;
                let (formal_type, sugar) = self.entry_type()?;
                self.linkage();
                let function = if self.cursor.eat_word("nil") { None } else { Some(self.symbol()?) };
                let span = self.cursor.span_from(start);
                Line::Entry(WitnessEntry::Method { member, formal_type, sugar, function, span })
            }
            _ => return Err(error),
        })
    }

    /// Reads the requirement `(T: P):` in front of a conformance.
    fn requirement(&mut self, subject: Subject) -> Parsed<(TypeId, NominalId)> {
        self.cursor.expect(Token::LeftParen)?;
        let subject = match subject {
            Subject::Parameter => self.formal_type()?,
            Subject::AssociatedType => self.associated_type_path()?,
        };
        self.cursor.expect(Token::Colon)?;
        let protocol = self.nominal(PROTOCOLS)?;
        self.cursor.expect(Token::RightParen)?;
        self.cursor.expect(Token::Colon)?;
        Ok((subject, protocol))
    }

    /// Reads `Element` or `SubSequence.Index`: members of `Self`.
    fn associated_type_path(&mut self) -> Parsed<TypeId> {
        let mut ty = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        if self.cursor.at_word("Self") {
            self.cursor.bump();
            self.cursor.expect(Token::Period)?;
        }
        loop {
            let member = self.context.name(plain_name(self.cursor.expect(Token::Identifier)?));
            ty = self.context.ty(Type::DependentMember { base: ty, member, protocol: None });
            if !self.cursor.eat(Token::Period) {
                return Ok(ty);
            }
        }
    }

    /// Reads the conformance for a requirement, and restores the scope of generic parameters. `dependent T` is the
    /// conformance of a type parameter; older SIL omits the parameter.
    fn conformance(&mut self, (subject, protocol): (TypeId, NominalId)) -> Parsed<ConformanceId> {
        if self.cursor.eat_word("dependent") {
            let ends =
                self.cursor.at_line_start() || matches!(self.cursor.peek(), Token::RightParen | Token::RightBrace);
            let (ty, kind) = match ends {
                true => (subject, ConformanceKind::Unknown),
                false => (self.formal_type()?, ConformanceKind::Abstract),
            };
            return Ok(self.context.conformance(Conformance { ty, protocol, kind }));
        }
        let outer = self.generics().clone();
        let conformance = self.concrete_conformance();
        self.set_generics(outer);
        Ok(conformance?.0)
    }

    /// Reads `<T> C<T>: P module m`, `C<Int>: specialize <Int> (…)`, `D: inherit (…)`. Also returns the signature,
    /// whose generic parameters stay in scope.
    fn concrete_conformance(&mut self) -> Parsed<(ConformanceId, Option<SignatureId>)> {
        let (signature, ty) = self.conforming_type()?;
        self.cursor.expect(Token::Colon)?;
        let (protocol, kind) = match self.cursor.peek_text() {
            "specialize" if self.cursor.peek_second() == Token::Less => {
                self.cursor.bump();
                let arguments = self.generic_arguments()?;
                let base = self.base_conformance()?;
                let declared = match self.context.declared_conformance(base).kind {
                    ConformanceKind::Normal { signature, .. } => signature,
                    _ => None,
                };
                let substitutions = self.context.substitutions(declared.unwrap_or_default(), arguments);
                (self.context.get_conformance(base).protocol, ConformanceKind::Specialized { base, substitutions })
            }
            "inherit" if self.cursor.peek_second() == Token::LeftParen => {
                self.cursor.bump();
                let base = self.base_conformance()?;
                (self.context.get_conformance(base).protocol, ConformanceKind::Inherited { base })
            }
            _ => {
                let named = self.nominal(PROTOCOLS)?;
                let protocol = self.declared_protocol(ty, named);
                self.cursor.expect_word("module")?;
                let module = self.context.name(plain_name(self.cursor.expect(Token::Identifier)?));
                (protocol, ConformanceKind::Normal { signature, module })
            }
        };
        Ok((self.context.conformance(Conformance { ty, protocol, kind }), signature))
    }

    /// Returns the protocol with the name of `named` to which `ty` declares conformance. A table has only the name,
    /// which nested protocols may share. Returns `named` if the declarations do not determine it.
    fn declared_protocol(&self, ty: TypeId, named: NominalId) -> NominalId {
        let Type::Nominal(nominal) = self.context.get(ty) else { return named };
        let mut declared = Vec::new();
        let mut open = vec![nominal.declaration];
        while let Some(next) = open.pop() {
            for stated in &self.declarations.get(next).conformances {
                let members = match self.context.get(stated.protocol) {
                    Type::Composition(composition) => &composition.members[..],
                    _ => std::slice::from_ref(&stated.protocol),
                };
                for member in members {
                    if let Type::Protocol { protocol, .. } = self.context.get(*member)
                        && !declared.contains(protocol)
                    {
                        declared.push(*protocol);
                        open.push(*protocol);
                    }
                }
            }
        }
        let name = |protocol| self.declarations.get(protocol).name;
        let called = |protocol: &&NominalId| name(**protocol) == name(named);
        if declared.contains(&named) { named } else { declared.iter().find(called).copied().unwrap_or(named) }
    }

    fn base_conformance(&mut self) -> Parsed<ConformanceId> {
        self.cursor.expect(Token::LeftParen)?;
        let outer = self.generics().clone();
        let conformance = self.concrete_conformance();
        self.set_generics(outer);
        let (conformance, _) = conformance?;
        self.cursor.expect(Token::RightParen)?;
        Ok(conformance)
    }

    /// Reads `<T where T : P> C<T>`. A signature in front of a function type still belongs to the conformance.
    fn conforming_type(&mut self) -> Parsed<(Option<SignatureId>, TypeId)> {
        if !self.cursor.at(Token::Less) {
            return Ok((None, self.formal_type()?));
        }
        let signature = self.generic_signature()?;
        self.set_generics(GenericScope::of(self.context, signature));
        Ok((Some(signature), self.formal_type()?))
    }
}

/// The syntax of the subject of a requirement.
#[derive(Clone, Copy)]
enum Subject {
    AssociatedType,
    Parameter,
}
