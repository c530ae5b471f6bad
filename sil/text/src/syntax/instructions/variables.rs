//! Debug variables of `debug_value`, `alloc_stack` and `alloc_box`: `, let, name "x", argno 1, expr op_deref`.

use sil_ir::context::{Mutability, TypeId};
use sil_ir::model::{DebugLocation, DebugOperator, DebugVariable, Details};

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads the description of a variable, if present.
    pub(super) fn variable(&mut self) -> Parsed<()> {
        let mut variable = DebugVariable {
            mutability: None,
            name: None,
            argument: None,
            ty: None,
            implicit: false,
            location: None,
            declared: None,
            expression: Vec::new(),
        };
        let mut found = false;
        while self.reader.cursor.at(Token::Comma) && !self.at_location() {
            self.reader.cursor.bump();
            self.variable_part(&mut variable)?;
            found = true;
        }
        if found {
            variable.ty = variable.ty.filter(|ty| Some(ty.ty) != self.described_type());
            self.draft.details = Details::Variable(Box::new(variable));
        }
        Ok(())
    }

    /// Returns the type of the described value, which is the default type of the variable (`AllocStackInst::create`,
    /// `DebugValueInst::create`).
    fn described_type(&self) -> Option<TypeId> {
        match (self.draft.operands.first(), self.draft.types.first()) {
            (Some(value), _) => Some(self.body.ty(*value).ty),
            (None, ty) => ty.map(|ty| ty.ty),
        }
    }

    fn variable_part(&mut self, variable: &mut DebugVariable) -> Parsed<()> {
        if self.reader.cursor.eat(Token::LeftParen) {
            return self.located_name(variable);
        }
        match self.reader.cursor.peek_text() {
            "let" => {
                self.reader.cursor.bump();
                variable.mutability = Some(Mutability::Let);
            }
            "var" => {
                self.reader.cursor.bump();
                variable.mutability = Some(Mutability::Var);
            }
            "implicit" => {
                self.reader.cursor.bump();
                variable.implicit = true;
            }
            "name" => self.variable_name(variable)?,
            "argno" => {
                self.reader.cursor.bump();
                variable.argument = Some(self.reader.cursor.expect_number()?);
            }
            "type" => {
                self.reader.cursor.bump();
                variable.ty = Some(self.reader.sil_type()?);
            }
            "expr" => {
                self.reader.cursor.bump();
                self.debug_expression(&mut variable.expression)?;
            }
            _ => return Err(self.reader.cursor.expected("'let', 'var', 'name', 'argno', 'type' or 'expr'")),
        }
        Ok(())
    }

    fn variable_name(&mut self, variable: &mut DebugVariable) -> Parsed<()> {
        self.reader.cursor.expect_word("name")?;
        let name = self.string()?;
        variable.name = Some(self.reader.context.name(&name));
        Ok(())
    }

    /// Reads `(name "x", loc "f":1:2, scope 3)` after its opening bracket.
    fn located_name(&mut self, variable: &mut DebugVariable) -> Parsed<()> {
        self.variable_name(variable)?;
        let mut location = DebugLocation::default();
        while self.reader.cursor.eat(Token::Comma) {
            self.location_part(&mut location)?;
        }
        variable.location = Some(location);
        self.reader.cursor.expect(Token::RightParen)?;
        Ok(())
    }

    /// Reads `op_deref:op_fragment:#T.x`.
    fn debug_expression(&mut self, expression: &mut Vec<DebugOperator>) -> Parsed<()> {
        loop {
            let operator = self.debug_operator()?;
            expression.push(operator);
            if !self.reader.cursor.eat(Token::Colon) {
                return Ok(());
            }
        }
    }

    fn debug_operator(&mut self) -> Parsed<DebugOperator> {
        let error = self.reader.cursor.expected("an operator of a debug expression such as 'op_deref'");
        Ok(match self.reader.cursor.bump() {
            "op_deref" => DebugOperator::Dereference,
            "op_plus" => DebugOperator::Plus,
            "op_minus" => DebugOperator::Minus,
            "op_fragment" => {
                self.reader.cursor.expect(Token::Colon)?;
                DebugOperator::Fragment(self.reader.member()?)
            }
            "op_tuple_fragment" => {
                self.reader.cursor.expect(Token::Colon)?;
                let ty = self.reader.sil_type()?.ty;
                self.reader.cursor.expect(Token::Colon)?;
                DebugOperator::TupleFragment(ty, self.reader.cursor.expect_number()?)
            }
            "op_constu" => {
                self.reader.cursor.expect(Token::Colon)?;
                DebugOperator::ConstantUnsigned(self.reader.cursor.expect_number()?)
            }
            "op_consts" => {
                self.reader.cursor.expect(Token::Colon)?;
                let negative = self.reader.cursor.eat(Token::Minus);
                let magnitude: u64 = self.reader.cursor.expect_number()?;
                let value = magnitude as i64;
                DebugOperator::ConstantSigned(if negative { value.wrapping_neg() } else { value })
            }
            _ => return Err(error),
        })
    }
}
