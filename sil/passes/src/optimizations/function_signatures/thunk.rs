//! Creates the thunk that replaces the original function. It converts between the original and the new signature.

use sil_ir::context::{SilType, SubstitutionMapId};
use sil_ir::instructions::Opcode;

use super::explosion::ArgumentTree;
use super::{Passing, ResultPlan, Shape, Signature};

use sil_ir::model::{Apply, BlockId, Body, Function, InstructionId, Ownership, Place, Value};

use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::specialized_functions::own_arguments;
use crate::knowledge::never_returning::NeverReturning;
use crate::pass::Environment;

/// The conversion of arguments and result.
pub(super) struct Plan {
    arguments: Vec<(Passing, Handover)>,
    result: ResultPlan,
}

/// The passed parts of an argument.
enum Handover {
    Whole,
    Nothing,
    Parts(ArgumentTree),
}

impl Plan {
    pub(super) fn of(signature: &Signature<'_>) -> Self {
        let handover = |shape: &Shape| match shape {
            Shape::Whole => Handover::Whole,
            Shape::Dead => Handover::Nothing,
            Shape::Exploded(tree) => Handover::Parts(tree.clone()),
        };
        let arguments = signature.arguments.iter().map(|plan| (plan.passing, handover(&plan.shape))).collect();
        Self { arguments, result: signature.result.clone() }
    }
}

/// The body of the thunk that calls `called`.
pub(super) fn body(environment: Environment<'_>, plan: &Plan, called: &Function) -> Body {
    let mut thunk = Thunk { environment, body: Body::default() };
    thunk.make(plan, called);
    thunk.body
}

struct Thunk<'m> {
    environment: Environment<'m>,
    body: Body,
}

impl Thunk<'_> {
    fn make(&mut self, plan: &Plan, called: &Function) -> Option<()> {
        let Environment { queries, body: before, .. } = self.environment;
        let entry = self.body.add_block();
        let mut arguments = Vec::new();
        for argument in &before.blocks[before.entry()].arguments {
            let data = &before.values[*argument];
            let made = self.body.add_argument(entry, data.ty, data.ownership);
            self.body.values[made].flags = data.flags;
            arguments.push(made);
        }
        let ty = SilType::object(called.ty);
        let mut operands = vec![self.at(entry).function_ref(called.name, ty)];
        for ((_, handover), argument) in plan.arguments.iter().zip(&arguments) {
            match handover {
                Handover::Whole => operands.push(*argument),
                Handover::Nothing => {}
                Handover::Parts(tree) => {
                    operands.extend(tree.take_apart(&mut self.at(entry), *argument));
                }
            }
        }
        let substitutions = own_arguments(queries.context, called).unwrap_or(SubstitutionMapId::EMPTY);
        let apply = Apply::new(ty, substitutions);
        let conventions = queries.applied_conventions(called.ty, substitutions)?;
        let result = queries.direct_result(conventions);
        let (call, returned, starts) = match queries.direct_error(conventions) {
            None => {
                let returned = self.at(entry).apply(apply, &operands, result);
                let call = self.body.defining(returned)?;
                self.leave(entry, result, returned);
                (call, returned, vec![Place::After(call)])
            }
            Some(error) => {
                let (normal, thrown) = (self.body.add_block(), self.body.add_block());
                let call = self.at(entry).try_apply(apply, &operands, [normal, thrown]);
                let returned = self.body.add_argument(normal, result, Ownership::None);
                let error = self.body.add_argument(thrown, error, Ownership::None);
                self.leave(normal, result, returned);
                self.at(thrown).throw(error);
                (call, returned, vec![Place::Start(normal), Place::Start(thrown)])
            }
        };
        // Each is inserted before the existing ones.
        let lent = plan.arguments.iter().zip(&arguments).filter(|((passing, _), _)| *passing == Passing::Lent);
        for (_, argument) in lent {
            let opcode = match self.body.ty(*argument).is_address() {
                true => Opcode::DestroyAddr,
                false => Opcode::ReleaseValue,
            };
            starts.iter().for_each(|place| self.count(*place, call, opcode, *argument));
        }
        if plan.result != ResultPlan::AsBefore {
            self.count(*starts.first()?, call, Opcode::RetainValue, returned);
        }
        Some(())
    }

    fn leave(&mut self, block: BlockId, result: SilType, returned: Value) {
        if NeverReturning::new(self.environment).is_uninhabited(result.ty) {
            self.at(block).unreachable();
        } else {
            self.at(block).return_value(returned);
        }
    }

    fn count(&mut self, place: Place, call: InstructionId, opcode: Opcode, value: Value) {
        InstructionBuilder::new(&mut self.body, place, call).effect(opcode, value);
    }

    /// The builder at the end of a block.
    fn at(&mut self, block: BlockId) -> InstructionBuilder<'_> {
        let origin = Origin::nowhere(self.environment.function.span);
        InstructionBuilder::of_origin(&mut self.body, Place::End(block), origin)
    }
}
