//! Memory with a single initialisation, and its initialiser (`AccessBase.findSingleInitializer`,
//! SwiftCompilerSources/Sources/Optimizer/Utilities/AddressUtils.swift).

use sil_analysis::{AccessBase, Use};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Store;
use sil_ir::model::{Definition, InstructionId, Value};

use super::address_use::AddressUse;
use super::facts::{Facts, is_storing, moves_memory};

/// The initialiser of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Initializer {
    /// An argument that the function does not change.
    Argument(Value),
    /// An address that a coroutine yields.
    Yield(Value),
    /// An instruction that stores the whole.
    Store { store: InstructionId, address: Value },
}

impl Initializer {
    /// Returns the single initialiser of the memory at `base`; `None` if it is not known, or there are several.
    pub(super) fn single(facts: &Facts<'_, '_>, base: AccessBase) -> Option<Initializer> {
        match base {
            AccessBase::Stack(allocation) => Self::of_address(facts, allocation),
            AccessBase::Argument(argument) => {
                let is_in = facts.view.argument_convention(argument).is_some_and(|found| found.is_indirect_in());
                if is_in { Some(Initializer::Argument(argument)) } else { Self::of_address(facts, argument) }
            }
            AccessBase::StoreBorrow(address) => {
                let store = facts.view.body.defining(address)?;
                let destination = Store::of(facts.view.body, store).destination;
                matches!(facts.view.definition(destination), Some((_, Opcode::AllocStack)))
                    .then_some(Initializer::Store { store, address: destination })
            }
            _ => None,
        }
    }

    /// Returns the single initialiser of the memory at `address`.
    pub(super) fn of_address(facts: &Facts<'_, '_>, address: Value) -> Option<Initializer> {
        let is_inout = facts.view.argument_convention(address).is_some_and(|found| found.is_inout());
        let found = is_inout.then_some(Initializer::Argument(address));
        let mut search = Search { facts, address, found };
        search.visit_uses(address)?;
        search.found
    }

    /// Returns the address at which the memory becomes initialised.
    pub(super) fn address(self) -> Value {
        match self {
            Initializer::Argument(address) | Initializer::Yield(address) | Initializer::Store { address, .. } => {
                address
            }
        }
    }
}

struct Search<'f, 'v, 'm> {
    facts: &'f Facts<'v, 'm>,
    address: Value,
    found: Option<Initializer>,
}

impl Search<'_, '_, '_> {
    /// Visits the uses; `None` if the memory has no single initialiser.
    fn visit_uses(&mut self, address: Value) -> Option<()> {
        for found in self.facts.uses(address) {
            let view = self.facts.view;
            let opcode = view.opcode(found.user);
            match opcode {
                // A use of a part does not initialise the whole.
                Opcode::StructElementAddr
                | Opcode::TupleElementAddr
                | Opcode::InitEnumDataAddr
                | Opcode::UncheckedTakeEnumDataAddr
                | Opcode::InitExistentialAddr
                | Opcode::OpenExistentialAddr => {}
                Opcode::IndexAddr
                | Opcode::MarkUnresolvedNonCopyableValue
                | Opcode::BeginAccess
                | Opcode::MarkDependence
                    if found.operand == 0 =>
                {
                    self.visit_uses(view.body.result(found.user)?)?;
                }
                Opcode::MarkDependence | Opcode::MarkDependenceAddr if found.operand == 1 => {}
                _ => self.visit_leaf(found)?,
            }
        }
        Some(())
    }

    fn visit_leaf(&mut self, found: Use) -> Option<()> {
        let is_initialization = is_address_initialization(self.facts, found);
        match AddressUse::of(self.facts, found) {
            AddressUse::Leaf | AddressUse::Applied if is_initialization => self.initialize(found.user),
            AddressUse::Applied => {
                let convention = self.facts.convention_of(found);
                convention.is_none_or(|convention| convention.is_indirect_in()).then_some(())
            }
            AddressUse::Leaf
            | AddressUse::ScopeEnd
            | AddressUse::LoadedValue(_)
            | AddressUse::LoadedAddress(_)
            | AddressUse::Yielded
            | AddressUse::DependentValue(_)
            | AddressUse::DependentAddress(_) => Some(()),
            AddressUse::Projection(_)
            | AddressUse::Scope
            | AddressUse::Escaping
            | AddressUse::Unrecognized
            | AddressUse::Unknown => None,
        }
    }

    fn initialize(&mut self, store: InstructionId) -> Option<()> {
        if self.found.is_some() {
            return None;
        }
        self.found = Some(Initializer::Store { store, address: self.address });
        Some(())
    }
}

/// Returns whether a use stores a whole value at the used address (`Operand.isAddressInitialization`).
fn is_address_initialization(facts: &Facts<'_, '_>, found: Use) -> bool {
    let opcode = facts.view.opcode(found.user);
    is_storing(opcode)
        || moves_memory(opcode) && found.operand == 1
        || facts.convention_of(found).is_some_and(|convention| convention.is_indirect_out())
}

/// Returns the definition of a value, or the first instruction of the block whose argument it is.
pub(super) fn first_instruction(facts: &Facts<'_, '_>, value: Value) -> Option<InstructionId> {
    match facts.view.body.values[value].definition {
        Definition::Result { instruction, .. } => Some(instruction),
        Definition::Argument { block, .. } => facts.view.body.instructions_in(block).next(),
        Definition::Undef => None,
    }
}
