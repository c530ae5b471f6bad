//! The effects of instructions on references: counting, possible releases, and the need for a live object
//! (lib/SILOptimizer/Analysis/ARCAnalysis.cpp).

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use sil_analysis::{AliasAnalysis, ApplySite, BodyView, InstructionEffects, RcIdentity};
use sil_ir::context::{CalleeConvention, ParameterConvention, ResultConvention, Type};
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin};
use sil_ir::instructions::{Attribute, MemoryBehavior, Opcode};
use sil_ir::model::{BlockId, Body, Details, InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use crate::knowledge::never_returning::NeverReturning;
use crate::pass::Environment;

/// The kind of a counting instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counting {
    Retain,
    Release,
}

/// A question about an instruction and a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Question {
    Decrement,
    Guarantee,
    Interference,
}

pub(crate) struct Questions<'a> {
    environment: Environment<'a>,
    pub(crate) view: &'a BodyView<'a>,
    aliases: &'a AliasAnalysis<'a, 'a>,
    identities: &'a RcIdentity<'a, 'a>,
    effects: InstructionEffects<'a>,
    roots: RefCell<FxHashMap<Value, Value>>,
    answers: RefCell<FxHashMap<(Question, InstructionId, Value), bool>>,
}

impl<'a> Questions<'a> {
    pub(crate) fn new(
        environment: Environment<'a>,
        view: &'a BodyView<'a>,
        aliases: &'a AliasAnalysis<'a, 'a>,
        identities: &'a RcIdentity<'a, 'a>,
    ) -> Self {
        let effects = InstructionEffects::new(environment.module, environment.queries);
        Self { environment, view, aliases, identities, effects, roots: RefCell::default(), answers: RefCell::default() }
    }

    /// Returns the RC root of `value`.
    pub(crate) fn root(&self, value: Value) -> Value {
        *self.roots.borrow_mut().entry(value).or_insert_with(|| self.identities.root(value))
    }

