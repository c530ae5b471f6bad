//! Devirtualises calls of class methods and witness methods. Follows lib/SILOptimizer/Utils/Devirtualize.cpp. Class
//! methods are handled here, protocol methods in `witnesses`. `exact_types` computes exact dynamic types. `speculation`
//! checks the class of an object if there are few candidates.
//!
//! Does not own: methods of generic classes.

mod exact_types;
pub(crate) mod speculation;
mod witnesses;

pub(crate) use witnesses::argument_cast;

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::{ApplyKind, ApplySite, Use, is_method_knowable};
use sil_ir::context::{FunctionType, MemberId, Name, NominalId, ParameterConvention, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, Unary};
use sil_ir::model::{Details, Function, FunctionFlag, InstructionId, Module, Ownership, Place, VTableEntryKind, Value};
use sil_ir::types::{ArgumentConvention, FunctionConventions, TypeQueries};

use self::exact_types::{exact_instance, exact_type};
use crate::editing::editor::Editor;
use crate::editing::value_casts::ValueCast;
use crate::knowledge::visibility::may_be_named_in;
use crate::knowledge::witnesses::WitnessIndex;
use crate::pass::{Description, Environment, Gate, Gates, Outcome, OwnershipGate, Pass, RemarkPart, Rewrite, Runner};

pub(crate) const SPECULATIVE_DEVIRTUALIZATION: Pass = Pass::new(&Description {
    name: "specdevirt",
    class_name: "SpeculativeDevirtualization",
    summary: "Replaces method calls by checked casts and direct calls where few classes have the method.",
    gates: Gates { optimize_none: Gate::Skip, ownership: OwnershipGate::Lowered, ..Gates::OPEN },
    runner: Runner::Function(speculation::speculate),
});

pub(crate) const DEVIRTUALIZER: Pass = Pass::new(&Description {
    name: "devirtualizer",
    class_name: "Devirtualizer",
    summary: "Replaces method calls by direct calls where the callee is known.",
    gates: Gates::OPEN,
    runner: Runner::Function(devirtualize),
});

/// The name of the pass in remarks.
const REMARKS: &str = "sil-devirtualizer";

/// Devirtualises the calls of a function.
pub(crate) fn devirtualize(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    devirtualize_within(environment, Reach::Visible)
}

/// Devirtualises calls even if the callee cannot be referenced wherever the function's body is visible.
pub(crate) fn devirtualize_at_any_rate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    devirtualize_within(environment, Reach::All)
}

fn devirtualize_within(environment: Environment<'_>, reach: Reach) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let body = environment.body;
    let is_virtual = |id: &InstructionId| {
        let callee = ApplySite::new(body, *id).and_then(ApplySite::callee).and_then(|callee| body.defining(callee));
        let is_method = |opcode| matches!(opcode, Opcode::ClassMethod | Opcode::WitnessMethod);
        callee.is_some_and(|callee| is_method(body.instructions[callee].opcode))
    };
    let calls: Vec<InstructionId> = body.placed_instructions().filter(is_virtual).collect();
    if calls.is_empty() {
        return Ok(None);
    }
    let tables = MethodTables { reach, ..MethodTables::new(environment.module) };
    let mut editor = Editor::new(environment);
    for call in calls {
        devirtualize_call(&mut editor, &tables, call);
    }
    Ok(editor.finish())
}

/// The functions that may be called directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// Functions that can be referenced wherever the caller's body is visible.
    Visible,
    /// All functions. The pass's user makes them visible.
    All,
}

/// Devirtualises `call` if it calls a method.
pub(crate) fn devirtualize_call(editor: &mut Editor<'_>, tables: &MethodTables, call: InstructionId) {
    let lookup = editor.operand(call, 0).and_then(|callee| editor.body().defining(callee));
    let is_full = ApplyKind::of(editor.opcode(call)).is_some_and(ApplyKind::is_full);
    match lookup.map(|lookup| editor.opcode(lookup)) {
        Some(Opcode::ClassMethod) if is_full => {
            Devirtualizer { editor, tables: &tables.classes, reach: tables.reach }.call(call)
        }
        Some(Opcode::WitnessMethod) => drop(witnesses::devirtualize(editor, &tables.witnesses, tables.reach, call)),
        _ => {}
    }
}

/// The functions in vtables and witness tables.
pub(crate) struct MethodTables {
    classes: ClassTables,
    witnesses: WitnessIndex,
    reach: Reach,
}

impl MethodTables {
    pub(crate) fn new(module: &Module) -> Self {
        Self { classes: ClassTables::new(module), witnesses: WitnessIndex::new(module), reach: Reach::Visible }
    }
}

/// The functions in vtables.
struct ClassTables {
    functions: FxHashMap<(NominalId, MemberId), Name>,
    /// The overriding entries of each class for methods of its superclasses.
    overrides: FxHashMap<NominalId, Vec<(MemberId, Name)>>,
}

