//! Which instructions stand for what people wrote, so that warnings can point there.

use crate::analysis::ApplySite;
use crate::instructions::Opcode;
use crate::model::views::AllocVariable;
use crate::model::{
    BlockId, Body, Definition, Details, ENTRY_POINT_NAMES, InstructionId, ScopeParent, SourcePlace, Value,
};
use crate::symbols::{Entity, Symbol};
use crate::transform::messages::findings::source_place;
use crate::transform::pass::Environment;

/// How the variables are called that result builders put the results of statements into.
const RESULT_VARIABLE: &str = "$__builder";

/// The code of a function that people wrote.
#[derive(Clone, Copy)]
pub(in crate::transform) struct WrittenCode<'m> {
    environment: Environment<'m>,
}

impl<'m> WrittenCode<'m> {
    pub(in crate::transform) fn new(environment: Environment<'m>) -> Self {
        Self { environment }
    }

    /// Whether people wrote what an instruction was made of.
    pub(in crate::transform) fn contains(self, id: InstructionId) -> bool {
        let instruction = &self.environment.body.instructions[id];
        let opcode = instruction.opcode;
        match instruction.location {
            // Without locations only what nothing but an expression is made of.
            None => is_of_expression(opcode) && !self.calls_defer(id) && !self.is_status(id),
            Some(location) => {
                let is_written = !location.automatic && location.place.is_some();
                let Environment { module, function, .. } = self.environment;
                // What ends an initialiser stands where that is declared.
                let is_declaration = location.place == module.place_of_function(function.name);
                let is_code = is_written && !is_declaration && !is_clean_up(opcode) && !self.is_case_variable(id);
                is_code && !self.is_implicit_return(id) && !self.calls_defer(id) && !self.is_of_result_builder(id)
            }
        }
    }

    /// Where what an instruction was made of stands: what tells cases apart has the place of the first case, and was made of a `switch`.
    pub(in crate::transform) fn place(self, id: InstructionId) -> Option<SourcePlace> {
        use Opcode::{SwitchEnum, SwitchEnumAddr, SwitchValue};
        let body = self.environment.body;
        let is_switch = matches!(body.instructions[id].opcode, SwitchEnum | SwitchEnumAddr | SwitchValue);
        let statement = self.switch_statement(id).filter(|_| is_switch).flatten();
        statement.or_else(|| source_place(body, id))
    }

    /// Where the `switch` statement starts that an instruction belongs to: a scope of its own, with the cases on later lines. None where it
    /// belongs to another statement; a place of none where there are no places.
    pub(in crate::transform) fn switch_statement(self, id: InstructionId) -> Option<Option<SourcePlace>> {
        let Some(location) = self.environment.body.instructions[id].location else { return Some(None) };
        let place = location.place?;
        let scope = self.environment.module.scopes.get(location.scope?)?;
        let begin = scope.place.filter(|_| matches!(scope.parent, ScopeParent::Scope(_)))?;
        (begin.file == place.file && begin.line < place.line).then_some(Some(begin))
    }

    /// Whether an instruction makes the status that a program ends with.
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

    /// Whether an instruction calls what `defer` has put off.
    fn calls_defer(self, id: InstructionId) -> bool {
        self.referred(id).is_some_and(|entity| entity.name == "$defer")
    }

    /// The function that an instruction refers to or calls.
    fn referred(self, id: InstructionId) -> Option<Entity> {
        let called = match &self.environment.body.instructions[id].details {
            Details::Function(name) => Some(*name),
            _ => ApplySite::new(self.environment.body, id).and_then(ApplySite::called_function),
        };
        Symbol::demangle(self.environment.module.context.text(called?))?.entity()
    }

    /// Whether an instruction is made for a result builder: it uses a variable that compilers put a statement's result into, or stands where such a
    /// variable is made and calls no function but one that builds results (lib/Sema/BuilderTransform.cpp).
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

    /// Whether an instruction makes a variable that a result builder puts the result of a statement into.
    fn is_result_variable(self, made: Option<InstructionId>) -> bool {
        let allocation = made.and_then(|made| AllocVariable::get(self.environment.body, made));
        let name = allocation.and_then(|allocation| allocation.variable?.name);
        name.is_some_and(|name| self.environment.module.context.text(name).starts_with(RESULT_VARIABLE))
    }

    /// Whether an instruction is a `return` that people wrote: it brings what stands elsewhere to the end of the function.
    pub(in crate::transform) fn is_explicit_return(self, id: InstructionId) -> bool {
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

    /// Whether a function that returns nothing comes to its last block, which ends with `end`, from its own end as well: what else leads there returns.
    fn is_fallen_into(self, block: BlockId, end: InstructionId) -> bool {
        let Environment { body, analyses, .. } = self.environment;
        let place = |id: InstructionId| body.instructions[id].location.and_then(|location| location.place);
        let predecessors = analyses.cfg(body).predecessors(block).iter();
        predecessors.filter_map(|block| body.terminator(*block)).any(|branch| place(branch) == place(end))
    }

    /// Whether an instruction belongs to the end of a function that people write no `return` for: what is returned is made there, or leads there.
    pub(in crate::transform) fn is_implicit_return(self, id: InstructionId) -> bool {
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

/// What makes the variable that an address is in, or the address of.
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

/// Whether an instruction is made of an expression: compilers end scopes and functions without such.
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

/// Whether an instruction ends what others began, or leads on.
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
