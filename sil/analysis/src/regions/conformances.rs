//! Conformances that hold on an actor alone: a value that brings one along belongs to that actor
//! (`SILIsolationInfo::getConformanceIsolation`, lib/SILOptimizer/Utils/SILIsolationInfo.cpp; SE-0470).

use sil_ir::context::{ConformanceKind, NominalId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Details, InstructionId, Value, views};

use super::actors::{self, ActorIsolation};
use super::isolated_values::ValueIsolation;
use super::isolation::Isolation;

impl ValueIsolation<'_, '_> {
    /// The isolation that the conformances of `id` give its result.
    pub fn of_conformances(&self, id: InstructionId) -> Isolation {
        let view = self.view;
        let body = view.body;
        let cast = |destination: Option<Value>, source: TypeId, target: TypeId| {
            destination.map_or(Isolation::UNKNOWN, |value| self.of_cast(value, source, target))
        };
        match (view.opcode(id), &body.instructions[id].details) {
            (
                Opcode::InitExistentialAddr | Opcode::InitExistentialRef | Opcode::InitExistentialValue,
                Details::FormalType(concrete),
            ) => {
                let Some(result) = body.result(id) else { return Isolation::UNKNOWN };
                let existential = match view.opcode(id) {
                    Opcode::InitExistentialAddr => view.operand(id, 0).map(|address| body.ty(address).ty),
                    _ => Some(body.ty(result).ty),
                };
                existential
                    .map_or(Isolation::UNKNOWN, |existential| self.of_existential(result, *concrete, existential))
            }
            (Opcode::UnconditionalCheckedCastAddr, Details::Cast(details)) => {
                let operands = views::CastAddr::of(body, id);
                let source = details.source.unwrap_or(body.ty(operands.source).ty);
                cast(Some(operands.destination), source, details.target)
            }
            (Opcode::CheckedCastAddrBr, Details::Cast(details)) => {
                let operands = views::CheckedCastAddrBr::of(body, id);
                let source = details.source.unwrap_or(body.ty(operands.source).ty);
                cast(Some(operands.destination), source, details.target)
            }
            (Opcode::CheckedCastBr, Details::Cast(details)) => {
                let operands = views::CheckedCastBr::of(body, id);
                let destination = body.blocks[operands.success].arguments.first().copied();
                cast(destination, details.source.unwrap_or(body.ty(operands.operand).ty), details.target)
            }
            (Opcode::UnconditionalCheckedCast, _) => {
                let Some(operands) = views::UnconditionalCheckedCast::get(body, id) else { return Isolation::UNKNOWN };
                cast(body.result(id), body.ty(operands.operand).ty, operands.target)
            }
            _ => Isolation::UNKNOWN,
        }
    }

    /// A value put into an existential container, with its conformances.
    fn of_existential(&self, result: Value, concrete: TypeId, existential: TypeId) -> Isolation {
        let queries = self.view.queries;
        for protocol in self.protocols_of(existential) {
            let conformance = queries.conformance(concrete, protocol);
            if queries.context.get_conformance(conformance).kind == ConformanceKind::Abstract {
                if !self.sendability.has_sendable_metatype(concrete) {
                    return Isolation::task(result).with_conformance(Some(protocol));
                }
                continue;
            }
            let actor = queries.isolating_actor(concrete, protocol).and_then(|actor| queries.as_nominal(actor));
            if let Some(actor) = actor {
                let name = queries.declarations.get(actor.declaration).name;
                let isolation = Isolation::actor(ActorIsolation::Global(Some(name)), Some(result), None);
                return isolation.with_conformance(Some(protocol));
            }
        }
        Isolation::UNKNOWN
    }

    /// A value that a cast finds conformances for as the program runs: those that hold where the function runs are
    /// among them.
    fn of_cast(&self, destination: Value, source: TypeId, target: TypeId) -> Isolation {
        let view = self.view;
        let isolation = actors::of_function(view.module, view.function);
        if matches!(isolation, Some(ActorIsolation::Nonisolated | ActorIsolation::NonisolatedUnsafe)) {
            return Isolation::UNKNOWN;
        }
        if !matches!(view.queries.get(target), Type::Existential(_)) {
            return Isolation::UNKNOWN;
        }
        let brings = |protocol: &NominalId| {
            !self.conforms(source, *protocol) && !self.sendability.inherits_sendable_metatype(*protocol)
        };
        match self.protocols_of(target).into_iter().find(brings) {
            None => Isolation::UNKNOWN,
            Some(protocol) => {
                let found = match isolation {
                    Some(isolation @ ActorIsolation::Global(_)) => Isolation::actor(isolation, Some(destination), None),
                    _ => Isolation::task(destination),
                };
                found.with_conformance(Some(protocol))
            }
        }
    }

    /// The protocols of an existential type that stand for something at run time.
    fn protocols_of(&self, existential: TypeId) -> Vec<NominalId> {
        let queries = self.view.queries;
        let protocols = queries.protocols_in(existential).into_iter();
        protocols.filter(|protocol| !queries.declarations.get(*protocol).attributes.marker).collect()
    }

    fn conforms(&self, ty: TypeId, protocol: NominalId) -> bool {
        let queries = self.view.queries;
        let conformance = queries.conformance(ty, protocol);
        match queries.context.get_conformance(conformance).kind {
            ConformanceKind::Missing | ConformanceKind::Unknown => {
                matches!(queries.get(ty), Type::Existential(_)) && queries.protocols_in(ty).contains(&protocol)
            }
            ConformanceKind::Abstract => self.sendability.requires(ty, protocol),
            _ => !queries.is_broken(conformance),
        }
    }
}