impl ClassTables {
    fn new(module: &Module) -> Self {
        let tables = module.vtables.iter().filter(|table| table.specialized.is_none());
        let entries = tables.flat_map(|table| table.entries.iter().map(|entry| (table.class, entry)));
        let mut found = Self { functions: FxHashMap::default(), overrides: FxHashMap::default() };
        // Method references of one name are equal regardless of their types and labels.
        let mut overloaded = FxHashSet::default();
        for (class, entry) in entries {
            let known = found.functions.insert((class, entry.member), entry.function);
            if known.is_some_and(|known| known != entry.function) {
                overloaded.insert((class, entry.member));
            }
            if entry.kind == VTableEntryKind::Override {
                found.overrides.entry(class).or_default().push((entry.member, entry.function));
            }
        }
        found.functions.retain(|method, _| !overloaded.contains(method));
        found
    }

    /// The function of `class` for `member`. In an overriding class, the entry has the name of the overridden method,
    /// unless the method is called differently. `None` if several entries have the name.
    fn function(&self, queries: &TypeQueries<'_>, class: NominalId, member: MemberId) -> Option<Name> {
        if let Some(function) = self.functions.get(&(class, member)) {
            return Some(*function);
        }
        let wanted = queries.context.get_member(member);
        let is_same = |found: MemberId| {
            let found = queries.context.get_member(found);
            found.name == wanted.name && found.kind == wanted.kind
        };
        let own = queries.declarations.get(class).dispatched.iter();
        let own = own.filter(|own| own.name == wanted.name && own.kind == wanted.kind);
        let mut overridden = self.overrides.get(&class)?.iter().filter(|(found, _)| is_same(*found));
        let (_, function) = overridden.next()?;
        (wanted.parent == Some(class) && own.count() == 1 && overridden.next().is_none()).then_some(*function)
    }
}

struct Devirtualizer<'d, 'm> {
    editor: &'d mut Editor<'m>,
    tables: &'d ClassTables,
    reach: Reach,
}

