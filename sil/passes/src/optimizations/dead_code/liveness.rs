//! Marks live instructions, blocks and arguments, starting at the roots.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use sil_analysis::{
    ControlDependence, InstructionEffects, OperandOwnership, named_archetypes, opened_archetypes, opening,
};
use sil_ir::context::Name;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, Definition, Details, InstructionId, Ownership, Value};

use super::Facts;
use super::borrows::{self, BaseValues};

/// The live parts of a body.
pub(super) struct Liveness {
    instructions: Vec<bool>,
    /// Indexed by value, for block arguments.
    arguments: Vec<bool>,
    blocks: Vec<bool>,
}

impl Liveness {
    /// Computes the liveness.
    pub(super) fn new(facts: &Facts<'_>) -> Self {
        let mut marking = Marking::new(facts);
        marking.mark_roots();
        marking.spread_all();
        while marking.mark_endless() || marking.mark_lexical() {
            marking.spread_all();
        }
        marking.live
    }

    /// The nearest post-dominator of `block` with live instructions.
    pub(super) fn next_useful(&self, facts: &Facts<'_>, block: BlockId) -> Option<BlockId> {
        let mut next = facts.post_dominators.immediate_post_dominator(block);
        while let Some(block) = next.filter(|block| !self.has_block(*block)) {
            next = facts.post_dominators.immediate_post_dominator(block);
        }
        next
    }

    pub(super) fn has_instruction(&self, id: InstructionId) -> bool {
        self.instructions[id.index()]
    }

    /// Returns whether `block` contains live instructions.
    pub(super) fn has_block(&self, block: BlockId) -> bool {
        self.blocks[block.index()]
    }

    pub(super) fn has_value(&self, facts: &Facts<'_>, value: Value) -> bool {
        match facts.body.values[value].definition {
            Definition::Result { instruction, .. } => self.has_instruction(instruction),
            Definition::Argument { .. } => self.arguments[value.index()],
            Definition::Undef => true,
        }
    }
}

struct Marking<'f, 'm> {
    facts: &'f Facts<'m>,
    effects: InstructionEffects<'m>,
    control: ControlDependence,
    live: Liveness,
    /// The worklist of live instructions.
    open: Vec<InstructionId>,
    /// Instructions that are live if a value is: they end its lifetime, check it or describe it.
    dependents: FxHashMap<Value, Vec<InstructionId>>,
    bases: BaseValues,
    /// The instructions that open archetypes.
    openings: FxHashMap<Name, InstructionId>,
}

impl<'f, 'm> Marking<'f, 'm> {
    fn new(facts: &'f Facts<'m>) -> Self {
        let body = facts.body;
        let live = Liveness {
            instructions: vec![false; body.instructions.len()],
            arguments: vec![false; body.values.len()],
            blocks: vec![false; body.blocks.len()],
        };
        let queries = facts.environment.queries;
        let opened = |id| opening(queries, body, id).map(|(name, _)| (name, id));
        Self {
            facts,
            effects: InstructionEffects::new(facts.environment.module, facts.environment.queries),
            control: ControlDependence::new(body, facts.cfg, facts.post_dominators),
            live,
            open: Vec::new(),
            dependents: FxHashMap::default(),
            bases: BaseValues::default(),
            openings: body.placed_instructions().filter_map(opened).collect(),
        }
    }

    fn mark_roots(&mut self) {
        for block in self.facts.body.blocks.keys() {
            for id in self.facts.body.instructions_in(block) {
                self.mark_root(id);
            }
        }
    }

    fn spread_all(&mut self) {
        while let Some(id) = self.open.pop() {
            self.spread(id);
        }
    }

    /// Keeps dead branches without a useful post-dominator: they are in an endless loop, or their paths end in several
    /// exits.
    fn mark_endless(&mut self) -> bool {
        let body = self.facts.body;
        let dead = body.blocks.keys().filter_map(|block| Some((block, body.terminator(block)?)));
        let endless: Vec<InstructionId> = dead
            .filter(|(block, terminator)| {
                body.targets(*terminator).len() > 1
                    && !self.live.has_instruction(*terminator)
                    && self.live.next_useful(self.facts, *block).is_none()
            })
            .map(|(_, terminator)| terminator)
            .collect();
        endless.iter().for_each(|terminator| self.instruction(*terminator));
        !endless.is_empty()
    }

