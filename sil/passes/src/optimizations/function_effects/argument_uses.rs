//! Collects the uses of an argument and its parts: whether all of them are known, and whether they may let the
//! argument's contents escape.

use rustc_hash::FxHashSet;

use sil_analysis::walk::{self, Step};
use sil_analysis::{AnalyzedModule, ApplySite, BodyView, Projection, ProjectionPath, Use};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{FunctionFlag, Value};

/// The uses of an argument.
pub(super) struct ArgumentUses<'a, 'm> {
    module: &'a AnalyzedModule<'m>,
    view: &'a BodyView<'m>,
    seen: FxHashSet<Value>,
    work: Vec<Value>,
    unknown: bool,
    /// Whether a load may take the argument.
    pub(super) has_taking_load: bool,
    /// Whether a closure captures the argument and may destroy it when called.
    pub(super) has_closure: bool,
}

/// Whether a use is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Known,
    Unknown,
}

impl<'a, 'm> ArgumentUses<'a, 'm> {
    /// Follows the uses of `argument`.
    pub(super) fn of(module: &'a AnalyzedModule<'m>, view: &'a BodyView<'m>, argument: Value) -> Self {
        let mut uses = Self {
            module,
            view,
            seen: FxHashSet::default(),
            work: Vec::new(),
            unknown: false,
            has_taking_load: false,
            has_closure: false,
        };
        if view.body.ty(argument).is_address() || !view.has_trivial_non_pointer_type(argument) {
            uses.push(argument);
        }
        while let Some(value) = uses.work.pop().filter(|_| !uses.unknown) {
            for found in view.uses.of(value) {
                uses.visit(*found);
            }
        }
        uses
    }

    /// Returns whether a use is unknown.
    pub(super) fn has_unknown(&self) -> bool {
        self.unknown
    }

    fn push(&mut self, value: Value) {
        if self.seen.insert(value) {
            self.work.push(value);
        }
    }

    fn visit(&mut self, found: Use) {
        let view = self.view;
        let is_address = view.body.ty(view.used_value(found)).is_address();
        let anything = ProjectionPath::from(Projection::Anything);
        let step = match is_address {
            true => walk::address_down(view, found, anything),
            false => walk::value_down(view, found, anything),
        };
        match step {
            Step::To(value, _) => self.push(value),
            Step::ToEach(values) => values.into_iter().for_each(|(value, _)| self.push(value)),
            Step::Unmatched => {}
            Step::End => {
                let leaf = if is_address { self.address_leaf(found) } else { self.value_leaf(found) };
                self.unknown |= leaf == Leaf::Unknown;
            }
        }
    }

    fn value_leaf(&mut self, found: Use) -> Leaf {
        use Opcode::*;
        match self.view.opcode(found.user) {
            RefTailAddr | RefElementAddr | ProjectBox => {
                self.view.body.results(found.user).for_each(|address| self.push(address));
                Leaf::Known
            }
            CopyValue
            | RetainValue
            | StrongRetain
            | DestroyValue
            | ReleaseValue
            | StrongRelease
            | DebugValue
            | UnconditionalCheckedCast
            | Return => Leaf::Known,
            Apply | TryApply | BeginApply => self.applied(found),
            PartialApply => {
                self.has_closure |= !self.view.body.instructions[found.user].attributes.contains(Attribute::OnStack);
                self.applied(found)
            }
            _ => Leaf::Unknown,
        }
    }

    /// If a callee lets the argument escape, other code may have effects on it.
    fn applied(&self, found: Use) -> Leaf {
        let view = self.view;
        let harmless = || {
            let site = ApplySite::new(view.body, found.user)?;
            let conventions = site.conventions(view.queries)?;
            let index = site.numbering(conventions).sil_argument_of_operand(found.operand as usize)?;
            let callees = self.module.callees().of(view.body, site.callee()?);
            let whole = ProjectionPath::from(Projection::AnyValueFields);
            let stays = |callee: &_| !self.module.effects(*callee).can_escape(index, whole);
            callees.all()?.iter().all(stays).then_some(())
        };
        if harmless().is_some() { Leaf::Known } else { Leaf::Unknown }
    }

    fn address_leaf(&mut self, found: Use) -> Leaf {
        use Opcode::*;
        let view = self.view;
        let has_ownership = view.function.has(FunctionFlag::Ossa);
        let is_trivial =
            view.queries.properties(view.body.ty(view.used_value(found)).ty, view.function.signature).is_trivial();
        // Without ownership, a load has no `take` attribute.
        let takes = !has_ownership || view.body.instructions[found.user].attributes.contains(Attribute::Take);
        match view.opcode(found.user) {
            CopyAddr => self.has_taking_load |= found.operand == 0 && !is_trivial && takes,
            Load => self.has_taking_load |= !is_trivial && takes,
            LoadWeak | LoadUnowned | LoadBorrow => self.has_taking_load |= !is_trivial && !has_ownership,
            Store | StoreWeak | StoreUnowned | Apply | TryApply | BeginApply | PartialApply | DestroyAddr
            | DebugValue | EndAccess => {}
            _ => return Leaf::Unknown,
        }
        Leaf::Known
    }
}
