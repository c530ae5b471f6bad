//! Reads bodies of functions and of globals' initialisers: blocks, their arguments, results and locations of
//! instructions. `instructions` reads the operands and attributes after an opcode.

use sil_ir::context::{Name, Requirement, SignatureId, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{AttributeSet, Opcode, OperandTypeRule, Position};
use sil_ir::model::{
    ArgumentFlag, ArgumentFlags, BlockId, Body, Details, LocationTraits, NewInstruction, Ownership, Value,
};
use sil_ir::source::Span;
use sil_ir::types::TypeQueries;

use super::Parsed;
use super::lexer::Token;
use super::module::MOST_DIAGNOSTICS;
use super::reader::Reader;
use super::symbols::Symbols;
use super::values::{BlockNames, Defined, ValueNames};

/// Reads one body.
pub(super) struct BodyReader<'r, 'a> {
    pub(super) reader: &'r mut Reader<'a>,
    pub(super) queries: &'r TypeQueries<'a>,
    pub(super) symbols: &'r Symbols,
    pub(super) body: Body,
    pub(super) draft: Draft,
    function: Option<Name>,
    block: Option<BlockId>,
    values: ValueNames<'a>,
    blocks: BlockNames<'a>,
    result_names: Vec<(&'a str, Span)>,
    /// Whether the function's signature makes types equal, so that a type has several spellings.
    aliased_types: bool,
    /// The type of a value that is used before its definition and has no stated type.
    unknown: TypeId,
    /// The type of a value whose instruction is in error.
    erroneous: TypeId,
}

/// An upper estimate of the text of an instruction without a debug location.
const BYTES_PER_INSTRUCTION: usize = 64;

/// The code of an error that only follows from another one. It is not reported.
const CONSEQUENCE: &str = "consequence";

/// The parts of the instruction that is being read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) attributes: AttributeSet,
    pub(super) details: Details,
    pub(super) operands: Vec<Value>,
    pub(super) types: Vec<SilType>,
    pub(super) targets: Vec<BlockId>,
    pub(super) results: Vec<SilType>,
    /// Operands whose type is not known yet, and the rules that derive it from later parts of the instruction.
    pub(super) unstated: Vec<(Value, OperandTypeRule)>,
    /// The `undef` operands without a stated type.
    pub(super) undefs: Vec<(Value, Span)>,
    /// The number of results that the text names.
    pub(super) named_results: usize,
}

impl Draft {
    fn clear(&mut self) {
        self.attributes = AttributeSet::default();
        self.details = Details::None;
        self.operands.clear();
        self.types.clear();
        self.targets.clear();
        self.results.clear();
        self.unstated.clear();
        self.undefs.clear();
        self.named_results = 0;
    }
}

impl<'r, 'a> BodyReader<'r, 'a> {
    pub(super) fn new(
        reader: &'r mut Reader<'a>,
        queries: &'r TypeQueries<'a>,
        symbols: &'r Symbols,
        function: Option<Name>,
        signature: Option<SignatureId>,
    ) -> Self {
        let requirements = signature.map_or(&[][..], |signature| &reader.context.get_signature(signature).requirements);
        let aliased_types = requirements.iter().any(|requirement| matches!(requirement, Requirement::SameType { .. }));
        let mut body = Body::default();
        body.reserve(reader.cursor.rest().len() / BYTES_PER_INSTRUCTION);
        let unknown = reader.context.ty(Type::unresolved(reader.context.name("<unknown>")));
        let erroneous = reader.context.ty(Type::unresolved(reader.context.name("<erroneous>")));
        Self {
            reader,
            queries,
            symbols,
            body,
            draft: Draft::default(),
            function,
            block: None,
            values: ValueNames::default(),
            blocks: BlockNames::default(),
            result_names: Vec::new(),
            aliased_types,
            unknown,
            erroneous,
        }
    }

    /// Reads blocks and consumes the closing brace. Errors go to the reader's diagnostics.
    pub(super) fn blocks(mut self) -> Body {
        let closed = self.lines();
        if !closed {
            let error = self.reader.cursor.expected("'}' at the end of the body");
            self.report(*error);
        }
        self.finish()
    }

    /// Reads the instructions of a global's initialiser and consumes the closing brace.
    pub(super) fn initializer(mut self) -> Body {
        self.block = Some(self.body.blocks.push(Default::default()));
        let closed = self.lines();
        if !closed {
            let error = self.reader.cursor.expected("'}' at the end of the initialiser");
            self.report(*error);
        }
        self.finish_values();
        self.body
    }

    fn report(&mut self, mut error: Diagnostic) {
        if error.code == CONSEQUENCE || self.reader.diagnostics.len() >= MOST_DIAGNOSTICS {
            return;
        }
        error.function = error.function.or(self.function);
        self.reader.diagnostics.push(error);
    }

    /// Reads labels and instructions. Returns whether a closing brace ends them.
    fn lines(&mut self) -> bool {
        loop {
            match self.reader.cursor.peek() {
                Token::RightBrace => {
                    self.reader.cursor.bump();
                    return true;
                }
                Token::End => return false,
                _ => {}
            }
            let start = self.reader.cursor.position();
            let read = if self.at_label() { self.label() } else { self.instruction() };
            if let Err(error) = read {
                self.report(*error);
                if self.reader.cursor.position() == start {
                    self.reader.cursor.bump();
                }
                self.skip_line();
            } else if !self.at_line_boundary() {
                let error = self.reader.cursor.expected("the end of the line");
                self.report(*error);
                self.skip_line();
            }
        }
    }

    /// Skips to the next line, or to the closing brace if that comes first.
    fn skip_line(&mut self) {
        while !self.at_line_boundary() {
            self.reader.cursor.bump();
        }
    }

    fn at_line_boundary(&self) -> bool {
        let cursor = &self.reader.cursor;
        cursor.at_line_start() || matches!(cursor.peek(), Token::RightBrace | Token::End)
    }

    /// Returns whether a label is ahead: a word followed by a colon, or by a bracket if the word is no opcode.
    fn at_label(&self) -> bool {
        let cursor = &self.reader.cursor;
        if !cursor.at(Token::Identifier) {
            return false;
        }
        match cursor.peek_second() {
            Token::Colon => true,
            Token::LeftParen => Opcode::from_name(cursor.peek_text()).is_none(),
            _ => false,
        }
    }

    fn label(&mut self) -> Parsed<()> {
        let span = self.reader.cursor.span();
        let text = self.reader.cursor.bump();
        let body = &mut self.body;
        let block = self.blocks.refer(text, span, || body.blocks.push(Default::default()));
        if !self.blocks.define(block) {
            // The instructions that follow need a block, so that they cause no further errors.
            self.block = Some(self.body.blocks.push(Default::default()));
            return Err(Box::new(Diagnostic::error(
                "duplicate-block",
                format!("a second block is called '{text}'"),
                span,
            )));
        }
        self.block = Some(block);
        let number = text.strip_prefix("bb").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        self.body.blocks[block].label = (!number).then(|| self.reader.context.name(text));
        self.body.blocks[block].span = Some(span);
        if self.reader.cursor.eat(Token::LeftParen) {
            loop {
                self.argument(block)?;
                if !self.reader.cursor.eat(Token::Comma) {
                    break;
                }
            }
            self.reader.cursor.expect(Token::RightParen)?;
        }
        self.reader.cursor.expect(Token::Colon)?;
        Ok(())
    }

    /// Reads `%0 : @noImplicitCopy @owned $T`.
    fn argument(&mut self, block: BlockId) -> Parsed<()> {
        let span = self.reader.cursor.span();
        let name = self.reader.cursor.expect(Token::LocalValue)?;
        self.reader.cursor.expect(Token::Colon)?;
        let mut flags = ArgumentFlags::default();
        let mut ownership = Ownership::None;
        while self.reader.cursor.at(Token::AtName) {
            let text = self.reader.cursor.peek_text();
            if let Some(flag) = ArgumentFlag::from_name(text) {
                flags.insert(flag);
            } else if let Some(found) = ownership_kind(text) {
                ownership = found;
            } else {
                return Err(self.reader.cursor.expected("an ownership such as '@owned' or a type"));
            }
            self.reader.cursor.bump();
        }
        // A reborrow is guaranteed; SIL then prints no ownership.
        if flags.contains(ArgumentFlag::Reborrow) && ownership == Ownership::None {
            ownership = Ownership::Guaranteed;
        }
        let ty = self.reader.sil_type()?;
        let value = self.body.add_argument(block, ty, ownership);
        self.body.values[value].flags = flags;
        self.define(name, value, span)
    }

    /// Binds `name` to `value`.
    fn define(&mut self, name: &'a str, value: Value, span: Span) -> Parsed<()> {
        if name[1..].bytes().any(|byte| !byte.is_ascii_digit()) {
            self.body.values[value].name = Some(self.reader.context.name(&name[1..]));
        }
        match self.values.define(name, value) {
            Defined::New => Ok(()),
            Defined::Duplicate => {
                let message = format!("the value '{name}' is defined twice");
                Err(Box::new(Diagnostic::error("duplicate-value", message, span)))
            }
            Defined::Pending(stand_in) => {
                let (used, defined) = (self.body.values[stand_in].ty, self.body.values[value].ty);
                if used.ty == self.unknown || defined.ty == self.erroneous || self.queries.agree(used, defined) {
                    return Ok(());
                }
                let message = format!("the value '{name}' was used with another type before");
                Err(Box::new(Diagnostic::error("type-mismatch", message, span)))
            }
        }
    }

    fn instruction(&mut self) -> Parsed<()> {
        if !self.reader.cursor.at_line_start() {
            return Err(self.reader.cursor.expected("an instruction at the start of a line"));
        }
        let mut names = std::mem::take(&mut self.result_names);
        names.clear();
        let read = self.named_instruction(&mut names);
        self.result_names = names;
        read
    }

    fn named_instruction(&mut self, names: &mut Vec<(&'a str, Span)>) -> Parsed<()> {
        let named = self.result_list(names)?;
        let start = self.reader.cursor.span();
        self.draft.clear();
        self.draft.named_results = names.len();
        let read = self.opcode().and_then(|opcode| {
            self.operation(opcode)?;
            let location = self.location()?;
            Ok((opcode, location, self.reader.cursor.span_from(start.start)))
        });
        let (opcode, location, span) = match read {
            Ok(read) => read,
            Err(error) => {
                // The names stay defined, so that their uses cause no further errors.
                self.define_unknown(names);
                return Err(error);
            }
        };
        if let Err(error) = self.results(opcode, span).and_then(|()| self.check_undefs()) {
            self.define_unknown(names);
            return Err(error);
        }
        let block = self.current_block(span)?;
        let draft = &mut self.draft;
        let id = self.body.append(
            block,
            NewInstruction {
                opcode,
                attributes: draft.attributes,
                details: std::mem::take(&mut draft.details),
                operands: &draft.operands,
                types: &draft.types,
                targets: &draft.targets,
                results: &draft.results,
                span,
                location,
                traits: LocationTraits::default(),
            },
        );
        if opcode.information().position == Position::Terminator {
            self.block = None;
        }
        let results = self.body.results(id);
        if named && results.len() != names.len() {
            let (wanted, found) = (results.len(), names.len());
            self.define_unknown(names);
            let message = format!("'{}' has {wanted} results, but {found} are named", opcode.name());
            return Err(Box::new(Diagnostic::error("result-count", message, start)));
        }
        for ((name, span), value) in names.iter().zip(results) {
            self.define(name, value, *span)?;
        }
        Ok(())
    }

    /// Checks that each `undef` without a stated type got one from its instruction.
    fn check_undefs(&self) -> Parsed<()> {
        match self.draft.undefs.iter().find(|(value, _)| self.is_unknown(*value)) {
            Some((_, span)) => {
                let message = "nothing says which type 'undef' has here: write it as 'undef : $T'";
                Err(Box::new(Diagnostic::error("unknown-operand-type", message, *span)))
            }
            None => Ok(()),
        }
    }

    /// Defines the results of an erroneous instruction as undefined values.
    fn define_unknown(&mut self, names: &[(&'a str, Span)]) {
        for (name, _) in names {
            let value = self.body.undef(SilType::object(self.erroneous));
            self.values.define(name, value);
        }
    }

    /// Returns the block for the next instruction. Only the entry block may lack a label.
    fn current_block(&mut self, span: Span) -> Parsed<BlockId> {
        if let Some(block) = self.block {
            return Ok(block);
        }
        if self.body.blocks.is_empty() {
            let body = &mut self.body;
            let block = self.blocks.refer("", span, || body.blocks.push(Default::default()));
            self.blocks.define(block);
            self.block = Some(block);
            return Ok(block);
        }
        let message = "an instruction stands outside of all blocks: a label such as 'bb1:' is missing before it";
        Err(Box::new(Diagnostic::error("no-block", message, span)))
    }

    /// Reads `%0 =` or `(%0, %1) =`. Returns whether a result list is present.
    fn result_list(&mut self, names: &mut Vec<(&'a str, Span)>) -> Parsed<bool> {
        let cursor = &mut self.reader.cursor;
        match cursor.peek() {
            Token::LocalValue => {
                let span = cursor.span();
                names.push((cursor.bump(), span));
            }
            Token::LeftParen => {
                cursor.bump();
                while !cursor.eat(Token::RightParen) {
                    let span = cursor.span();
                    names.push((cursor.expect(Token::LocalValue)?, span));
                    if !cursor.eat(Token::Comma) && !cursor.at(Token::RightParen) {
                        return Err(cursor.expected("',' or ')'"));
                    }
                }
            }
            _ => return Ok(false),
        }
        cursor.expect(Token::Equal)?;
        Ok(true)
    }

    /// Reads the name of a value. A name that is not defined yet gets a placeholder of unknown type.
    pub(super) fn value(&mut self) -> Parsed<Value> {
        let cursor = &mut self.reader.cursor;
        let span = cursor.span();
        match cursor.peek() {
            Token::LocalValue => {
                let name = cursor.bump();
                if let Some(value) = self.values.find(name) {
                    return Ok(value);
                }
                let value = self.body.undef(SilType::object(self.unknown));
                self.values.expect(name, value, span);
                Ok(value)
            }
            Token::Identifier if cursor.at_word("undef") => {
                cursor.bump();
                let value = self.body.undef(SilType::object(self.unknown));
                self.draft.undefs.push((value, span));
                Ok(value)
            }
            Token::LeftBracket => Err(cursor.error("unknown-attribute", "this instruction has no such attribute")),
            _ => Err(cursor.expected("a value such as '%0'")),
        }
    }

    /// Reads `%0`, or `%0 : $T`.
    pub(super) fn typed_value(&mut self) -> Parsed<Value> {
        let value = self.value()?;
        if !self.reader.cursor.at(Token::Colon) {
            return Ok(value);
        }
        // Handwritten SIL may omit the dollar sign.
        let ahead = self.reader.cursor.peek_second();
        if !matches!(ahead, Token::Dollar | Token::Identifier | Token::LeftParen | Token::AtName) {
            return Ok(value);
        }
        self.reader.cursor.bump();
        let span = self.reader.cursor.span();
        let ty = match self.reader.cursor.at(Token::Dollar) {
            true => self.reader.sil_type()?,
            false => SilType::object(self.reader.lowered_type()?),
        };
        self.want(value, ty, span)?;
        Ok(value)
    }

    /// Checks that `value` has the type `ty`, or sets its type if that is not known yet.
    pub(super) fn want(&mut self, value: Value, ty: SilType, span: Span) -> Parsed<()> {
        let known = self.body.values[value].ty;
        if known == ty {
            return Ok(());
        }
        if known.ty == self.unknown || (known.ty != self.erroneous && self.is_unstated(known)) {
            self.body.values[value].ty = ty;
            return Ok(());
        }
        if known.ty == self.erroneous || self.same_type(known, ty) {
            return Ok(());
        }
        let message = "the value is used with another type than it is defined with";
        Err(Box::new(Diagnostic::error("type-mismatch", message, span)))
    }

    /// Returns whether the type is a part of a type whose declaration is not available. A use can then determine it.
    fn is_unstated(&self, ty: SilType) -> bool {
        matches!(self.reader.context.get(ty.ty), Type::Unresolved { .. })
    }

    fn same_type(&self, first: SilType, second: SilType) -> bool {
        self.queries.agree(first, second) || (self.aliased_types && first.category == second.category)
    }

    /// Returns whether the type of `value` is not known yet.
    pub(super) fn is_unknown(&self, value: Value) -> bool {
        self.body.values[value].ty.ty == self.unknown
    }

    /// Sets the type of `value` to `ty` if it is not known yet.
    pub(super) fn suppose(&mut self, value: Value, ty: SilType) {
        if self.body.values[value].ty.ty == self.unknown {
            self.body.values[value].ty = ty;
        }
    }

    /// Returns the type of operand number `index` of the instruction that is being read.
    pub(super) fn operand_type(&self, index: usize, span: Span) -> Parsed<SilType> {
        let missing = || Box::new(Diagnostic::error("operand-count", "an operand is missing", span));
        let value = *self.draft.operands.get(index).ok_or_else(missing)?;
        let ty = self.body.values[value].ty;
        if ty.ty == self.erroneous {
            return Err(Box::new(Diagnostic::error(CONSEQUENCE, "the operand is in error", span)));
        }
        if ty.ty == self.unknown {
            let message = "the type of an operand is not known here: write it as '%0 : $T'";
            return Err(Box::new(Diagnostic::error("unknown-operand-type", message, span)));
        }
        Ok(ty)
    }

    /// Reads the label of a successor.
    pub(super) fn target(&mut self) -> Parsed<()> {
        let span = self.reader.cursor.span();
        if !self.reader.cursor.at(Token::Identifier) {
            return Err(self.reader.cursor.expected("a block such as 'bb1'"));
        }
        let label = self.reader.cursor.bump();
        let body = &mut self.body;
        let block = self.blocks.refer(label, span, || body.blocks.push(Default::default()));
        self.draft.targets.push(block);
        Ok(())
    }

    fn finish(mut self) -> Body {
        self.finish_values();
        for block in self.blocks.undefined() {
            let message = format!("no block is called '{}'", block.label);
            self.report(Diagnostic::error("unknown-block", message, block.span));
        }
        for (id, block) in &self.body.blocks {
            let last = self.body.terminator(id).map(|id| &self.body.instructions[id]);
            if last.is_none_or(|last| last.opcode.information().position != Position::Terminator) {
                let span = last.map(|last| last.span).or(block.span);
                if let Some(span) = span.filter(|_| self.reader.diagnostics.is_empty()) {
                    let message = "the block does not end with a terminator such as 'return' or 'br'";
                    let error = Diagnostic::error("no-terminator", message, span);
                    self.reader.diagnostics.push(Diagnostic { function: self.function, ..error });
                }
            }
        }
        self.body.reorder_blocks(self.blocks.order());
        self.body
    }

    fn finish_values(&mut self) {
        for value in self.values.undefined() {
            let message = format!("the value '{}' is not defined", value.name);
            self.report(Diagnostic::error("undefined-value", message, value.span));
        }
        self.values.resolve(self.body.all_operands_mut());
        self.keep_names_for_tests();
        self.body.shrink();
    }
}

impl BodyReader<'_, '_> {
    /// Keeps the names of values that `specify_test` instructions mention, even if they are numbers.
    fn keep_names_for_tests(&mut self) {
        let mut named = Vec::new();
        for instruction in self.body.instructions.values() {
            if let (Opcode::SpecifyTest, Details::Message(specification)) = (instruction.opcode, &instruction.details) {
                let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
                for (start, _) in specification.match_indices('%') {
                    let rest = &specification[start + 1..];
                    let end = rest.find(|character| !is_of_name(character)).unwrap_or(rest.len());
                    let value = self.values.find(&specification[start..start + 1 + end]);
                    named.extend(value.map(|value| (value, self.reader.context.name(&rest[..end]))));
                }
            }
        }
        for (value, name) in named {
            self.body.values[value].name = Some(name);
        }
    }
}

/// Returns the ownership that `@owned`, `@guaranteed`, `@unowned` or `@none` names.
pub(super) fn ownership_kind(text: &str) -> Option<Ownership> {
    match text {
        "@owned" => Some(Ownership::Owned),
        "@guaranteed" => Some(Ownership::Guaranteed),
        "@unowned" => Some(Ownership::Unowned),
        "@none" | "@any" => Some(Ownership::None),
        _ => None,
    }
}