impl<'m> Devirtualizer<'_, 'm> {
    fn call(&mut self, call: InstructionId) {
        let Some(lookup) = self.editor.operand(call, 0).and_then(|callee| self.editor.body().defining(callee)) else {
            return;
        };
        let views::ClassMethod { operand, method } = views::ClassMethod::of(self.editor.body(), lookup);
        let member = method.member;
        let Some(function) = self.implementation(operand, member) else { return };
        if self.make_direct(call, function) {
            let parts = vec![
                RemarkPart::Text("Devirtualized call to class method "),
                RemarkPart::Function("Method", function.name, function.span),
            ];
            self.editor.remark((Outcome::Passed, REMARKS, "ClassMethodDevirtualized"), call, parts);
            self.erase_unused(lookup);
        }
    }

    /// Replaces the callee of `call` with `function`. Returns whether that is possible.
    fn make_direct(&mut self, call: InstructionId, function: &Function) -> bool {
        let passed = self.editor.body().operands(call).last().map(|passed| self.editor.body().ty(*passed));
        let Some((place, object)) = passed.and_then(|passed| self.receiver(call, function, passed)) else {
            return false;
        };
        let queries = self.editor.environment.queries;
        let Details::Apply(before) = &self.editor.body().instructions[call].details else { return false };
        let cast = match (queries.get(function.ty), queries.get(before.callee_type.ty)) {
            (Type::Function(direct), Type::Function(method)) => self.result_cast(call, direct, method),
            _ => None,
        };
        let ty = SilType::object(function.ty);
        let callee = self.editor.build(Place::Before(call), call, |builder| builder.function_ref(function.name, ty));
        self.borrow_lent(call);
        let object = self.cast(call, place, object);
        let Details::Apply(mut apply) = self.editor.body().instructions[call].details.clone() else { return false };
        apply.callee_type = ty;
        self.editor.set_details(call, Details::Apply(apply));
        self.editor.set_operand(Use { user: call, operand: 0 }, callee);
        self.editor.set_operand(Use { user: call, operand: place }, object);
        if let Some((given, cast)) = cast {
            self.cast_result(call, given, &cast);
        }
        true
    }

    fn erase_unused(&mut self, lookup: InstructionId) {
        let is_unused = self.editor.body().result(lookup).is_some_and(|result| self.editor.uses(result).is_empty());
        if is_unused {
            self.editor.erase(lookup);
        }
    }

    /// The function of `class` that a call with a receiver of type `passed` may call instead of the method `member`.
    fn target(&self, call: InstructionId, class: NominalId, member: MemberId, passed: SilType) -> Option<&'m Function> {
        let Environment { module, queries, function: caller, .. } = self.editor.environment;
        let name = self.tables.function(queries, class, member)?;
        let function = &module.functions[module.function_named(name)?];
        let is_fit = !function.has(FunctionFlag::OptimizeNone) && may_be_named_in(function, caller);
        (is_fit && self.receiver(call, function, passed).is_some()).then_some(function)
    }

    /// The only possible implementation of a method for an object or metatype.
    fn implementation(&self, receiver: Value, member: MemberId) -> Option<&'m Function> {
        let Environment { module, queries, function: caller, .. } = self.editor.environment;
        let body = self.editor.body();
        let mut root = receiver;
        while let Some(upcast) = self.editor.made_by(root, Opcode::Upcast) {
            root = Unary::of(body, upcast).operand;
        }
        let class_of = |value: Value| {
            let ty = body.ty(value).ty;
            let class = queries.as_nominal(instance(queries.get(ty)).unwrap_or(ty));
            class.filter(|class| class.arguments.is_empty()).map(|class| class.declaration)
        };
        let in_table = |class: NominalId| self.tables.function(queries, class, member);
        let class = class_of(root)?;
        let only = in_table(class)
            .filter(|name| self.is_final(root) || self.is_never_overridden(class, member, *name))
            .or_else(|| in_table(class_of(exact_instance(self.editor, receiver)?)?))
            .or_else(|| in_table(class).filter(|_| exact_type(self.editor, receiver) == Some(body.ty(receiver))));
        let name = only?;
        let function = &module.functions[module.function_named(name)?];
        (self.reach == Reach::All || may_be_named_in(function, caller)).then_some(function)
    }

    /// Returns whether the class of an object is final.
    fn is_final(&self, object: Value) -> bool {
        let queries = self.editor.environment.queries;
        let ty = self.editor.body().ty(object).ty;
        let class = queries.declaration_of(instance(queries.get(ty)).unwrap_or(ty));
        class.is_some_and(|class| class.attributes.is_final)
    }

    /// Returns whether all subclasses are known, because the member is not visible outside of the compiled code, and
    /// share the same implementation.
    fn is_never_overridden(&self, class: NominalId, member: MemberId, function: Name) -> bool {
        let Environment { queries, settings, .. } = self.editor.environment;
        let introduced = queries.context.get_member(member).parent;
        let is_known = |class: NominalId| is_method_knowable(queries, settings.extent, class, member);
        if !is_known(class) && !introduced.is_some_and(is_known) {
            return false;
        }
        self.tables.functions.iter().all(|((subclass, found), other)| {
            *found != member || *other == function || !self.inherits(*subclass, class)
        })
    }

    fn inherits(&self, class: NominalId, from: NominalId) -> bool {
        let queries = self.editor.environment.queries;
        let mut current = Some(class);
        // In invalid input, a class may be its own superclass.
        for _ in 0..256 {
            match current {
                Some(found) if found == from => return true,
                Some(found) => {
                    let superclass = queries.declarations.get(found).superclass;
                    current = superclass.and_then(|ty| queries.as_nominal(ty)).map(|class| class.declaration);
                }
                None => return false,
            }
        }
        false
    }

    /// The result type of `function` and its cast to the result type of `call`. `None` if it cannot be cast.
    fn result_cast(
        &self,
        call: InstructionId,
        function: &FunctionType,
        method: &FunctionType,
    ) -> Option<(SilType, ValueCast)> {
        let queries = self.editor.environment.queries;
        let [given, wanted] = [function, method].map(|ty| queries.direct_result(FunctionConventions::new(ty)));
        if function.results == method.results {
            return Some((given, ValueCast::Same));
        }
        let conventions = |ty: &FunctionType| ty.results.iter().map(|result| result.convention).collect::<Vec<_>>();
        let is_indirect = function.results.iter().any(|result| result.convention.is_indirect());
        // For generic functions, the types would have to be substituted.
        if function.signature.is_some() || is_indirect || conventions(function) != conventions(method) {
            return None;
        }
        let can_be_cast = match self.editor.opcode(call) {
            Opcode::Apply => true,
            // The result is a block argument, which must have no other incoming value.
            Opcode::TryApply => self.editor.edges_to(self.editor.body().targets(call)[0]) == 1,
            _ => false,
        };
        let cast = ValueCast::new(self.editor.environment, given, wanted)?;
        (can_be_cast && !cast.divides_flow()).then_some((given, cast))
    }

    /// Casts the result of `call`, whose type is now `given`.
    fn cast_result(&mut self, call: InstructionId, given: SilType, cast: &ValueCast) {
        let body = self.editor.body();
        let (result, before) = match views::TryApply::get(body, call) {
            Some(views::TryApply { normal, .. }) => {
                (body.blocks[normal].arguments.first().copied(), body.first_instruction(normal))
            }
            None => (body.result(call), body.next(call)),
        };
        let (Some(result), Some(before)) = (result.filter(|_| *cast != ValueCast::Same), before) else { return };
        let uses = self.editor.uses(result);
        let ownership = self.editor.has_ownership().then(|| self.editor.ownership(result));
        self.editor.set_value_type(result, given);
        // The cast has no control flow, so no blocks are created.
        let (cast, _) =
            self.editor.build_flow(before, call, |flow| cast.make(flow, result, ownership, &mut Vec::new()));
        uses.into_iter().for_each(|found| self.editor.set_operand(found, cast));
    }

    /// The receiver operand of a call, and the parameter type of `function` for a passed object of type `passed`.
    /// `None` if the function differs from the method in any other way.
    fn receiver(&self, call: InstructionId, function: &Function, passed: SilType) -> Option<(u32, SilType)> {
        let queries = self.editor.environment.queries;
        let Details::Apply(apply) = &self.editor.body().instructions[call].details else { return None };
        let (Type::Function(method), Type::Function(direct)) =
            (queries.get(apply.callee_type.ty), queries.get(function.ty))
        else {
            return None;
        };
        let (object, others) = direct.parameters.split_last()?;
        let (_, method_others) = method.parameters.split_last()?;
        let is_same = others == method_others
            && self.result_cast(call, direct, method).is_some()
            && direct.yields == method.yields
            && direct.error == method.error
            && match (direct.signature, method.signature) {
                (None, None) => true,
                (Some(direct), Some(method)) => queries.same_signature(direct, method),
                _ => false,
            };
        let place = (self.editor.body().operands(call).len() as u32).checked_sub(1)?;
        // Metatypes are not cast to subclass metatypes.
        let class = |ty: TypeId| instance(queries.get(ty)).unwrap_or(ty);
        let object = queries.substitute_lowered(object.ty, apply.substitutions);
        let fits = instance(queries.get(passed.ty)).is_none() || queries.is_subclass(class(passed.ty), class(object));
        (is_same && fits).then(|| (place, SilType::object(object)))
    }

    /// Inserts borrows for owned values that the call takes as guaranteed.
    fn borrow_lent(&mut self, call: InstructionId) {
        for operand in 1..self.editor.body().operands(call).len() as u32 {
            let passed = self.editor.body().operands(call)[operand as usize];
            if self.editor.ownership(passed) == Ownership::Owned && is_lent(self.editor, call, operand) {
                let borrowed = borrow(self.editor, call, passed);
                self.editor.set_operand(Use { user: call, operand }, borrowed);
            }
        }
    }

    /// Casts the receiver to the parameter type.
    fn cast(&mut self, call: InstructionId, place: u32, to: SilType) -> Value {
        let passed = self.editor.body().operands(call)[place as usize];
        let queries = self.editor.environment.queries;
        let from = self.editor.body().ty(passed);
        if queries.same_sil_type(from, to) {
            return passed;
        }
        let class = |ty: TypeId| instance(queries.get(ty)).unwrap_or(ty);
        let opcode = match queries.is_subclass(class(from.ty), class(to.ty)) {
            true => Opcode::Upcast,
            false => Opcode::UncheckedRefCast,
        };
        self.editor.build(Place::Before(call), call, |builder| builder.cast(opcode, passed, to))
    }
}

