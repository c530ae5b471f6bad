//! Instructions of explicitly written code, at which warnings can be placed.

use sil_analysis::ApplySite;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::AllocVariable;
use sil_ir::model::{
    BlockId, Body, Definition, Details, ENTRY_POINT_NAMES, InstructionId, ScopeParent, SourcePlace, Value,
};
use sil_ir::symbols::{Entity, Symbol};

use crate::messages::findings::source_place;
use crate::pass::Environment;

/// The prefix of the variables that result builders store the results of statements in.
const RESULT_VARIABLE: &str = "$__builder";

/// The explicitly written code of a function.
#[derive(Clone, Copy)]
pub(crate) struct WrittenCode<'m> {
    environment: Environment<'m>,
}

impl<'m> WrittenCode<'m> {
    pub(crate) fn new(environment: Environment<'m>) -> Self {
        Self { environment }
    }

    /// Returns whether an instruction belongs to explicitly written code.
    pub(crate) fn contains(self, id: InstructionId) -> bool {
        let instruction = &self.environment.body.instructions[id];
        let opcode = instruction.opcode;
        match instruction.location {
            // Without locations, only instructions that always belong to expressions.
            None => is_of_expression(opcode) && !self.calls_defer(id) && !self.is_status(id),
            Some(location) => {
                let is_written = !location.automatic && location.place.is_some();
                let Environment { module, function, .. } = self.environment;
                // The epilogue of an initialiser has the location of its declaration.
                let is_declaration = location.place == module.place_of_function(function.name);
                let is_code = is_written && !is_declaration && !is_clean_up(opcode) && !self.is_case_variable(id);
                is_code && !self.is_implicit_return(id) && !self.calls_defer(id) && !self.is_of_result_builder(id)
            }
        }
    }

    /// Returns the source location of the code of an instruction. A switch instruction has the location of the first
    /// case, so the location of its `switch` statement is returned.
    pub(crate) fn place(self, id: InstructionId) -> Option<SourcePlace> {
        use Opcode::{SwitchEnum, SwitchEnumAddr, SwitchValue};
        let body = self.environment.body;
        let is_switch = matches!(body.instructions[id].opcode, SwitchEnum | SwitchEnumAddr | SwitchValue);
        let statement = self.switch_statement(id).filter(|_| is_switch).flatten();
        statement.or_else(|| source_place(body, id))
    }

    /// Returns the start of the `switch` statement that an instruction belongs to: a scope of its own, with the cases
    /// on later lines. `None` if it belongs to another statement; `Some(None)` without locations.
    pub(crate) fn switch_statement(self, id: InstructionId) -> Option<Option<SourcePlace>> {
        let Some(location) = self.environment.body.instructions[id].location else { return Some(None) };
        let place = location.place?;
        let scope = self.environment.module.scopes.get(location.scope?)?;
        let begin = scope.place.filter(|_| matches!(scope.parent, ScopeParent::Scope(_)))?;
        (begin.file == place.file && begin.line < place.line).then_some(Some(begin))
    }

    /// Returns whether an instruction creates the exit status of the program.
    fn is_status(self, id: InstructionId) -> bool {
        let Environment { module, function, body, .. } = self.environment;
        body.instructions[id].opcode == Opcode::IntegerLiteral
            && ENTRY_POINT_NAMES.contains(&module.context.text(function.name))
    }

    /// Whether an instruction is made of the variable that the patterns of one case share, which the compiler declares.
    fn is_case_variable(self, id: InstructionId) -> bool {
        let Environment { body, analyses, .. } = self.environment;
        let described = body.operands(id).first().map(|value| body.values[*value].definition);
        let Some(Definition::Argument { block, .. }) = described else { return false };
        let ends = analyses.cfg(body).predecessors(block).iter().filter_map(|from| body.terminator(*from));
        let mut opcodes = ends.map(|end| body.instructions[end].opcode);
        body.instructions[id].opcode == Opcode::DebugValue && opcodes.any(|opcode| opcode == Opcode::Br)
    }

    /// Returns whether an instruction calls the code of a `defer`.
    fn calls_defer(self, id: InstructionId) -> bool {
        self.referred(id).is_some_and(|entity| entity.name == "$defer")
    }

    /// Returns the function that an instruction references or calls.
    fn referred(self, id: InstructionId) -> Option<Entity> {
        let called = match &self.environment.body.instructions[id].details {
            Details::Function(name) => Some(*name),
            _ => ApplySite::new(self.environment.body, id).and_then(ApplySite::called_function),
        };
        Symbol::demangle(self.environment.module.context.text(called?))?.entity()
    }

