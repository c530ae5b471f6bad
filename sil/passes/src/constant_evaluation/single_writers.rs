//! Memory in code that is evaluated on demand. Its contents are known if it is initialised once, as a whole or element
//! by element, with a constant (lib/SILOptimizer/Utils/ConstExpr.cpp, `getSingleWriterAddressValue`).

use sil_analysis::{ApplySite, Use, Uses};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, IntegerValue, Store};
use sil_ir::model::{Body, Value};
use sil_ir::types::ArgumentConvention;

use super::evaluator::{Evaluator, FunctionState};
use super::unknown::{Evaluated, UnknownReason};
use super::values::{Address, SymbolicValue};

/// The use of an address.
enum Access {
    /// The memory is not changed.
    None,
    /// A value is stored.
    Store(Value),
    /// The contents of another address are copied.
    Copy(Value),
    /// A call returns an indirect result there.
    Result,
    /// A part is projected.
    Part(Value),
    /// An unknown use.
    Other,
}

impl<'m> Evaluator<'m> {
    /// Returns the address of stack memory with known contents.
    pub(super) fn memory_with_single_writer(
        &mut self,
        state: &mut FunctionState<'m>,
        uses: &'m Uses,
        address: Value,
    ) -> SymbolicValue {
        let place = self.allocate(state, address, SymbolicValue::UninitializedMemory);
        let initialized = self.initialize(state, uses, address).and_then(|()| {
            let is_constant = self.memory.value(place.memory).is_constant();
            let unknown = || self.unknown_value(state.body, address, UnknownReason::NotTopLevelConstant);
            if is_constant { Ok(()) } else { Err(unknown()) }
        });
        match initialized {
            Ok(()) => SymbolicValue::Address(place),
            Err(unknown) => {
                self.memory.set_value(place.memory, SymbolicValue::Unknown(unknown.clone()));
                SymbolicValue::Unknown(unknown)
            }
        }
    }

    /// Determines the value that is written to an address.
    fn initialize(&mut self, state: &mut FunctionState<'m>, uses: &'m Uses, address: Value) -> Evaluated<()> {
        let body = state.body;
        let place = self.address(state, address)?;
        let mut is_divided = false;
        // In reverse order, as Swift visits them.
        for found in uses.of(address).iter().rev() {
            let value = match self.access(body, *found) {
                Access::None => continue,
                Access::Part(part) => {
                    self.initialize(state, uses, part)?;
                    is_divided |= self.is_written(&place);
                    continue;
                }
                Access::Other => return Err(self.unknown_value(body, address, UnknownReason::NotTopLevelConstant)),
                _ if self.is_written(&place) => {
                    return Err(self.unknown_value(body, address, UnknownReason::MultipleTopLevelWriters));
                }
                Access::Store(value) => self.constant(state, value)?,
                Access::Copy(source) => self.loaded_constant(state, source)?,
                Access::Result => {
                    let result = self.call_on_demand(state, found.user)?;
                    state.set_result(found.user, result);
                    continue;
                }
            };
            let written = self.memory.write(self.queries, &place, value);
            written.ok_or_else(|| self.unknown_value(body, address, UnknownReason::InvalidOperandValue))?;
        }
        let is_whole = self.memory.read(&place).is_some_and(|value| match value {
            SymbolicValue::Aggregate(members) => members.iter().all(SymbolicValue::is_constant),
            _ => false,
        });
        match is_divided && !is_whole {
            true => Err(self.unknown_value(body, address, UnknownReason::NotTopLevelConstant)),
            false => Ok(()),
        }
    }

    fn is_written(&self, place: &Address) -> bool {
        !matches!(self.memory.read(place), Some(SymbolicValue::UninitializedMemory))
    }

    fn access(&self, body: &Body, found: Use) -> Access {
        let id = found.user;
        match (body.instructions[id].opcode, found.operand) {
            (Opcode::Load | Opcode::DeallocStack | Opcode::DestroyAddr | Opcode::DebugValue, _) => Access::None,
            (Opcode::CopyAddr, 0) => Access::None,
            (Opcode::Store, 1) => Access::Store(Store::of(body, id).source),
            (Opcode::CopyAddr, 1) => Access::Copy(body.operands(id)[0]),
            (Opcode::Apply, operand) => match self.is_indirect_result(body, found, operand as usize) {
                true => Access::Result,
                false => Access::None,
            },
            // The address of another element is a different address.
            (Opcode::IndexAddr, 0) => {
                let index = body.defining(body.operands(id)[1]).and_then(|id| views::IntegerLiteral::get(body, id));
                match index.map(|literal| literal.value) {
                    Some(IntegerValue::Narrow(0)) | None => Access::Other,
                    Some(_) => Access::None,
                }
            }
            (Opcode::TupleElementAddr, _) => body.result(id).map_or(Access::Other, Access::Part),
            _ => Access::Other,
        }
    }

    /// Returns whether the operand is an indirect result of a call.
    fn is_indirect_result(&self, body: &Body, found: Use, operand: usize) -> bool {
        let site = ApplySite::new(body, found.user);
        let conventions = site.and_then(|site| Some((site, site.conventions(self.queries)?)));
        let argument = conventions.and_then(|(site, conventions)| site.argument_of_operand(conventions, operand));
        argument.is_some_and(|argument| matches!(argument.convention, ArgumentConvention::Result(_)))
    }
}
