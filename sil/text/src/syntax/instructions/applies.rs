//! Reads apply sites and calls of builtins.

use sil_ir::context::{BuiltinType, Name, SubstitutionMapId, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{builtin_names, parse_builtin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Apply, Builtin, Details};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;
use super::super::suggestion::closest;

const ATTRIBUTES: &[Attribute] = &[
    Attribute::NoThrow,
    Attribute::NoAsync,
    Attribute::CalleeGuaranteed,
    Attribute::Isolated,
    Attribute::OnStack,
    Attribute::Identity,
];

impl BodyReader<'_, '_> {
    /// Reads `[nothrow] %0<Int>(%1, %2) : $@convention(thin) …`, and the targets of a `try_apply`.
    pub(super) fn apply(&mut self, opcode: Opcode) -> Parsed<()> {
        let isolation = self.apply_attributes()?;
        self.untyped_operand()?;
        let (arguments, sugar) = self.reader.spelled_optional_generic_arguments()?;
        self.untyped_operands()?;
        self.reader.cursor.expect(Token::Colon)?;
        let span = self.reader.cursor.span();
        let callee_type = self.reader.sil_type()?;
        let function_type = match self.reader.context.get(callee_type.ty) {
            Type::MoveOnlyWrapper(inner) => *inner,
            _ => callee_type.ty,
        };
        let Type::Function(callee) = self.reader.context.get(function_type) else {
            return Err(Box::new(Diagnostic::error("callee-type", "the callee's type is not a function type", span)));
        };
        let substitutions = self.reader.substitutions(callee.signature.unwrap_or_default(), arguments);
        self.want(self.draft.operands[0], callee_type, span)?;
        self.suppose_arguments(opcode, function_type, substitutions);
        self.draft.details =
            Details::Apply(Box::new(Apply { sugar, isolation, ..Apply::new(callee_type, substitutions) }));
        if opcode == Opcode::TryApply {
            self.reader.cursor.expect(Token::Comma)?;
            self.reader.cursor.expect_word("normal")?;
            self.target()?;
            let normal = self.count("normal_count")?;
            self.reader.cursor.expect(Token::Comma)?;
            self.reader.cursor.expect_word("error")?;
            self.target()?;
            let normal = self.count("normal_count")?.or(normal);
            let error = self.count("error_count")?;
            if normal.is_some() || error.is_some() {
                return Err(self
                    .reader
                    .cursor
                    .error("unsupported", "not supported yet: profile counts of a try_apply"));
            }
        }
        Ok(())
    }

    /// Reads the attributes of an apply site; returns `[callee_isolation=…]` and `[caller_isolation=…]`.
    fn apply_attributes(&mut self) -> Parsed<Option<(Name, Name)>> {
        let unspecified = self.reader.context.name("");
        let mut isolation = None;
        loop {
            self.attributes(ATTRIBUTES)?;
            if !self.reader.cursor.at(Token::LeftBracket) {
                return Ok(isolation);
            }
            let key = self.text_after_bracket();
            if key == "called" {
                self.called_attribute()?;
                continue;
            }
            if key != "callee_isolation" && key != "caller_isolation" {
                return Err(self.reader.cursor.error("unknown-attribute", "an apply site has no such attribute"));
            }
            self.reader.cursor.bump();
            self.reader.cursor.bump();
            self.reader.cursor.expect(Token::Equal)?;
            let start = self.reader.cursor.span().start;
            while !matches!(self.reader.cursor.peek(), Token::RightBracket | Token::End) {
                self.reader.cursor.bump();
            }
            let span = self.reader.cursor.span_from(start);
            let text = &self.reader.cursor.text()[span.start as usize..span.end as usize];
            self.reader.cursor.expect(Token::RightBracket)?;
            let name = self.reader.context.name(text);
            let (callee, caller) = isolation.get_or_insert((unspecified, unspecified));
            *(if key == "callee_isolation" { callee } else { caller }) = name;
        }
    }

    /// Reads `[called(exactlyOnce)]`, the number of times a closure may be called.
    fn called_attribute(&mut self) -> Parsed<()> {
        self.reader.cursor.expect(Token::LeftBracket)?;
        self.reader.cursor.expect_word("called")?;
        self.reader.cursor.expect(Token::LeftParen)?;
        let attribute = match self.reader.cursor.peek_text() {
            "atMostOnce" => Attribute::CalledAtMostOnce,
            "exactlyOnce" => Attribute::CalledExactlyOnce,
            _ => return Err(self.reader.cursor.expected("'atMostOnce' or 'exactlyOnce'")),
        };
        self.reader.cursor.bump();
        self.reader.cursor.expect(Token::RightParen)?;
        self.reader.cursor.expect(Token::RightBracket)?;
        self.draft.attributes.insert(attribute);
        Ok(())
    }

    /// Sets the types of arguments that are used before their definitions to those of the callee's parameters.
    fn suppose_arguments(&mut self, opcode: Opcode, callee: TypeId, substitutions: SubstitutionMapId) {
        let unknown = self.draft.operands[1..].iter().any(|operand| self.is_unknown(*operand));
        if !unknown {
            return;
        }
        let Some(conventions) = self.queries.applied_conventions(callee, substitutions) else { return };
        let arguments = self.draft.operands[1..].to_vec();
        let types: Vec<_> = conventions.arguments().map(|argument| argument.ty).collect();
        let skipped = if opcode == Opcode::PartialApply { types.len().saturating_sub(arguments.len()) } else { 0 };
        self.suppose_operands(&arguments, types.into_iter().skip(skipped));
    }

    /// Reads `%0 as $T`. Older SIL has no type here.
    pub(super) fn end_apply(&mut self) -> Parsed<()> {
        self.builtin_operand(BuiltinType::Token)?;
        if self.reader.cursor.eat_word("as") {
            self.written_type()?;
        }
        Ok(())
    }

    /// Reads `"sadd_with_overflow_Int64"<T>(%0, %1) : $T`.
    pub(super) fn builtin(&mut self) -> Parsed<()> {
        let span = self.reader.cursor.span();
        let name = self.string()?;
        let Some(operation) = parse_builtin(&name) else {
            let error = Diagnostic::error("unknown-builtin", format!("unknown builtin '{name}'"), span);
            return Err(Box::new(match similar_builtin(&name) {
                Some(similar) => error.hint(format!("did you mean '{similar}'?")),
                None => error,
            }));
        };
        let arguments = self.reader.optional_generic_arguments()?;
        let signature = self.reader.context.unconstrained_signature(arguments.len());
        let substitutions = self.reader.substitutions(signature, arguments);
        self.operands()?;
        self.reader.cursor.expect(Token::Colon)?;
        self.written_type()?;
        let name = self.reader.context.name(&name);
        self.draft.details = Details::Builtin(Box::new(Builtin::of_operation(name, substitutions, operation)));
        Ok(())
    }
}

/// Returns a likely intended builtin: a similar name in front of the same types.
fn similar_builtin(name: &str) -> Option<String> {
    let is_type = |part: &str| part.starts_with(char::is_uppercase);
    let types = name.split('_').rev().take_while(|part| is_type(part)).map(|part| part.len() + 1).sum::<usize>();
    let (base, types) = name.split_at_checked(name.len().checked_sub(types)?)?;
    let similar = closest(base, builtin_names()).map(|similar| format!("{similar}{types}"))?;
    parse_builtin(&similar).map(|_| similar)
}
