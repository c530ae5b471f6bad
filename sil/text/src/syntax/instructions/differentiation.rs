//! Reads automatic differentiation, and finds the types of its results.

use sil_ir::context::{
    DerivativeKind, Differentiability, DifferentiabilityIndices, FunctionResult, FunctionType, Parameter, SignatureId,
    SilType, Type,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::DifferentiableFunction;
use sil_ir::model::{Details, Extractee};
use sil_ir::source::Span;

use super::super::Parsed;
use super::super::body::BodyReader;
use super::super::entities::differentiability_witnesses::no_such_indices;
use super::super::lexer::Token;

impl BodyReader<'_, '_> {
    /// Reads `[parameters 0] [results 0] %0 with_derivative {%1, %2}`, or `[parameters 0] %0 with_transpose %1`.
    pub(super) fn differentiable_function(&mut self, opcode: Opcode) -> Parsed<()> {
        let parameters = self.reader.differentiability_indices("parameters")?;
        let results = match opcode {
            Opcode::DifferentiableFunction => self.reader.differentiability_indices("results")?,
            // A linear function has one result.
            _ => Box::new([0]),
        };
        self.draft.details = Details::Differentiable(Box::new(DifferentiabilityIndices { parameters, results }));
        self.operand()?;
        if opcode == Opcode::LinearFunction && self.reader.cursor.eat_word("with_transpose") {
            self.operand()?;
        } else if opcode == Opcode::DifferentiableFunction && self.reader.cursor.eat_word("with_derivative") {
            self.reader.cursor.expect(Token::LeftBrace)?;
            self.operand()?;
            self.reader.cursor.expect(Token::Comma)?;
            self.operand()?;
            self.reader.cursor.expect(Token::RightBrace)?;
        }
        self.forwarding()
    }

    /// Reads `[jvp] %0 as $T`.
    pub(super) fn differentiable_function_extract(&mut self, opcode: Opcode) -> Parsed<()> {
        let extractee = match opcode {
            Opcode::LinearFunctionExtract => self.extractee(&[Extractee::Original, Extractee::Transpose])?,
            _ => self.extractee(&[Extractee::Original, Extractee::Jvp, Extractee::Vjp])?,
        };
        self.draft.details = Details::Extractee(extractee);
        self.operand()?;
        self.explicit_type()?;
        self.forwarding()
    }

    /// Reads `[jvp] [reverse] [parameters 0] [results 0] <T> @f : $… as $…`.
    pub(super) fn differentiability_witness_function(&mut self) -> Parsed<()> {
        let extractee = self.extractee(&[Extractee::Jvp, Extractee::Vjp, Extractee::Transpose])?;
        let start = self.reader.cursor.span().start;
        let configuration = self.reader.witness_configuration()?;
        if !self.symbols.has_differentiability_witness(self.queries, &configuration) {
            let span = self.reader.cursor.span_from(start);
            let message = "no such 'sil_differentiability_witness' is in the module";
            return Err(Box::new(Diagnostic::error("unknown-witness", message, span)));
        }
        self.draft.details = Details::DifferentiabilityWitness(extractee, Box::new(configuration));
        self.explicit_type()
    }

    fn extractee(&mut self, allowed: &[Extractee]) -> Parsed<Extractee> {
        self.reader.cursor.expect(Token::LeftBracket)?;
        let text = self.reader.cursor.peek_text();
        let Some(extractee) = allowed.iter().find(|extractee| extractee.name() == text) else {
            let names: Vec<_> = allowed.iter().map(|extractee| format!("'{}'", extractee.name())).collect();
            return Err(self.reader.cursor.expected(names.join(" or ")));
        };
        self.reader.cursor.bump();
        self.reader.cursor.expect(Token::RightBracket)?;
        Ok(*extractee)
    }

    /// Reads `as $T`, if it is ahead.
    fn explicit_type(&mut self) -> Parsed<()> {
        if self.reader.cursor.eat_word("as") {
            self.written_type()?;
        }
        Ok(())
    }

    pub(super) fn differentiable_type(&self, opcode: Opcode, span: Span) -> Parsed<SilType> {
        let function = self.operand_function(span)?;
        let Details::Differentiable(indices) = &self.draft.details else { return Err(no_function(span)) };
        if !function.has_indices(indices) {
            return Err(no_such_indices(span));
        }
        let kind = match opcode {
            Opcode::LinearFunction => Differentiability::Linear,
            _ => Differentiability::Reverse,
        };
        let function = function.with_differentiability(kind, indices);
        Ok(SilType::object(self.reader.context.ty(Type::Function(Box::new(function)))))
    }

    pub(super) fn extracted_type(&self, span: Span) -> Parsed<SilType> {
        if let Some(written) = self.draft.types.first() {
            return Ok(*written);
        }
        let function = self.operand_function(span)?;
        let Details::Extractee(extractee) = self.draft.details else { return Err(no_function(span)) };
        let original = function.without_differentiability();
        let original = self.bundled_original(&original, extractee).unwrap_or(original);
        self.component_type(&original, &function.differentiability_indices(), extractee, None, span)
    }

    /// Returns the type of the original function that the derivative in a `differentiable_function` is of. Swift's
    /// optimizer may replace the original function alone with a specialization, which passes values directly, and an
    /// extraction keeps the type that it was created with (lib/SIL/IR/SILInstructions.cpp,
    /// `DifferentiableFunctionExtractInst`).
    fn bundled_original(&self, original: &FunctionType, extractee: Extractee) -> Option<FunctionType> {
        let made = self.body.defining(*self.draft.operands.first()?)?;
        if self.body.instructions[made].opcode != Opcode::DifferentiableFunction {
            return None;
        }
        let DifferentiableFunction { derivatives, .. } = DifferentiableFunction::of(&self.body, made);
        let derivative = match extractee {
            Extractee::Jvp => derivatives.first(),
            Extractee::Vjp => derivatives.get(1),
            Extractee::Original | Extractee::Transpose => None,
        };
        let ty = self.queries.unsubstituted(self.body.values[*derivative?].ty.ty);
        let Type::Function(derivative) = self.reader.context.get(ty) else { return None };
        // The linear map is the last result of a derivative.
        let (_, results) = derivative.results.split_last()?;
        if results.len() != original.results.len() || derivative.parameters.len() != original.parameters.len() {
            return None;
        }
        let parameters = original.parameters.iter().zip(&derivative.parameters);
        let results = original.results.iter().zip(results);
        Some(FunctionType {
            parameters: parameters.map(|(of, by)| Parameter { convention: by.convention, ..*of }).collect(),
            results: results.map(|(of, by)| FunctionResult { convention: by.convention, ..*of }).collect(),
            ..original.clone()
        })
    }

    pub(super) fn witness_function_type(&self, span: Span) -> Parsed<SilType> {
        if let Some(written) = self.draft.types.first() {
            return Ok(*written);
        }
        let Details::DifferentiabilityWitness(extractee, configuration) = &self.draft.details else {
            return Err(no_function(span));
        };
        let Type::Function(original) = self.reader.context.get(configuration.ty) else { return Err(no_function(span)) };
        let ty = self.component_type(original, &configuration.indices, *extractee, configuration.signature, span)?;
        let is_derivative = matches!(extractee, Extractee::Jvp | Extractee::Vjp);
        if !is_derivative || !self.symbols.reabstraction_thunks.contains(&configuration.original) {
            return Ok(ty);
        }
        let ty = self.queries.derivative_type_of_thunk(ty.ty, &configuration.indices);
        ty.map(SilType::object).ok_or_else(|| no_function(span))
    }

    fn operand_function(&self, span: Span) -> Parsed<&FunctionType> {
        match self.reader.context.get(self.operand_type(0, span)?.ty) {
            Type::Function(function) => Ok(function),
            _ => Err(no_function(span)),
        }
    }

    fn component_type(
        &self,
        original: &FunctionType,
        indices: &DifferentiabilityIndices,
        component: Extractee,
        signature: Option<SignatureId>,
        span: Span,
    ) -> Parsed<SilType> {
        let found = match component {
            Extractee::Original => Some(self.reader.context.ty(Type::Function(Box::new(original.clone())))),
            Extractee::Jvp => self.queries.derivative_type(original, indices, DerivativeKind::Jvp, signature),
            Extractee::Vjp => self.queries.derivative_type(original, indices, DerivativeKind::Vjp, signature),
            Extractee::Transpose => self.queries.transpose_type(original, indices, signature),
        };
        let unknown = || {
            let message = "derivatives by a type whose 'TangentVector' is not declared, without 'as $T'";
            Box::new(Diagnostic::unsupported(message, span))
        };
        found.map(SilType::object).ok_or_else(unknown)
    }
}

fn no_function(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("callee-type", "the operand is not a function", span))
}
