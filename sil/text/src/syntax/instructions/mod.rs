//! Reads the operands, types and attributes after an opcode. Regular forms follow the instruction table piece by piece.
//! Irregular forms are in a file per family, with a counterpart in `print::instructions`.

mod aggregates;
mod allocation;
mod applies;
mod blocks;
mod branches;
mod casts;
mod diagnostics;
mod differentiation;
mod enums;
mod key_paths;
mod literals;
mod locations;
mod memory;
mod methods;
mod opcodes;
mod packs;
mod results;
mod variables;

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::{Attribute, Opcode, OperandTypeRule, Piece, Punctuation};
use sil_ir::model::{Details, Ownership, Value};

use super::Parsed;
use super::body::{BodyReader, ownership_kind};
use super::lexer::Token;
use super::names::string_text;

impl<'a> BodyReader<'_, 'a> {
    /// Reads the text after `opcode` into the draft.
    pub(super) fn operation(&mut self, opcode: Opcode) -> Parsed<()> {
        for piece in opcode.information().syntax {
            self.piece(opcode, *piece)?;
        }
        while let Some((operand, rule)) = self.draft.unstated.pop() {
            if let Some(ty) = self.type_by_rule(rule) {
                self.suppose(operand, ty);
            }
        }
        Ok(())
    }

    /// Returns the type by `rule`, once all operands are read. `None` if the operand that the rule names has no type
    /// either.
    fn type_by_rule(&self, rule: OperandTypeRule) -> Option<SilType> {
        let operand = |index: u8| {
            let value = *self.draft.operands.get(usize::from(index))?;
            (!self.is_unknown(value)).then(|| self.body.values[value].ty)
        };
        Some(match rule {
            OperandTypeRule::Operand(index) => operand(index)?,
            OperandTypeRule::ObjectOf(index) => operand(index)?.object_type(),
            OperandTypeRule::ReferentOf(index) => match self.reader.context.get(operand(index)?.ty) {
                Type::Storage { referent, .. } => SilType::object(*referent),
                _ => return None,
            },
            OperandTypeRule::Builtin(builtin) => self.builtin_type(builtin),
        })
    }

    fn piece(&mut self, opcode: Opcode, piece: Piece) -> Parsed<()> {
        match piece {
            Piece::Attributes(allowed) => self.attributes(allowed),
            Piece::Choice(allowed) => self.choice(allowed),
            Piece::Operand => self.operand(),
            Piece::UntypedOperand(rule) => self.operand_by_rule(rule),
            Piece::OptionalOperand(word, rule) => {
                if self.reader.cursor.eat_word(word) {
                    self.operand_by_rule(rule)
                } else {
                    Ok(())
                }
            }
            Piece::Operands if opcode == Opcode::Struct => self.structure(),
            Piece::Operands => self.operands(),
            Piece::OperandList => self.operand_list(),
            Piece::Type => self.written_type().map(drop),
            Piece::FormalType => {
                self.reader.cursor.expect(Token::Dollar)?;
                self.bare_formal_type()
            }
            Piece::BareFormalType => {
                self.reader.eat_older_dollar();
                self.bare_formal_type()
            }
            Piece::PackType => self.pack_type(),
            Piece::PackShape => self.pack_shape(),
            Piece::Word(word) => self.reader.cursor.expect_word(word),
            Piece::Punctuation(Punctuation::Comma) => self.reader.cursor.expect(Token::Comma).map(drop),
            Piece::Punctuation(Punctuation::Colon) => self.reader.cursor.expect(Token::Colon).map(drop),
            Piece::Member => {
                self.draft.details = Details::Member(self.reader.member()?);
                Ok(())
            }
            Piece::Index => {
                self.draft.details = Details::Index(self.reader.cursor.expect_number()?);
                Ok(())
            }
            Piece::Alignment => self.alignment(),
            Piece::String => {
                self.draft.details = Details::Message(self.string()?.into());
                Ok(())
            }
            Piece::Variable => self.variable(),
            Piece::Forwarding => self.forwarding(),
            Piece::TypedFunction => self.typed_function(),
            Piece::Global => self.global(),
            Piece::Target => self.target(),
            Piece::Own => self.own_form(opcode),
        }
    }

    fn own_form(&mut self, opcode: Opcode) -> Parsed<()> {
        use Opcode::*;
        match opcode {
            AllocRef | AllocRefDynamic => self.alloc_ref(opcode),
            AssignOrInit => self.assign_or_init(),
            UncheckedOwnershipConversion => self.unchecked_ownership_conversion(),
            Object => self.object(),
            Tuple => self.tuple(),
            Enum => self.enumeration(),
            SelectEnum | SelectEnumAddr => self.select_enum(),
            IntegerLiteral => self.integer_literal(),
            FloatLiteral => self.float_literal(),
            StringLiteral => self.string_literal(),
            Apply | BeginApply | TryApply | PartialApply | Thunk => self.apply(opcode),
            EndApply => self.end_apply(),
            Builtin => self.builtin(),
            ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod => self.class_method(),
            WitnessMethod => self.witness_method(),
            UncheckedRefCastAddr | UnconditionalCheckedCastAddr => self.cast_addr(),
            CheckedCastBr => self.checked_cast_br(),
            CheckedCastAddrBr => self.checked_cast_addr_br(),
            ObjCProtocol => self.objc_protocol(),
            OpenPackElement => self.open_pack_element(),
            InitBlockStorageHeader => self.init_block_storage_header(),
            DifferentiableFunction | LinearFunction => self.differentiable_function(opcode),
            DifferentiableFunctionExtract | LinearFunctionExtract => self.differentiable_function_extract(opcode),
            DifferentiabilityWitnessFunction => self.differentiability_witness_function(),
            Keypath => self.key_path(),
            CondFail => self.cond_fail(),
            IncrementProfilerCounter => self.increment_profiler_counter(),
            Yield => self.yield_values(),
            Br => self.br(),
            CondBr => self.cond_br(),
            SwitchValue => self.switch_value(),
            SwitchEnum | SwitchEnumAddr => self.switch_enum(),
            AwaitAsyncContinuation => self.await_async_continuation(),
            _ => Err(self.reader.cursor.error("unsupported", format!("not supported yet: '{}'", opcode.name()))),
        }
    }

    /// Reads attributes in brackets as long as they are among `allowed`.
    fn attributes(&mut self, allowed: &[Attribute]) -> Parsed<()> {
        while self.reader.cursor.at(Token::LeftBracket) {
            let Some(attribute) = attribute_named(self.text_after_bracket()) else { return Ok(()) };
            if !allowed.contains(&attribute) {
                return Ok(());
            }
            self.reader.cursor.bump();
            self.reader.cursor.bump();
            self.reader.cursor.expect(Token::RightBracket)?;
            self.draft.attributes.insert(attribute);
        }
        Ok(())
    }

    /// Returns the text of the second token ahead.
    fn text_after_bracket(&self) -> &'a str {
        let mut ahead = self.reader.cursor.clone();
        ahead.bump();
        ahead.peek_text()
    }

    /// Returns whether a comma and `word` are ahead.
    fn at_comma_and(&self, word: &str) -> bool {
        self.reader.cursor.at(Token::Comma) && self.text_after_bracket() == word
    }

    fn choice(&mut self, allowed: &[Attribute]) -> Parsed<()> {
        let found = allowed.iter().find(|attribute| self.reader.cursor.at_word(attribute.name()));
        let Some(attribute) = found else {
            let names: Vec<_> = allowed.iter().map(|attribute| format!("'{}'", attribute.name())).collect();
            return Err(self.reader.cursor.expected(names.join(" or ")));
        };
        self.reader.cursor.bump();
        self.draft.attributes.insert(*attribute);
        Ok(())
    }

    fn operand(&mut self) -> Parsed<()> {
        let value = self.typed_value()?;
        self.draft.operands.push(value);
        Ok(())
    }

    /// Reads an operand whose type, if it is not known, follows from later parts of the instruction.
    fn operand_by_rule(&mut self, rule: OperandTypeRule) -> Parsed<()> {
        let value = self.value()?;
        self.draft.operands.push(value);
        if self.is_unknown(value) {
            self.draft.unstated.push((value, rule));
        }
        Ok(())
    }

    /// Reads an operand that always has this builtin type.
    fn builtin_operand(&mut self, builtin: BuiltinType) -> Parsed<()> {
        self.operand_by_rule(OperandTypeRule::Builtin(builtin))
    }

    fn untyped_operand(&mut self) -> Parsed<()> {
        let value = self.value()?;
        self.draft.operands.push(value);
        Ok(())
    }

    /// Reads `(%0, %1)`.
    fn operands(&mut self) -> Parsed<()> {
        self.reader.cursor.expect(Token::LeftParen)?;
        if self.reader.cursor.eat(Token::RightParen) {
            return Ok(());
        }
        self.operand_list()?;
        self.reader.cursor.expect(Token::RightParen)?;
        Ok(())
    }

    fn operand_list(&mut self) -> Parsed<()> {
        loop {
            self.operand()?;
            if self.at_location() || !self.reader.cursor.eat(Token::Comma) {
                return Ok(());
            }
        }
    }

    /// Reads `(%0, %1)` without types.
    fn untyped_operands(&mut self) -> Parsed<()> {
        self.reader.cursor.expect(Token::LeftParen)?;
        while !self.reader.cursor.eat(Token::RightParen) {
            self.untyped_operand()?;
            if !self.reader.cursor.eat(Token::Comma) && !self.reader.cursor.at(Token::RightParen) {
                return Err(self.reader.cursor.expected("',' or ')'"));
            }
        }
        Ok(())
    }

    fn written_type(&mut self) -> Parsed<SilType> {
        let ty = self.reader.sil_type()?;
        self.draft.types.push(ty);
        Ok(ty)
    }

    fn bare_formal_type(&mut self) -> Parsed<()> {
        self.draft.details = Details::FormalType(self.reader.formal_type()?);
        Ok(())
    }

    fn pack_type(&mut self) -> Parsed<()> {
        let ty = self.reader.formal_type_with_dollar()?;
        self.draft.types.push(SilType::object(ty));
        Ok(())
    }

    /// Reads a pack type and keeps its shape.
    fn pack_shape(&mut self) -> Parsed<()> {
        let context = self.reader.context;
        let ty = self.reader.formal_type_with_dollar()?;
        let shape = match context.get(ty) {
            Type::Pack { elements, storage } => {
                let void = context.ty(Type::Tuple(Box::default()));
                let is_expansion = |ty: &_| matches!(context.get(*ty), Type::PackExpansion { .. });
                let elements = elements.iter().map(|ty| if is_expansion(ty) { *ty } else { void }).collect();
                context.ty(Type::Pack { elements, storage: *storage })
            }
            _ => ty,
        };
        self.draft.types.push(SilType::object(shape));
        Ok(())
    }

    /// Reads `[align=8]`, if it is ahead.
    fn alignment(&mut self) -> Parsed<()> {
        if !self.reader.cursor.at(Token::LeftBracket) || self.text_after_bracket() != "align" {
            return Ok(());
        }
        self.reader.cursor.bump();
        self.reader.cursor.bump();
        self.reader.cursor.expect(Token::Equal)?;
        let span = self.reader.cursor.span();
        let alignment: u64 = self.reader.cursor.expect_number()?;
        if !alignment.is_power_of_two() {
            let message = format!("the alignment {alignment} is not a power of two");
            return Err(Box::new(sil_ir::diagnostic::Diagnostic::error("alignment", message, span)));
        }
        self.draft.details = Details::Alignment(alignment);
        self.reader.cursor.expect(Token::RightBracket)?;
        Ok(())
    }

    /// Reads `, forwarding: @owned`, if it is ahead.
    fn forwarding(&mut self) -> Parsed<()> {
        if !self.at_comma_and("forwarding") {
            return Ok(());
        }
        self.reader.cursor.bump();
        self.reader.cursor.bump();
        self.reader.cursor.expect(Token::Colon)?;
        let Some(ownership) = ownership_kind(self.reader.cursor.peek_text()) else {
            return Err(self.reader.cursor.expected("an ownership such as '@owned'"));
        };
        self.reader.cursor.bump();
        self.draft.attributes.insert(Attribute::Forwarding);
        match ownership {
            Ownership::Owned => self.draft.attributes.insert(Attribute::Owned),
            Ownership::Guaranteed => self.draft.attributes.insert(Attribute::Guaranteed),
            Ownership::Unowned => self.draft.attributes.insert(Attribute::Unowned),
            Ownership::None => {}
        }
        Ok(())
    }

    fn typed_function(&mut self) -> Parsed<()> {
        let name = self.reader.symbol()?;
        self.draft.details = Details::Function(name);
        if self.reader.cursor.eat(Token::Colon) {
            return self.written_type().map(drop);
        }
        let Some((_, ty)) = self.symbols.functions.get(&name) else {
            return Err(self.reader.cursor.expected("':' and the type of the function"));
        };
        self.draft.types.push(SilType::object(*ty));
        Ok(())
    }

    fn global(&mut self) -> Parsed<()> {
        let name = self.reader.symbol()?;
        let global = self.symbols.globals.get(&name).map(|(global, _)| *global);
        self.draft.details = Details::Global(name, global);
        Ok(())
    }

    /// Reads a string literal and returns its value.
    fn string(&mut self) -> Parsed<String> {
        let span = self.reader.cursor.span();
        let literal = self.reader.cursor.expect(Token::String)?;
        match string_text(literal) {
            Some(text) => Ok(text.into_owned()),
            None => Err(Box::new(sil_ir::diagnostic::Diagnostic::error(
                "string",
                "the string has an unknown escape or is not Unicode",
                span,
            ))),
        }
    }

    /// Reads `!true_count(12)`, if it is ahead.
    fn count(&mut self, word: &str) -> Parsed<Option<u64>> {
        if !self.reader.cursor.at(Token::Exclamation) || self.text_after_bracket() != word {
            return Ok(None);
        }
        self.reader.cursor.bump();
        self.reader.cursor.bump();
        self.reader.cursor.expect(Token::LeftParen)?;
        let count = self.reader.cursor.expect_number()?;
        self.reader.cursor.expect(Token::RightParen)?;
        Ok(Some(count))
    }

    /// Sets the types of operands that are not known yet to `types`, in order.
    fn suppose_operands(&mut self, operands: &[Value], types: impl IntoIterator<Item = SilType>) {
        for (operand, ty) in operands.iter().zip(types) {
            self.suppose(*operand, ty);
        }
    }
}

/// Returns the attribute with the spelling `name`, current or of older SIL.
fn attribute_named(name: &str) -> Option<Attribute> {
    match name {
        "initialization" => Some(Attribute::Init),
        _ => Attribute::from_name(name),
    }
}
