//! Whether a location of a type with ownership holds a value without it: an enum case without payload, a thin function.

use sil_ir::context::{MemberId, MemberRef, MemberTarget, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{BlockId, DefaultCase, Details, InstructionId, Value};

use super::MemoryVerifier;

impl MemoryVerifier<'_, '_> {
    /// Whether on all paths to `at` the location last got a value whose destruction does nothing.
    pub(super) fn is_trivial_at(&self, location: usize, at: InstructionId) -> bool {
        let start = self.body.instructions[at].block;
        let mut seen = vec![start];
        let mut next = 0;
        while let Some(block) = seen.get(next).copied() {
            next += 1;
            let end = (block == start).then_some(at);
            if self.stores_trivial(location, block, end) {
                continue;
            }
            if block == self.body.entry() {
                return false;
            }
            for predecessor in self.cfg.predecessors(block) {
                if !self.is_trivial_edge(*predecessor, block) && !seen.contains(predecessor) {
                    seen.push(*predecessor);
                }
            }
        }
        true
    }

    /// Whether the last store to the location in `block`, up to `end`, is of a trivial value.
    fn stores_trivial(&self, location: usize, block: BlockId, end: Option<InstructionId>) -> bool {
        let end = end.filter(|end| self.body.instructions[*end].block == block);
        let upto = end.map_or_else(|| self.body.instructions_in(block), |end| self.body.instructions_up_to(end));
        for id in upto.rev() {
            let instruction = &self.body.instructions[id];
            match (instruction.opcode, self.body.operands(id)) {
                (Opcode::InjectEnumAddr, [address]) if self.covers(*address, location) => {
                    let Details::Member(member) = instruction.details else { return false };
                    return self.is_trivial_case(*address, member);
                }
                (Opcode::Store, [source, address])
                    if self.covers(*address, location) && self.may_be_trivial(*source) =>
                {
                    return instruction.attributes.contains(Attribute::Trivial);
                }
                _ => {}
            }
        }
        false
    }

    fn covers(&self, address: Value, location: usize) -> bool {
        self.locations.find(address).is_some_and(|found| found.parts.contains(location))
    }

    /// Whether values of the type may or may not have ownership: enums, types that contain them, and functions.
    fn may_be_trivial(&self, value: Value) -> bool {
        let queries = self.verifier.queries;
        let mut is_enum = |ty| {
            let found = queries.declaration_of(ty).is_some_and(|declaration| declaration.kind == NominalKind::Enum)
                || matches!(queries.get(ty), Type::Function(_));
            found.then_some(())
        };
        queries.find_in(self.body.ty(value).ty, &mut is_enum).is_some()
    }

    fn is_trivial_case(&self, subject: Value, member: MemberId) -> bool {
        let MemberRef { target: MemberTarget::Case(case), .. } = self.verifier.module.context.get_member(member) else {
            return false;
        };
        let payload = self.verifier.queries.case_payload(self.body.ty(subject).ty, *case);
        payload.is_none_or(|payload| self.locations.is_trivial(payload))
    }

    /// Whether a switch goes to `successor` only for a case without ownership.
    fn is_trivial_edge(&self, block: BlockId, successor: BlockId) -> bool {
        let Some(terminator) = self.body.terminator(block) else { return false };
        let instruction = &self.body.instructions[terminator];
        if instruction.opcode == Opcode::SwitchValue {
            return self.is_other_value(terminator, successor);
        }
        let (Opcode::SwitchEnum | Opcode::SwitchEnumAddr, Details::EnumCases(cases), [subject]) =
            (instruction.opcode, &instruction.details, self.body.operands(terminator))
        else {
            return false;
        };
        let targets = self.body.targets(terminator);
        let mut leading = targets.iter().zip(&cases.members).filter(|(target, _)| **target == successor);
        match (leading.next(), leading.next()) {
            (Some((_, member)), None) => self.is_trivial_case(*subject, *member),
            (None, _) if cases.default == DefaultCase::Present => self.is_trivial_default(*subject, &cases.members),
            // Several cases come here: which one it was is not followed.
            _ => true,
        }
    }

    /// Whether a switch on a literal does not go to `successor`.
    fn is_other_value(&self, switch: InstructionId, successor: BlockId) -> bool {
        let literal = |value: &Value| match self.body.defining(*value).map(|id| &self.body.instructions[id].details) {
            Some(Details::Integer(literal)) => Some(*literal),
            _ => None,
        };
        let Some((subject, cases)) = self.body.operands(switch).split_first() else { return true };
        let Some(subject) = literal(subject) else { return true };
        let case = self.body.targets(switch).iter().position(|target| *target == successor);
        case.and_then(|case| cases.get(case)).and_then(literal) != Some(subject)
    }

    /// Whether the default stands for several cases, which are not followed, or for one without ownership.
    fn is_trivial_default(&self, subject: Value, members: &[MemberId]) -> bool {
        let queries = self.verifier.queries;
        let ty = self.body.ty(subject).ty;
        let Some(declaration) = queries.declaration_of(ty) else { return false };
        let context = &self.verifier.module.context;
        let named =
            |case: u32| members.iter().any(|member| context.get_member(*member).target == MemberTarget::Case(case));
        let mut left = (0..declaration.cases.len() as u32).filter(|case| !named(*case));
        let (Some(case), None) = (left.next(), left.next()) else { return true };
        queries.case_payload(ty, case).is_none_or(|payload| self.locations.is_trivial(payload))
    }
}