    /// Keeps lexical lifetimes that would otherwise end earlier, since a deinitialiser must not run before instructions
    /// that preceded it. Swift's pass does not do that for borrows. Arguments end with their last use, as in Swift.
    fn mark_lexical(&mut self) -> bool {
        let Some(kinds) = &self.facts.kinds else { return false };
        let body = self.facts.body;
        let dead = body.placed_instructions().filter(|id| !self.live.has_instruction(*id));
        let lexical: Vec<InstructionId> = dead
            .filter(|id| match body.instructions[*id].opcode {
                Opcode::BeginBorrow => {
                    let borrowed = body.operands(*id)[0];
                    let is_lexical = body.instructions[*id].attributes.contains(Attribute::Lexical);
                    is_lexical && kinds.kind(borrowed) == Ownership::Owned && !self.live.has_value(self.facts, borrowed)
                }
                Opcode::DestroyValue => false,
                _ => self.facts.operand_uses(*id).any(|found| {
                    let value = found.value(body);
                    kinds.operand(found) == OperandOwnership::ForwardOwned
                        && body.defining(value).is_some()
                        && self.facts.is_lexical(value)
                }),
            })
            .collect();
        lexical.iter().for_each(|id| self.instruction(*id));
        !lexical.is_empty()
    }

    fn mark_root(&mut self, id: InstructionId) {
        let body = self.facts.body;
        let first = body.operands(id).first().copied();
        match (body.instructions[id].opcode, first) {
            (Opcode::CondFail, Some(condition)) => match self.overflow_of(condition) {
                Some(producer) => self.depends(producer, id),
                None => self.instruction(id),
            },
            (Opcode::FixLifetime, Some(value)) if !self.is_trivial(value) => self.instruction(id),
            (Opcode::FixLifetime | Opcode::EndAccess | Opcode::Borrowed, Some(value)) => self.depends(value, id),
            (Opcode::DestroyValue | Opcode::EndBorrow, Some(value)) => {
                let phi = self.facts.before_borrowed_from(value);
                if self.facts.is_phi(phi) && (self.facts.is_lexical(phi) || self.facts.escapes(phi)) {
                    self.instruction(id);
                }
                self.depends(value, id);
            }
            (Opcode::EndLifetime, Some(value)) if body.ty(value).is_address() => self.instruction(id),
            (Opcode::EndLifetime, Some(value)) => self.depends(value, id),
            (Opcode::BeginBorrow | Opcode::LoadBorrow, Some(_)) => {
                if let Some(borrow) = body.result(id) {
                    self.borrow(borrow);
                }
            }
            _ if self.is_useful(id) => self.instruction(id),
            _ => {}
        }
    }

    fn depends(&mut self, value: Value, id: InstructionId) {
        self.dependents.entry(value).or_default().push(id);
    }

    fn is_trivial(&self, value: Value) -> bool {
        let ty = self.facts.body.ty(value);
        let environment = self.facts.environment;
        !ty.is_address() && environment.queries.properties(ty.ty, environment.function.signature).is_trivial()
    }

    /// The builtin whose overflow bit is `condition`.
    fn overflow_of(&self, condition: Value) -> Option<Value> {
        let body = self.facts.body;
        let extract = body.defining(condition)?;
        let pair =
            *body.operands(extract).first().filter(|_| body.instructions[extract].opcode == Opcode::TupleExtract)?;
        let builtin = body.defining(pair)?;
        (body.instructions[builtin].opcode == Opcode::Builtin).then_some(pair)
    }

    /// Marks a live borrow: phis depend on their base values. The ends of enclosing scopes of a reborrowed borrow stay
    /// live, since nested scopes are not rebuilt.
    fn borrow(&mut self, borrow: Value) {
        let Some(kinds) = &self.facts.kinds else { return };
        self.bases.add(self.facts, kinds, borrow);
        if borrows::is_reborrowed(self.facts, kinds, borrow) {
            for end in borrows::ends_of_outer_scopes(self.facts, kinds, borrow) {
                self.instruction(end);
            }
        }
    }

    /// Returns whether `id` is live regardless of its uses.
    fn is_useful(&self, id: InstructionId) -> bool {
        let body = self.facts.body;
        let instruction = &body.instructions[id];
        match instruction.opcode {
            // They have side effects, but none that matters if the result is dead.
            Opcode::BeginAccess | Opcode::CopyValue | Opcode::UnconditionalCheckedCast => return false,
            Opcode::Load if instruction.attributes.contains(Attribute::Copy) => return false,
            _ => {}
        }
        if self.effects.may_have_side_effects(body, id)
            || body.results(id).any(|result| self.facts.is_lexical(result))
            || self.ends_an_escaping_lifetime(id)
        {
            return true;
        }
        match instruction.opcode {
            Opcode::Builtin => self.is_fast_path(&instruction.details),
            Opcode::Unreachable
            | Opcode::Return
            | Opcode::ReturnBorrow
            | Opcode::Throw
            | Opcode::ThrowAddr
            | Opcode::Unwind
            | Opcode::AllocRef
            | Opcode::AllocRefDynamic
            // It moves a value, whatever its entry in the table of effects.
            | Opcode::MarkUnresolvedMoveAddr => true,
            Opcode::DebugValue => body.operands(id).first().is_some_and(|value| {
                let entry = body.entry();
                match body.values[*value].definition {
                    Definition::Argument { block, .. } => block == entry,
                    Definition::Undef => true,
                    Definition::Result { .. } => false,
                }
            }),
            _ => false,
        }
    }

