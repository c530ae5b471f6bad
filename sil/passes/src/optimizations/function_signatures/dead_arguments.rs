//! Dead arguments: their transitive users have no side effects.

use rustc_hash::FxHashSet;
use sil_ir::context::Type;
use sil_ir::instructions::Opcode;
use sil_ir::model::{InstructionId, Value};

use super::{Shape, Signature};
use crate::knowledge::dynamic_self::binds_dynamic_self;

impl Signature<'_> {
    /// Finds dead arguments and erases their users. Returns whether there are any.
    pub(super) fn remove_dead_arguments(&mut self) -> bool {
        let is_found = self.find_dead_arguments();
        self.erase_dead_uses();
        is_found
    }

    /// Finds dead arguments. If all dead arguments of a generic function are metatypes, they are kept, since metadata
    /// would be passed instead.
    pub(super) fn find_dead_arguments(&mut self) -> bool {
        // Lifetime dependences refer to parameters by index.
        if !self.ty.lifetimes.is_empty() {
            return false;
        }
        let environment = self.environment();
        let queries = environment.queries;
        // Type dependences are not operands.
        let binds_self = binds_dynamic_self(queries, environment.function, self.editor.body());
        let free = self.arguments.len().saturating_sub(usize::from(binds_self));
        let dead: Vec<usize> = (0..free)
            .filter(|index| {
                let plan = &self.arguments[*index];
                plan.may_change(environment) && !self.is_needed(plan.argument)
            })
            .collect();
        let is_metatype = |index: &usize| {
            let ty = queries.get(self.arguments[*index].ty.ty);
            matches!(ty, Type::Metatype { .. } | Type::ExistentialMetatype { .. })
        };
        if self.ty.signature.is_some() && dead.iter().all(is_metatype) {
            return false;
        }
        for index in &dead {
            self.arguments[*index].shape = Shape::Dead;
        }
        !dead.is_empty()
    }

    /// Erases the users of dead arguments.
    pub(super) fn erase_dead_uses(&mut self) {
        let dead = self.arguments.iter().filter(|plan| matches!(plan.shape, Shape::Dead));
        for argument in dead.map(|plan| plan.argument).collect::<Vec<_>>() {
            for found in self.editor.uses(argument) {
                if self.editor.is_placed(found.user) {
                    self.editor.erase_with_users(found.user);
                }
            }
        }
    }

    /// Returns whether an instruction with side effects depends on `value`.
    fn is_needed(&self, value: Value) -> bool {
        let mut seen: FxHashSet<InstructionId> = FxHashSet::default();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            for found in self.editor.uses(value) {
                let user = found.user;
                if self.editor.opcode(user) == Opcode::DebugValue || !seen.insert(user) {
                    continue;
                }
                let body = self.editor.body();
                let is_end = body.terminator(body.instructions[user].block) == Some(user);
                if is_end || self.editor.may_have_side_effects(user) {
                    return true;
                }
                open.extend(body.results(user));
            }
        }
        false
    }
}