    /// Returns the function and the body that the answers are about.
    pub(crate) fn environment(&self) -> Environment<'a> {
        self.environment
    }

    /// Returns whether an instruction retains or releases.
    pub(crate) fn counting(&self, id: InstructionId) -> Option<Counting> {
        match self.view.opcode(id) {
            Opcode::StrongRetain | Opcode::RetainValue => Some(Counting::Retain),
            Opcode::StrongRelease | Opcode::ReleaseValue => Some(Counting::Release),
            _ => None,
        }
    }

    /// Returns the root of the operand of a counting instruction.
    pub(crate) fn counted(&self, id: InstructionId) -> Option<Value> {
        self.view.operand(id, 0).map(|value| self.root(value))
    }

    /// The same for an instruction that is known to be counting.
    pub(crate) fn counted_root(&self, id: InstructionId) -> Value {
        self.root(self.view.body.operands(id)[0])
    }

    pub(crate) fn may_alias(&self, first: Value, second: Value) -> bool {
        self.aliases.may_alias(first, second)
    }

    /// Returns the arguments that the function owns.
    pub(crate) fn owned_arguments(&self) -> Vec<Value> {
        let arguments = &self.view.body.blocks[self.view.body.entry()].arguments;
        let owned = Some(ArgumentConvention::Parameter(ParameterConvention::Owned));
        arguments.iter().copied().filter(|argument| self.view.argument_convention(*argument) == owned).collect()
    }

    /// Returns the result of an instruction that creates or returns an owned reference.
    pub(crate) fn entrance(&self, id: InstructionId) -> Option<Value> {
        let brings = match self.view.opcode(id) {
            Opcode::AllocRef | Opcode::AllocRefDynamic | Opcode::AllocBox | Opcode::PartialApply => true,
            Opcode::Apply => self.gives_owned(id),
            _ => false,
        };
        self.view.body.result(id).filter(|_| brings)
    }

    fn gives_owned(&self, id: InstructionId) -> bool {
        let site = ApplySite::new(self.view.body, id);
        let conventions = site.and_then(|site| site.conventions(self.view.queries));
        conventions.is_some_and(|found| {
            found.function.results.iter().any(|result| result.convention == ResultConvention::Owned)
        })
    }

    /// Returns whether an instruction has no effect that these questions classify.
    fn is_unknown(&self, id: InstructionId) -> bool {
        self.counting(id).is_none() && self.entrance(id).is_none() && !self.is_pool_call(id)
    }

    /// Returns whether it is a call that pushes or pops an autorelease pool.
    pub(crate) fn is_pool_call(&self, id: InstructionId) -> bool {
        if self.view.opcode(id) != Opcode::Apply {
            return false;
        }
        let called = ApplySite::new(self.view.body, id).and_then(ApplySite::called_function);
        let name = called.map(|name| self.view.module.context.text(name));
        matches!(name, Some("objc_autoreleasePoolPush" | "objc_autoreleasePoolPop"))
    }

    /// Returns whether the caller keeps `root` alive: a borrowed argument, a value loaded from borrowed memory, or from
    /// memory as described at [`Self::is_kept_content`].
    pub(crate) fn is_kept_by_caller(&self, root: Value) -> bool {
        let convention = |value| match self.view.argument_convention(value) {
            Some(ArgumentConvention::Parameter(convention)) => Some(convention),
            _ => None,
        };
        match self.view.definition(root) {
            Some((load, Opcode::Load)) => {
                let address = self.view.operand(load, 0).map(|address| self.root(address));
                address.and_then(convention) == Some(ParameterConvention::InGuaranteed) || self.is_kept_content(root)
            }
            Some(_) => false,
            None => convention(root) == Some(ParameterConvention::Guaranteed),
        }
    }

    /// Returns whether `root` was loaded from memory that is immutable while its owner lives, and the caller keeps the
    /// owner alive: the payload of an indirect case, which is written before the enum is made, or a buffer that is
    /// copied on write. Swift's passes need no such rule: with ownership such values are borrowed, and nothing counts
    /// them.
    pub(crate) fn is_kept_content(&self, root: Value) -> bool {
        let Some((load, Opcode::Load)) = self.view.definition(root) else { return false };
        let owner = self.view.operand(load, 0).and_then(|address| self.owner_of_immutable(address));
        owner.is_some_and(|owner| self.is_kept_by_caller(owner))
    }

    /// Returns the RC root of the box or object that contains `address`, if nothing writes to that memory.
    fn owner_of_immutable(&self, address: Value) -> Option<Value> {
        let mut address = address;
        loop {
            let (id, opcode) = self.view.definition(address)?;
            let operand = self.view.operand(id, 0)?;
            match opcode {
                Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::IndexAddr => address = operand,
                Opcode::RefTailAddr | Opcode::RefElementAddr => {
                    let is_immutable = self.view.body.instructions[id].attributes.contains(Attribute::Immutable);
                    return is_immutable.then(|| self.root(operand));
                }
                Opcode::ProjectBox => {
                    let owner = self.root(operand);
                    // Only an enum contains a box.
                    let is_box = matches!(self.view.queries.get(self.view.body.ty(owner).ty), Type::Box(..));
                    return (!is_box).then_some(owner);
                }
                _ => return None,
            }
        }
    }

    /// Returns whether the program ends in this block, so that nothing has to be released.
    pub(crate) fn ends_program(&self, block: BlockId) -> bool {
        let view = self.view;
        let ends = view.body.terminator(block).is_some_and(|end| view.opcode(end) == Opcode::Unreachable);
        ends && view.body.instructions_in(block).all(|id| self.is_inert(id))
    }

    fn is_inert(&self, id: InstructionId) -> bool {
        let view = self.view;
        match view.opcode(id) {
            Opcode::CondFail => true,
            Opcode::Apply if self.ends_in_call(id) => true,
            Opcode::Builtin
                if matches!(
                    self.builtin(id),
                    Some(BuiltinKind::Named(NamedBuiltin::CondUnreachable) | BuiltinKind::Intrinsic(Intrinsic::Trap))
                ) =>
            {
                true
            }
            Opcode::Unreachable => true,
            _ => !self.effects.may_have_side_effects(view.body, id),
        }
    }

    /// Returns whether a call ends the program, as its function promises.
    pub(crate) fn ends_in_call(&self, id: InstructionId) -> bool {
        let module = self.view.module;
        let called = ApplySite::new(self.view.body, id).and_then(ApplySite::called_function);
        let function = called.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
        function
            .is_some_and(|function| function.semantics(&module.context).any(|name| name == "programtermination_point"))
    }

    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        match &self.view.body.instructions[id].details {
            Details::Builtin(builtin) => builtin.kind(),
            _ => None,
        }
    }

    /// Returns whether an instruction of a body derived from this one has side effects.
    pub(crate) fn has_side_effects(&self, body: &Body, id: InstructionId) -> bool {
        self.effects.may_have_side_effects(body, id)
    }

    /// Returns whether a terminator only passes values on.
    pub(crate) fn is_insignificant_end(&self, id: InstructionId) -> bool {
        matches!(self.view.opcode(id), Opcode::Unreachable | Opcode::Br | Opcode::CondBr)
    }

    /// Returns whether an instruction is relevant to reference counting.
    pub(crate) fn is_interesting(&self, id: InstructionId) -> bool {
        let allocates = matches!(self.view.opcode(id), Opcode::AllocRef | Opcode::AllocRefDynamic | Opcode::AllocBox);
        allocates || self.can_use_object(id) || self.may_release_or_read_count(id)
    }

    /// Returns whether an instruction may release a reference, or reads a reference count.
    pub(crate) fn may_release_or_read_count(&self, id: InstructionId) -> bool {
        checks_count(self.view.opcode(id)) || self.effects.may_release(self.view.body, self.view.function.signature, id)
    }

    /// Returns whether an instruction may decrement, or read, the count of `root`.
    pub(crate) fn may_decrement(&self, id: InstructionId, root: Value) -> bool {
        self.ask(Question::Decrement, id, root, || {
            if !self.may_release_or_read_count(id) {
                return false;
            }
            match self.view.opcode(id) {
                Opcode::Apply | Opcode::TryApply => {
                    NeverReturning::new(self.environment).is_call(id) || self.aliases.may_release_object(id, root)
                }
                Opcode::Builtin => self.aliases.may_release_object(id, root),
                _ => true,
            }
        })
    }

    /// Returns whether `root` may have to live while an instruction runs.
    pub(crate) fn may_need_guarantee(&self, id: InstructionId, root: Value) -> bool {
        self.ask(Question::Guarantee, id, root, || {
            match self.view.opcode(id) {
                Opcode::IsUnique | Opcode::BeginCowMutation => return false,
                Opcode::DestroyNotEscapedClosure => return true,
                _ => {}
            }
            let Some(site) = ApplySite::new(self.view.body, id).filter(|site| site.kind.is_full()) else {
                return false;
            };
            let Some(conventions) = site.conventions(self.view.queries) else { return true };
            let is_callee_guaranteed = conventions.function.callee == CalleeConvention::Guaranteed;
            if is_callee_guaranteed && site.callee().is_some_and(|callee| self.may_alias(callee, root)) {
                return true;
            }
            let numbering = site.numbering(conventions);
            (1..self.view.body.operands(id).len()).any(|operand| {
                let argument = numbering.sil_argument_of_operand(operand).and_then(|index| conventions.argument(index));
                argument.is_some_and(|argument| argument.convention.is_guaranteed())
                    && self.may_alias(self.view.body.operands(id)[operand], root)
            })
        })
    }

    /// Returns whether an instruction may need `root`, or an object reachable from it, to be alive.
    pub(crate) fn may_interfere(&self, id: InstructionId, root: Value) -> bool {
        self.ask(Question::Interference, id, root, || {
            if !self.can_use_object(id) {
                return false;
            }
            let view = self.view;
            match view.opcode(id) {
                Opcode::Load => return self.aliases.is_visible_from(view.body.operands(id)[0], root),
                Opcode::Store => return self.aliases.is_visible_from(view.body.operands(id)[1], root),
                _ => {}
            }
            if self.effects.memory_behavior(view.body, id) != MemoryBehavior::None {
                return true;
            }
            match view.opcode(id) {
                Opcode::SwitchEnum | Opcode::SwitchValue | Opcode::CheckedCastBr => {
                    view.body.operands(id).iter().any(|operand| self.may_alias(root, *operand))
                }
                _ => true,
            }
        })
    }

    /// Returns whether an instruction is certain to use `root` and is not removed.
    pub(crate) fn must_use(&self, id: InstructionId, root: Value) -> bool {
        self.view.opcode(id) == Opcode::Apply
            && self.is_unknown(id)
            && ApplySite::new(self.view.body, id).is_some_and(|site| site.arguments().contains(&root))
    }

    fn ask(&self, question: Question, id: InstructionId, root: Value, answer: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.answers.borrow().get(&(question, id, root)) {
            return *known;
        }
        let answer = answer();
        self.answers.borrow_mut().insert((question, id, root), answer);
        answer
    }

    /// Returns whether an instruction may access an object, through a reference or an address.
    fn can_use_object(&self, id: InstructionId) -> bool {
        use Opcode::*;
        let view = self.view;
        match view.opcode(id) {
            FunctionRef
            | DynamicFunctionRef
            | PrevDynamicFunctionRef
            | IntegerLiteral
            | FloatLiteral
            | StringLiteral
            | AllocStack
            | AllocRef
            | AllocRefDynamic
            | AllocBox
            | Metatype
            | WitnessMethod
            | DeallocStack
            | DebugValue
            | Upcast
            | AddressToPointer
            | PointerToAddress
            | UncheckedRefCast
            | UncheckedAddrCast
            | RefToRawPointer
            | RawPointerToRef
            | UncheckedBitwiseCast
            | EndInitLetRef
            | BeginDeallocRef
            | StructExtract
            | TupleExtract
            | StructElementAddr
            | TupleElementAddr
            | UncheckedTakeEnumDataAddr
            | RefElementAddr
            | RefTailAddr
            | UncheckedEnumData
            | IndexAddr
            | IndexRawPointer
            | Enum
            | Struct
            | Tuple
            | CondFail
            | Br
            | CondBr => false,
            UncheckedTrivialBitCast => view.operand(id, 0).is_some_and(|from| !self.is_trivial(from)),
            Builtin => {
                self.effects.memory_behavior(view.body, id) != MemoryBehavior::None
                    || view.body.operands(id).iter().any(|operand| !self.is_trivial(*operand))
            }
            _ => true,
        }
    }

    fn is_trivial(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value);
        ty.is_address() || self.view.queries.properties(ty.ty, self.view.function.signature).is_trivial()
    }
}

fn checks_count(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::IsUnique | Opcode::BeginCowMutation | Opcode::DestroyNotEscapedClosure)
}
