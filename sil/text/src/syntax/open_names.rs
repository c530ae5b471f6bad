//! Resolves names of several types by bodies: values that are stored, passed, returned or projected have the same type,
//! so that both names of that type mean the same. Owns the pairs of values that an instruction gives one type, and the
//! conclusions for the places of the names. Does not own: the record of stand-ins that are compared with types (the
//! comparison of types).
//!
//! Nothing is guessed where the module uses several of the types.

use rustc_hash::FxHashMap;
use sil_ir::context::{MemberId, NominalId, SilType, Type, TypeId};
use sil_ir::declarations::{Meaning, OpenNames, Origin, Place, StatedPlaces};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::Store;
use sil_ir::model::{Body, Details, Function, InstructionId, KeyPathComponentKind, Module, Scope, ScopeParent};
use sil_ir::source::Span;
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::default_arguments::pairs_of_substitutions;
use super::visible_types::VisibleTypes;
use crate::swift_source::SwiftSources;

/// Returns the meanings that the bodies of `module` and the source add to those known when it was read. If they add
/// none, each remaining name is closed: it gets its likely meaning, or none.
pub(super) fn report_places(module: &Module, sources: Option<&SwiftSources>) -> StatedPlaces {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let visible = VisibleTypes::new(module, sources);
    let comparison = Comparison { module, queries: &queries, visible: &visible };
    for function in module.functions.values() {
        if let Some(body) = &function.body {
            comparison.arguments(function, body);
            comparison.body(Some(function), body);
        }
    }
    module.scopes.values().for_each(|scope| comparison.scope(scope));
    for body in module.globals.values().filter_map(|global| global.initializer.as_deref()) {
        comparison.body(None, body);
    }
    Groups::new(module, &visible).tell()
}

/// Compares types that are equal in valid SIL.
struct Comparison<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    visible: &'m VisibleTypes<'m>,
}