    /// Returns whether an instruction belongs to a result builder: it uses a variable for a statement's result, or has
    /// the location of such a variable and calls no function but one of the builder (lib/Sema/BuilderTransform.cpp).
    fn is_of_result_builder(self, id: InstructionId) -> bool {
        let body = self.environment.body;
        let place = |id: InstructionId| body.instructions[id].location.and_then(|location| location.place);
        let opcode = body.instructions[id].opcode;
        let is_implicit = match self.referred(id) {
            Some(entity) => entity.name.starts_with("build"),
            None => matches!(opcode, Opcode::Metatype | Opcode::Assign) || !is_of_expression(opcode),
        };
        let is_used = || body.operands(id).iter().any(|operand| self.is_result_variable(variable_at(body, *operand)));
        let is_made = || {
            let mut made = body.placed_instructions().filter(|other| place(*other) == place(id));
            made.any(|other| self.is_result_variable(Some(other)))
        };
        is_implicit && place(id).is_some() && (is_used() || is_made())
    }

    /// Returns whether an instruction allocates a variable for a statement's result in a result builder.
    fn is_result_variable(self, made: Option<InstructionId>) -> bool {
        let allocation = made.and_then(|made| AllocVariable::get(self.environment.body, made));
        let name = allocation.and_then(|allocation| allocation.variable?.name);
        name.is_some_and(|name| self.environment.module.context.text(name).starts_with(RESULT_VARIABLE))
    }

    /// Returns whether an instruction is an explicit `return`, which branches from another location to the end of the
    /// function.
    pub(crate) fn is_explicit_return(self, id: InstructionId) -> bool {
        let body = self.environment.body;
        let [target] = *body.targets(id) else { return false };
        let place = |id: InstructionId| body.instructions[id].location.and_then(|location| location.place);
        let end = body.terminator(target).filter(|end| body.instructions[*end].opcode == Opcode::Return);
        let Some(end) = end.filter(|_| body.instructions[id].opcode == Opcode::Br && place(id).is_some()) else {
            return false;
        };
        match *body.operands(id) {
            [] => place(id) != place(end) && self.is_fallen_into(target, end),
            [value] => {
                let returned = body.operands(end).first();
                let made = body.defining(value);
                returned.is_some_and(|returned| body.blocks[target].arguments.contains(returned))
                    && made.is_none_or(|made| place(made) != place(id))
            }
            _ => false,
        }
    }

    /// Returns whether control also falls into the last block, which ends with `end`, at the end of a function that
    /// returns nothing: the other branches there are returns.
    fn is_fallen_into(self, block: BlockId, end: InstructionId) -> bool {
        let Environment { body, analyses, .. } = self.environment;
        let place = |id: InstructionId| body.instructions[id].location.and_then(|location| location.place);
        let predecessors = analyses.cfg(body).predecessors(block).iter();
        predecessors.filter_map(|block| body.terminator(*block)).any(|branch| place(branch) == place(end))
    }

    /// Returns whether an instruction belongs to an implicit return: it has the location of the returned value or of
    /// the branch to the exit.
    pub(crate) fn is_implicit_return(self, id: InstructionId) -> bool {
        let body = self.environment.body;
        let place = |id: InstructionId| body.instructions[id].location.and_then(|location| location.place);
        let is_there = |other: InstructionId| place(other) == place(id);
        let is_return = |end: &InstructionId| body.instructions[*end].opcode == Opcode::Return;
        let returned = |end: InstructionId| body.operands(end).first().copied();
        let end = body.terminator(body.instructions[id].block);
        let leads_there = |branch: InstructionId| {
            let [target] = *body.targets(branch) else { return false };
            let passed = body.terminator(target).filter(is_return).and_then(returned);
            is_there(branch) && passed.is_some_and(|value| body.blocks[target].arguments.contains(&value))
        };
        if end.is_some_and(leads_there) {
            return true;
        }
        let Some(end) = end.filter(is_return) else {
            return body.instructions[id].opcode == Opcode::Tuple && body.operands(id).is_empty();
        };
        is_there(end) && (id != end || returned(end).and_then(|value| body.defining(value)).is_some_and(is_there))
    }
}

/// Returns the instruction that allocates the variable of an address.
fn variable_at(body: &Body, mut address: Value) -> Option<InstructionId> {
    loop {
        let id = body.defining(address)?;
        match body.instructions[id].opcode {
            Opcode::BeginAccess | Opcode::ProjectBox | Opcode::BeginBorrow | Opcode::MarkUninitialized => {
                address = *body.operands(id).first()?;
            }
            _ => return Some(id),
        }
    }
}

/// Returns whether an instruction belongs to an expression: the ends of scopes and functions have no such instructions.
fn is_of_expression(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Apply
            | TryApply
            | BeginApply
            | PartialApply
            | FunctionRef
            | Metatype
            | Builtin
            | IntegerLiteral
            | FloatLiteral
            | StringLiteral
            | Assign
    )
}

/// Returns whether an instruction ends a scope or lifetime, or branches.
fn is_clean_up(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Br | Unreachable
            | DestroyValue
            | DestroyAddr
            | DeallocStack
            | DeallocBox
            | EndBorrow
            | EndAccess
            | EndLifetime
            | ExtendLifetime
    )
}