/// Returns whether a call takes an operand as guaranteed.
fn is_lent(editor: &Editor<'_>, call: InstructionId, operand: u32) -> bool {
    let site = ApplySite::new(editor.body(), call).filter(|site| site.kind.is_full());
    let conventions = site.and_then(|site| Some((site, site.conventions(editor.environment.queries)?)));
    let argument = conventions.and_then(|(site, found)| site.argument_of_operand(found, operand as usize));
    argument
        .is_some_and(|argument| argument.convention == ArgumentConvention::Parameter(ParameterConvention::Guaranteed))
}

/// Borrows `value` for the duration of `call`.
fn borrow(editor: &mut Editor<'_>, call: InstructionId, value: Value) -> Value {
    let borrow = editor.build(Place::Before(call), call, |builder| builder.begin_borrow(value));
    let body = editor.body();
    let ends: Vec<Place> = match body.instructions[call].opcode {
        Opcode::TryApply => body.targets(call).iter().map(|target| Place::Start(*target)).collect(),
        Opcode::BeginApply => {
            let users = body.results(call).flat_map(|result| editor.uses(result));
            let is_end = |user: &InstructionId| matches!(editor.opcode(*user), Opcode::EndApply | Opcode::AbortApply);
            users.map(|found| found.user).filter(is_end).map(Place::After).collect()
        }
        _ => vec![Place::After(call)],
    };
    for end in ends {
        editor.build(end, call, |builder| {
            builder.end_borrow(borrow);
        });
    }
    borrow
}

/// The instance type of a metatype.
fn instance(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Metatype { instance, .. } => Some(*instance),
        _ => None,
    }
}
