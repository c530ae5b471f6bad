//! Speculative devirtualisation: if an object is likely an instance of one of a few classes, its class is checked and
//! the methods of these classes are called directly. The dynamic call remains after the last check, unless no other
//! class is possible. Follows lib/SILOptimizer/Transforms/SpeculativeDevirtualizer.cpp.
//!
//! `hierarchy` has the subclasses, `branching` inserts the checks. Functions with ownership are left alone.

mod branching;
mod hierarchy;

use sil_analysis::{ApplyKind, ModuleExtent};
use sil_ir::context::{MemberId, NominalId, NominalType, SilType, Type, TypeId};
use sil_ir::declarations::{Access, Origin};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{FunctionFlag, InstructionId, Value};
use sil_ir::types::TypeQueries;

use self::branching::{Question, Speculation};
use self::hierarchy::{ClassHierarchy, superclass};
use super::{MethodTables, instance};
use crate::editing::editor::Editor;
use crate::pass::{Environment, Rewrite};

/// The limit on checked subclasses.
const MOST_SUBCLASSES: usize = 6;

/// Devirtualises the method calls of a function speculatively.
pub(crate) fn speculate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body, .. } = environment;
    let is_left_alone = [
        FunctionFlag::Thunk,
        FunctionFlag::SignatureOptimizedThunk,
        FunctionFlag::ReabstractionThunk,
        FunctionFlag::BackDeployedThunk,
    ];
    let is_virtual = |id: &InstructionId| {
        let is_full = ApplyKind::of(body.instructions[*id].opcode).is_some_and(ApplyKind::is_full);
        let callee = body.operands(*id).first().filter(|_| is_full).and_then(|callee| body.defining(*callee));
        callee.is_some_and(|callee| body.instructions[callee].opcode == Opcode::ClassMethod)
    };
    let calls: Vec<InstructionId> = body.placed_instructions().filter(is_virtual).collect();
    if calls.is_empty()
        || environment.settings.is_for_size(function)
        || is_left_alone.into_iter().any(|flag| function.has(flag))
    {
        return Ok(None);
    }
    let tables = MethodTables::new(module);
    let hierarchy = ClassHierarchy::new(module, queries);
    let mut editor = Editor::new(environment);
    let mut speculation = Speculation::new(&mut editor, &tables);
    for call in calls {
        Speculator { speculation: &mut speculation, hierarchy: &hierarchy, call }.speculate();
    }
    speculation.finish();
    Ok(editor.finish())
}

/// A call whose receiver's class is checked.
struct Speculator<'s, 'e, 'm> {
    speculation: &'s mut Speculation<'e, 'm>,
    hierarchy: &'s ClassHierarchy,
    /// The dynamic call, on the failure edge of the last check.
    call: InstructionId,
}

/// The receiver of a method call.
struct Receiver {
    /// The object or metatype, looking through upcasts.
    value: Value,
    ty: SilType,
    class: NominalId,
    member: MemberId,
}