    fn is_fast_path(&self, details: &Details) -> bool {
        let Details::Builtin(builtin) = details else { return false };
        let operation = builtin.operation();
        operation.is_some_and(|operation| operation.kind == BuiltinKind::Named(NamedBuiltin::OnFastPath))
    }

    /// Returns whether the instruction ends the lifetime of a value that escapes into a pointer and is defined in
    /// another block. Such a lifetime cannot be ended elsewhere.
    fn ends_an_escaping_lifetime(&self, id: InstructionId) -> bool {
        let Some(kinds) = &self.facts.kinds else { return false };
        let body = self.facts.body;
        let block = body.instructions[id].block;
        self.facts.operand_uses(id).any(|found| {
            let value = found.value(body);
            let defined_in = match body.values[value].definition {
                Definition::Result { instruction, .. } => body.instructions[instruction].block,
                Definition::Argument { block, .. } => block,
                Definition::Undef => return false,
            };
            kinds.operand(found).ends_lifetime() && defined_in != block && self.facts.escapes(value)
        })
    }

    fn instruction(&mut self, id: InstructionId) {
        if !std::mem::replace(&mut self.live.instructions[id.index()], true) {
            self.open.push(id);
        }
    }

    fn value(&mut self, value: Value) {
        match self.facts.body.values[value].definition {
            Definition::Result { instruction, .. } => self.instruction(instruction),
            Definition::Argument { block, index } => {
                if !std::mem::replace(&mut self.live.arguments[value.index()], true) {
                    self.block(block);
                    self.argument(value, block, index);
                }
            }
            Definition::Undef => {}
        }
    }

    /// Marks a block as live, together with the terminators that control it.
    fn block(&mut self, block: BlockId) {
        if std::mem::replace(&mut self.live.blocks[block.index()], true) {
            return;
        }
        for controlling in self.control.controlling(block).to_vec() {
            if let Some(terminator) = self.facts.body.terminator(controlling) {
                self.instruction(terminator);
            }
        }
    }

    fn argument(&mut self, value: Value, block: BlockId, index: u32) {
        if !self.openings.is_empty() {
            let ty = self.facts.body.ty(value).ty;
            self.open_all(opened_archetypes(self.facts.environment.queries, ty));
        }
        self.dependents_of(value);
        for base in self.bases.of(value).to_vec() {
            self.value(base);
        }
        let branches: Vec<InstructionId> = self.facts.branches_to(block).collect();
        for branch in branches {
            self.instruction(branch);
            for passed in self.facts.passed(branch, block, index) {
                self.value(passed);
            }
        }
    }

    fn dependents_of(&mut self, value: Value) {
        let facts = self.facts;
        for found in facts.uses.of(value) {
            if facts.body.instructions[found.user].opcode == Opcode::DebugValue {
                self.instruction(found.user);
            }
        }
        for dependent in self.dependents.get(&value).cloned().unwrap_or_default() {
            self.instruction(dependent);
        }
    }

    /// Marks the operands and control dependences of a live instruction.
    fn spread(&mut self, id: InstructionId) {
        let body = self.facts.body;
        self.block(body.instructions[id].block);
        let needed = match body.instructions[id].opcode {
            // An operand passed to an argument is live only if the argument is.
            Opcode::Br => 0,
            Opcode::CondBr => 1,
            _ => body.operands(id).len(),
        };
        for operand in &body.operands(id)[..needed] {
            self.value(*operand);
        }
        if !self.openings.is_empty() {
            self.open_all(named_archetypes(self.facts.environment.queries, body, id));
        }
        for result in body.results(id) {
            self.dependents_of(result);
        }
    }

    /// Marks the instructions that open the archetypes of a live instruction.
    fn open_all(&mut self, names: Vec<Name>) {
        for name in names {
            if let Some(opening) = self.openings.get(&name).copied() {
                self.instruction(opening);
            }
        }
    }
}