impl Comparison<'_> {
    fn same(&self, first: SilType, second: SilType) {
        self.queries.agree_types(first.ty, second.ty);
    }

    /// A scope says the type of its function again.
    fn scope(&self, scope: &Scope) {
        let ScopeParent::Function { name, ty, .. } = scope.parent else { return };
        if let Some(function) = self.module.function_named(name) {
            self.queries.agree_types(ty, self.module.functions[function].ty);
        }
    }

    /// Compares the arguments of the first block with those of the function's type.
    fn arguments(&self, function: &Function, body: &Body) {
        let Some(conventions) = self.queries.conventions(function.ty) else { return };
        if body.blocks.is_empty() {
            return;
        }
        let arguments = &body.blocks[body.entry()].arguments;
        for (argument, declared) in arguments.iter().zip(conventions.arguments()) {
            self.same(body.ty(*argument), declared.ty);
        }
    }

    fn body(&self, function: Option<&Function>, body: &Body) {
        for (one, other) in pairs_of_substitutions(self.module, body) {
            let replacements = |map| self.module.context.get_substitutions(map).replacements.iter();
            for (one, other) in replacements(one).zip(replacements(other)) {
                self.queries.agree_types(*one, *other);
            }
        }
        for instruction in body.placed_instructions() {
            self.instruction(function, body, instruction);
            self.members(body, instruction);
            if let Some((place, meant)) = self.visible.of_cast(body, instruction) {
                self.module.declarations.open_names.stand_in(place, &[meant]);
            }
        }
    }

    fn instruction(&self, function: Option<&Function>, body: &Body, instruction: InstructionId) {
        let operands = body.operands(instruction);
        let result = || body.result(instruction).map(|result| body.ty(result));
        match body.instructions[instruction].opcode {
            Opcode::Store | Opcode::StoreBorrow | Opcode::Assign => {
                if let Some(Store { source, destination }) = Store::get(body, instruction) {
                    self.same(body.ty(source), body.ty(destination));
                }
            }
            Opcode::CopyAddr => {
                if let [source, destination] = *operands {
                    self.same(body.ty(source), body.ty(destination));
                }
            }
            Opcode::Struct => {
                let fields = result().and_then(|whole| self.queries.field_types(whole.ty));
                for (field, value) in fields.iter().flat_map(|fields| fields.iter()).zip(operands) {
                    self.queries.agree_types(*field, body.ty(*value).ty);
                }
            }
            Opcode::Enum => {
                if let ([payload], Some(whole), Details::Member(case)) =
                    (operands, result(), &body.instructions[instruction].details)
                {
                    self.payload(whole, *case, body.ty(*payload));
                }
            }
            Opcode::SwitchEnum => self.switch(body, instruction),
            Opcode::FunctionRef | Opcode::GlobalAddr | Opcode::GlobalValue => self.reference(body, instruction),
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply => {
                self.call(body, instruction);
            }
            Opcode::Return | Opcode::Throw => {
                if let ([value], Some(function)) = (operands, function)
                    && let Some(conventions) = self.queries.conventions(function.ty)
                    && body.instructions[instruction].opcode == Opcode::Return
                {
                    self.same(body.ty(*value), self.queries.direct_result(conventions));
                }
            }
            Opcode::Br | Opcode::CondBr => self.branch(body, instruction),
            _ => self.written(body, instruction),
        }
    }

    /// Compares a type written next to an operand with the type of the operand or of the result.
    fn written(&self, body: &Body, instruction: InstructionId) {
        let operands = body.operands(instruction);
        match &body.instructions[instruction].details {
            Details::Cast(cast) => {
                let [source, rest @ ..] = operands else { return };
                if let Some(written) = cast.source {
                    self.queries.agree_types(written, body.ty(*source).ty);
                }
                let targets = body.targets(instruction).first().map(|target| &body.blocks[*target].arguments[..]);
                for value in rest.iter().chain(targets.unwrap_or_default()) {
                    self.queries.agree_types(cast.target, body.ty(*value).ty);
                }
            }
            Details::Variable(variable) => {
                let value = operands.first().copied().or_else(|| body.result(instruction));
                if let (Some(written), Some(value), true) = (variable.ty, value, variable.expression.is_empty()) {
                    self.variable(written.ty, body.ty(value).ty);
                }
            }
            Details::KeyPath(path) => {
                let Some(made) = body.result(instruction).map(|made| body.ty(made)) else { return };
                let ends = [Some(path.root), path.components.last().map(|component| component.ty)];
                if let Some(made) = self.queries.as_nominal(made.ty) {
                    for (end, argument) in ends.into_iter().zip(&made.arguments) {
                        if let Some(end) = end {
                            let end = self.queries.substitute(end, path.substitutions);
                            self.queries.agree_types(end, *argument);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Compares the type of a variable with that of its value or its box.
    fn variable(&self, written: TypeId, value: TypeId) {
        let value = match self.queries.get(value) {
            Type::Box(_) => self.queries.box_field_type(value, 0).unwrap_or(value),
            _ => value,
        };
        self.queries.agree_types(written, value);
    }

    fn payload(&self, whole: SilType, case: MemberId, payload: SilType) {
        if let Some(ty) = self.queries.enum_payload_type(whole.ty, case) {
            self.queries.agree_types(ty, payload.ty);
        }
    }

    fn switch(&self, body: &Body, instruction: InstructionId) {
        let Details::EnumCases(cases) = &body.instructions[instruction].details else { return };
        let [whole, ..] = body.operands(instruction) else { return };
        for (member, target) in cases.members.iter().zip(body.targets(instruction)) {
            if let [payload] = body.blocks[*target].arguments[..] {
                self.payload(body.ty(*whole), *member, body.ty(payload));
            }
        }
    }

    /// Compares the types at references to a function or a global.
    fn reference(&self, body: &Body, instruction: InstructionId) {
        let Some(written) = body.result(instruction).map(|result| body.ty(result)) else { return };
        let declared = match &body.instructions[instruction].details {
            Details::Function(name) => {
                self.module.function_named(*name).map(|function| self.module.functions[function].ty)
            }
            Details::Global(name, _) => {
                self.module.global_names.get(name).map(|global| self.module.globals[*global].ty)
            }
            _ => None,
        };
        if let Some(declared) = declared {
            self.queries.agree_types(written.ty, declared);
        }
    }

    fn call(&self, body: &Body, instruction: InstructionId) {
        let Details::Apply(apply) = &body.instructions[instruction].details else { return };
        let Some((callee, arguments)) = body.operands(instruction).split_first() else { return };
        self.same(apply.callee_type, body.ty(*callee));
        let Some(conventions) = self.queries.applied_conventions(body.ty(*callee).ty, apply.substitutions) else {
            return;
        };
        let first = match body.instructions[instruction].opcode {
            Opcode::PartialApply => conventions.first_applied_argument(arguments.len()).unwrap_or(0),
            _ => 0,
        };
        for (argument, parameter) in arguments.iter().zip(conventions.arguments().skip(first)) {
            self.same(body.ty(*argument), parameter.ty);
        }
        if body.instructions[instruction].opcode == Opcode::TryApply
            && let Some(target) = body.targets(instruction).first()
            && let [result] = body.blocks[*target].arguments[..]
        {
            self.same(body.ty(result), self.queries.direct_result(conventions));
        }
    }

    fn branch(&self, body: &Body, instruction: InstructionId) {
        let operands = body.operands(instruction);
        let passed = match &body.instructions[instruction].details {
            Details::CondBranch { true_arguments, .. } => {
                let arguments = operands.get(1..).unwrap_or_default();
                let (first, second) = arguments.split_at(arguments.len().min(*true_arguments as usize));
                vec![first, second]
            }
            _ => vec![operands],
        };
        for (target, values) in body.targets(instruction).iter().zip(passed) {
            for (value, argument) in values.iter().zip(&body.blocks[*target].arguments) {
                self.same(body.ty(*value), body.ty(*argument));
            }
        }
    }

    /// Compares the type of a member access with the type that declares the member; a class may inherit it.
    fn members(&self, body: &Body, instruction: InstructionId) {
        let whole = body.operands(instruction).first().copied().or_else(|| body.result(instruction));
        let Some(whole) = whole.map(|whole| body.ty(whole).ty) else { return };
        match &body.instructions[instruction].details {
            Details::Member(member) => {
                let made = body.result(instruction).map(|made| body.ty(made).ty);
                let is_made = body.instructions[instruction].opcode == Opcode::Enum;
                self.member(*member, if is_made { made.unwrap_or(whole) } else { whole });
            }
            Details::EnumCases(cases) => cases.members.iter().for_each(|member| self.member(*member, whole)),
            Details::Method(method) => {
                self.member(method.member, method.lookup.unwrap_or(whole));
                if let Some(declaring) = method.formal_type.and_then(|ty| self.declaring(ty)) {
                    self.member(method.member, declaring);
                }
            }
            Details::KeyPath(path) => {
                let mut at = path.root;
                for component in &path.components {
                    if let KeyPathComponentKind::StoredProperty(member) = component.kind {
                        self.member(member, at);
                    }
                    at = component.ty;
                }
            }
            _ => {}
        }
    }

    /// The type that declares a method: its formal type takes `self` first (`SILDeclRef` with its interface type,
    /// `SILPrinter.cpp`).
    fn declaring(&self, formal: TypeId) -> Option<TypeId> {
        let Type::FormalFunction(function) = self.queries.get(formal) else { return None };
        let [parameter] = function.parameters[..] else { return None };
        Some(match self.queries.get(parameter.ty) {
            Type::InOut(ty) => *ty,
            _ => parameter.ty,
        })
    }

    fn member(&self, member: MemberId, whole: TypeId) {
        let whole = match self.queries.get(whole) {
            Type::Metatype { instance, .. } => *instance,
            _ => whole,
        };
        let (Some(parent), Some(whole)) =
            (self.queries.context.get_member(member).parent, self.queries.as_nominal(whole))
        else {
            return;
        };
        let name = |nominal| self.queries.declarations.get(nominal).name;
        if name(parent) == name(whole.declaration) {
            self.queries.declarations.open_names.may_be_same(parent, whole.declaration);
        }
    }
}

/// Groups of stand-ins that mean the same type.
struct Groups<'m> {
    module: &'m Module,
    open_names: &'m OpenNames,
    /// Another stand-in of the same group, or itself.
    next: FxHashMap<NominalId, NominalId>,
    /// The possible meanings of a group, by the stand-in that is its own next.
    meanings: FxHashMap<NominalId, Vec<NominalId>>,
}

impl<'m> Groups<'m> {
    fn new(module: &'m Module, visible: &VisibleTypes<'_>) -> Self {
        let open_names = &module.declarations.open_names;
        let mut groups = Self { module, open_names, next: FxHashMap::default(), meanings: FxHashMap::default() };
        let mut first: FxHashMap<Place, NominalId> = FxHashMap::default();
        let mut stand_ins: Vec<_> = open_names.stand_ins().collect();
        stand_ins.sort_by_key(|(_, stand_in)| (stand_in.place, stand_in.candidates.clone()));
        for (id, stand_in) in &stand_ins {
            groups.next.insert(*id, *id);
            groups.meanings.insert(*id, visible.at(stand_in.place, &stand_in.candidates));
        }
        for (id, stand_in) in &stand_ins {
            let known = *first.entry(stand_in.place).or_insert(*id);
            groups.join(known, *id);
        }
        for (place, only) in open_names.narrowed() {
            if let Some(stand_in) = first.get(&place) {
                groups.join(*stand_in, only);
            }
        }
        for (one, other) in open_names.compared() {
            groups.join(one, other);
        }
        groups
    }

    fn group(&self, mut id: NominalId) -> NominalId {
        while let Some(next) = self.next.get(&id).filter(|next| **next != id) {
            id = *next;
        }
        id
    }

    fn join(&mut self, one: NominalId, other: NominalId) {
        let (one, other) = (self.group(one), self.group(other));
        if one == other {
            return;
        }
        let (kept, joined) = if self.next.contains_key(&one) { (one, other) } else { (other, one) };
        let meanings = self.meanings.remove(&joined).unwrap_or_else(|| vec![joined]);
        if self.next.contains_key(&joined) {
            self.next.insert(joined, kept);
        }
        if let Some(known) = self.meanings.get_mut(&kept) {
            known.retain(|meaning| meanings.contains(meaning));
        }
    }

    fn tell(&self) -> StatedPlaces {
        let mut stated = self.open_names.stated().clone();
        let before = stated.meanings.len();
        for (id, stand_in) in self.open_names.stand_ins() {
            if let Some([only]) = self.meanings.get(&self.group(id)).map(|meanings| &meanings[..]) {
                stated.meanings.insert(stand_in.place, Meaning::One(*only));
            }
        }
        if stated.meanings.len() == before {
            self.close(&mut stated);
        }
        stated
    }

    /// Assigns meanings to the places without evidence.
    fn close(&self, stated: &mut StatedPlaces) {
        stated.is_closed = true;
        let used: Vec<NominalId> = stated.meanings.values().filter_map(|meaning| one(*meaning)).collect();
        let kept = self.kept();
        for (id, stand_in) in self.open_names.stand_ins() {
            let possible =
                self.meanings.get(&self.group(id)).map_or(&stand_in.candidates[..], |meanings| &meanings[..]);
            let mut seen = possible.iter().filter(|meaning| used.contains(meaning));
            let own = possible.iter().find(|meaning| self.is_own(**meaning));
            let meaning = match (seen.next(), seen.next()) {
                // Local types and types of the module are visible at different places.
                (Some(only), None) if possible.iter().all(|other| self.is_local(*other) == self.is_local(*only)) => {
                    Meaning::One(*only)
                }
                // A group with contradictory evidence means nothing.
                (None, _) => own.map_or(Meaning::Unknown, |own| Meaning::One(*own)),
                // Declared types that are not stored affect no code.
                _ if self.is_declared(stand_in.place) && !kept.contains(&stand_in.place) => {
                    own.map_or(Meaning::Unknown, |own| Meaning::One(*own))
                }
                _ => Meaning::Unknown,
            };
            stated.meanings.entry(stand_in.place).or_insert(meaning);
        }
    }

    fn is_local(&self, nominal: NominalId) -> bool {
        self.module.declarations.get(nominal).attributes.local.is_some()
    }

    fn is_own(&self, nominal: NominalId) -> bool {
        self.module.declarations.get(nominal).origin == Origin::Module
    }

    /// Returns whether a place is in a declaration.
    fn is_declared(&self, place: Place) -> bool {
        self.module.declaration_text.iter().any(|span: &Span| (span.start..span.end).contains(&place))
    }

    /// Returns the places of names in the types of stored properties and payloads.
    fn kept(&self) -> Vec<Place> {
        let conformances = ConformanceTable::default();
        let queries = TypeQueries::of(self.module, &conformances);
        let declarations = self.module.declarations.iter().filter(|(id, _)| self.is_own(*id));
        let mut places = Vec::new();
        for (_, declaration) in declarations {
            let payloads = declaration.cases.iter().filter_map(|case| case.payload);
            for ty in declaration.stored.iter().map(|stored| stored.ty).chain(payloads) {
                queries.find_in(ty, &mut |part| -> Option<()> {
                    let nominal = match queries.get(part) {
                        Type::Nominal(nominal) => nominal.declaration,
                        Type::Protocol { protocol, .. } => *protocol,
                        _ => return None,
                    };
                    places.extend(self.open_names.get(nominal).map(|stand_in| stand_in.place));
                    None
                });
            }
        }
        places
    }
}

fn one(meaning: Meaning) -> Option<NominalId> {
    match meaning {
        Meaning::One(nominal) => Some(nominal),
        Meaning::Unknown => None,
    }
}