impl Speculator<'_, '_, '_> {
    fn speculate(&mut self) -> Option<()> {
        let receiver = self.receiver()?;
        let Receiver { ty, class, member, .. } = receiver;
        if self.hierarchy.direct(class).is_empty() {
            if self.is_rest_known(class, member, &[]) {
                return self.call_directly(self.call, class, member, ty);
            }
            return self.ask(class, member, ty).map(|_| ());
        }
        let mut subclasses = self.hierarchy.direct(class).to_vec();
        subclasses.extend(self.hierarchy.indirect(class));
        let is_all = subclasses.len() <= MOST_SUBCLASSES;
        subclasses.truncate(MOST_SUBCLASSES);
        if self.is_not_to_be_optimized(class, member) {
            return None;
        }
        let mut last = self.ask(class, member, ty);
        let mut is_complete = is_all;
        for subclass in subclasses.iter().copied() {
            let requested = self.type_of(subclass, ty).and_then(|ty| self.ask(subclass, member, ty));
            is_complete &= requested.is_some();
            last = requested.or(last);
        }
        if is_complete && self.is_rest_known(class, member, &subclasses) {
            match last.filter(|question| question.requested == receiver.value) {
                Some(question) => self.speculation.take_for_granted(&question),
                None => return self.call_directly(self.call, class, member, ty),
            }
        }
        Some(())
    }

    fn queries(&self) -> &TypeQueries<'_> {
        self.speculation.editor().environment.queries
    }

    /// Replaces the callee of a call with a receiver of type `ty` by the method of `class`.
    fn call_directly(&mut self, call: InstructionId, class: NominalId, member: MemberId, ty: SilType) -> Option<()> {
        let target = self.speculation.devirtualizer().target(call, class, member, ty)?;
        self.speculation.devirtualizer().make_direct(call, target).then_some(())
    }

    /// The receiver, if its type has no type parameters.
    fn receiver(&self) -> Option<Receiver> {
        let editor = self.speculation.editor();
        let body = editor.body();
        let lookup = editor.operand(self.call, 0).and_then(|callee| body.defining(callee))?;
        let views::ClassMethod { operand, method } = views::ClassMethod::of(body, lookup);
        let mut value = operand;
        while let Some(upcast) = editor.made_by(value, Opcode::Upcast) {
            value = Unary::of(body, upcast).operand;
        }
        let ty = body.ty(value);
        let queries = editor.environment.queries;
        let class = queries.as_nominal(instance(queries.get(ty.ty)).unwrap_or(ty.ty))?;
        let is_known = class.arguments.is_empty() && !queries.is_dependent(ty.ty);
        is_known.then_some(Receiver { value, ty, class: class.declaration, member: method.member })
    }

    /// Inserts a check for exactly `class`, if its method can be called directly.
    fn ask(&mut self, class: NominalId, member: MemberId, ty: SilType) -> Option<Question> {
        let call = self.call;
        self.speculation.devirtualizer().target(call, class, member, ty)?;
        let question = self.speculation.ask(call, ty)?;
        self.call_directly(question.direct, class, member, ty);
        self.call = question.otherwise;
        Some(question)
    }

    /// The type of instances of a subclass, or of its metatypes if the receiver type `like` is one.
    fn type_of(&self, subclass: NominalId, like: SilType) -> Option<SilType> {
        let queries = self.queries();
        // The arguments of a generic subclass are not known.
        if queries.declarations.get(subclass).signature.is_some() {
            return None;
        }
        let nominal = NominalType { declaration: subclass, parent: None, arguments: Box::default() };
        let object = queries.context.ty(Type::Nominal(nominal));
        let ty: TypeId = match queries.get(like.ty) {
            Type::Metatype { representation, .. } => {
                queries.context.ty(Type::Metatype { instance: object, representation: *representation })
            }
            _ => object,
        };
        Some(SilType::object(ty))
    }

    /// Returns whether the method of a class is marked `optnone`. Then its overrides are left alone too.
    fn is_not_to_be_optimized(&self, class: NominalId, member: MemberId) -> bool {
        let editor = self.speculation.editor();
        let name = self.speculation.tables().classes.function(editor.environment.queries, class, member);
        let module = editor.environment.module;
        let function = name.and_then(|name| module.function_named(name)).map(|id| &module.functions[id]);
        function.is_some_and(|function| function.has(FunctionFlag::OptimizeNone))
    }

    /// Returns whether all classes that are not among `requested` share the implementation of `class`.
    fn is_rest_known(&self, class: NominalId, member: MemberId, requested: &[NominalId]) -> bool {
        let queries = self.queries();
        if queries.declarations.get(class).attributes.is_final {
            return true;
        }
        if !self.are_subclasses_known(class) {
            return false;
        }
        let function = |class: NominalId| self.speculation.tables().classes.function(queries, class, member);
        let overrides = |class: &NominalId| {
            superclass(queries, *class).is_none_or(|superclass| function(superclass) != function(*class))
        };
        // Subclasses of a checked class are not checked.
        let is_last = |requested: &NominalId| !overrides(requested) || self.hierarchy.direct(*requested).is_empty();
        let parent = queries.context.get_member(member).parent;
        let original = parent.and_then(function);
        requested.iter().all(is_last)
            && self.hierarchy.indirect(class).into_iter().all(|subclass| function(subclass) == original)
    }

    /// Returns whether `class` cannot be subclassed outside of the module.
    fn are_subclasses_known(&self, class: NominalId) -> bool {
        let editor = self.speculation.editor();
        let Environment { queries, settings, .. } = editor.environment;
        let declaration = queries.declarations.get(class);
        let is_seen = match declaration.attributes.access {
            Access::Private | Access::FilePrivate => true,
            Access::Open => false,
            _ => settings.extent == ModuleExtent::Whole,
        };
        // The Objective-C runtime can create subclasses.
        let mut ancestry = std::iter::successors(Some(class), |class| superclass(queries, *class)).take(256);
        is_seen
            && declaration.origin == Origin::Module
            && ancestry.all(|class| !queries.declarations.get(class).attributes.objc)
    }
}
