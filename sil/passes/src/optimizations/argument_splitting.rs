//! Splits block arguments of struct or tuple type with several references into one argument per part (`SROABBArgs` of
//! lib/SILOptimizer/Transforms/SimplifyCFG.cpp).

use sil_analysis::{Use, field_number};
use sil_ir::context::SilType;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Definition, Details, Ownership, Place, Value};

use super::phi_arguments::PhiArguments;
use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::{AggregatePart, parts};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const ARGUMENT_SPLITTING: Pass = Pass::new(&Description {
    name: "sroa-bb-args",
    class_name: "SROABBArgs",
    summary: "Splits block arguments with several references into their fields.",
    gates: Gates::OPEN,
    runner: Runner::Function(split),
});

/// Splits the arguments of all blocks of a function without ownership.
pub(crate) fn split(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut editor = Editor::new(environment);
    let mut arguments = PhiArguments { editor: &mut editor };
    if arguments.editor.has_ownership() {
        return Ok(None);
    }
    let blocks = environment.body.blocks.keys().skip(1);
    let mut open: Vec<Value> = blocks.flat_map(|block| environment.body.blocks[block].arguments.clone()).collect();
    while let Some(argument) = open.pop() {
        open.extend(arguments.split(argument).unwrap_or_default());
    }
    Ok(editor.finish())
}

impl PhiArguments<'_, '_> {
    /// Splits an argument. Returns the new arguments, or `None` if the argument is not split.
    fn split(&mut self, argument: Value) -> Option<Vec<Value>> {
        let body = self.editor.body();
        let Definition::Argument { block, .. } = body.values[argument].definition else { return None };
        let index = body.blocks[block].arguments.iter().position(|found| *found == argument)?;
        let incoming = self.incoming(argument)?;
        let ty = body.ty(argument);
        let parts = self.divisible_parts(ty)?;
        let made: Vec<Value> = parts
            .iter()
            .map(|part| self.editor.add_argument(block, SilType::object(part.ty), Ownership::None))
            .collect();
        self.use_parts(argument, block, &made);
        // Operands appended for one edge shift the operands of the next edge.
        for found in incoming.into_iter().rev() {
            self.pass_parts(found, &parts);
        }
        self.editor.remove_argument(block, index);
        Some(made)
    }

    /// The parts of a type with at least two nontrivial parts.
    fn divisible_parts(&self, ty: SilType) -> Option<Vec<AggregatePart>> {
        let parts = parts(self.editor.environment.queries, ty.ty).filter(|_| !ty.is_address())?;
        let counted = parts.iter().filter(|part| !self.editor.is_trivial(SilType::object(part.ty))).count();
        (counted >= 2).then_some(parts)
    }

    /// Replaces extractions from an argument with the new arguments. Other uses get a rebuilt aggregate.
    fn use_parts(&mut self, argument: Value, block: BlockId, made: &[Value]) {
        let queries = self.editor.environment.queries;
        let mut others = Vec::new();
        for found in self.editor.uses(argument) {
            let takes = matches!(self.editor.opcode(found.user), Opcode::StructExtract | Opcode::TupleExtract);
            let number = field_number(queries, self.editor.body(), found.user).filter(|_| takes);
            match number.and_then(|number| made.get(number as usize)) {
                Some(part) => self.editor.replace(found.user, *part),
                None => others.push(found),
            }
        }
        let Some(like) = self.editor.first_located(block).filter(|_| !others.is_empty()) else { return };
        let ty = self.editor.body().ty(argument);
        let is_tuple = queries.tuple_element_types(ty.ty).is_some();
        let whole = self.editor.build(Place::Start(block), like, |builder| match is_tuple {
            true => builder.tuple(made, ty),
            false => builder.structure(made, ty),
        });
        others.into_iter().for_each(|found| self.editor.set_operand(found, whole));
    }

    /// Appends the parts of the passed value to the operands that a branch passes to the block.
    fn pass_parts(&mut self, passed: Use, parts: &[AggregatePart]) {
        let branch = passed.user;
        let whole = passed.value(self.editor.body());
        let taken = self.editor.build(Place::Before(branch), branch, |builder| {
            let take = |part: &AggregatePart| part.extract(builder, whole);
            parts.iter().map(take).collect::<Vec<Value>>()
        });
        let way = self.path_of(passed);
        taken.into_iter().for_each(|part| self.editor.pass_also(branch, way, part));
    }

    /// The index of the successor that an operand is passed to.
    fn path_of(&self, passed: Use) -> usize {
        match self.editor.body().instructions[passed.user].details {
            Details::CondBranch { true_arguments, .. } => usize::from(passed.operand > true_arguments),
            _ => 0,
        }
    }
}
