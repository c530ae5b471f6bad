//! Escapes of a value, or of memory that it leads to: a walk up to its definitions and down to all its uses.
//!
//! The walk answers whether something escapes: whether a use was found that this does not see through, or that its
//! visitor objects to. The rules are those of SwiftCompilerSources/Sources/Optimizer/Utilities/EscapeUtils.swift. Here
//! a work list drives the walk and a budget bounds it; out of budget, all escapes.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use sil_ir::context::{ParameterConvention, TypeId};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views;
use sil_ir::model::{Definition, InstructionId, Value};
use sil_ir::types::ArgumentConvention;

use super::function_effects::{EscapeEffect, EscapeTarget, Exclusivity, FunctionEffects};
use super::walk::{self, Step};
use super::{AnalyzedModule, ApplyKind, ApplySite, BodyView, Projection, ProjectionPath, Use};

/// The path of a walk and the facts that the walk has on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EscapePath {
    /// Where in the value that is being visited the value of interest lies.
    pub path: ProjectionPath,
    /// Whether stores to visited memory matter: they do once something was loaded.
    pub follow_stores: bool,
    /// Whether an address was stored as a pointer: then loads may give it back.
    address_is_stored: bool,
    /// The exact class of the visited object, where it is known.
    exact_class: Option<TypeId>,
}

impl EscapePath {
    fn new(path: ProjectionPath) -> Self {
        Self { path, follow_stores: false, address_is_stored: false, exact_class: None }
    }

    fn at(self, path: ProjectionPath) -> Self {
        Self { path, ..self }
    }

    fn of_any_class(self) -> Self {
        Self { exact_class: None, ..self }
    }

    fn merge(self, other: Self) -> Self {
        Self {
            path: self.path.merge(other.path),
            follow_stores: self.follow_stores || other.follow_stores,
            address_is_stored: self.address_is_stored || other.address_is_stored,
            exact_class: self.exact_class.filter(|class| other.exact_class == Some(*class)),
        }
    }
}

/// The answer of a visitor about a use.
pub enum Visit {
    /// It is not looked at.
    Ignore,
    /// The walk goes on.
    Continue,
    /// The value escapes.
    Escape,
}

/// The answer of a visitor about the value that a walk up reaches.
pub enum VisitDefinition {
    /// It is not looked at.
    Ignore,
    /// The walk goes on up.
    GoUp,
    /// This is where the value comes from: the walk goes down from here.
    GoDown,
    /// The value escapes.
    Escape,
}

/// The questions of a walk on its way.
pub trait Visitor {
    /// Called for every use, before the walk looks at it.
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit;

    /// Called for every value on the way up, before the walk looks at it.
    fn visit_definition(&mut self, _view: &BodyView<'_>, _value: Value, _path: EscapePath) -> VisitDefinition {
        VisitDefinition::GoUp
    }

    /// The subject of the walk.
    fn follows(&self) -> Follows;
}

/// The subject of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follows {
    /// An address: trivial values, which may be pointers, but not values that are loaded from it.
    Address,
    /// An object: loaded values, but not trivial ones.
    Object,
}

/// In which direction a walk starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the definitions, to learn where the value comes from.
    Up,
    /// At the uses: nothing but this value leads there.
    Down,
}

/// Something escapes.
pub struct Escapes;

type Walked = Result<(), Escapes>;

/// Walks from the part `path` of `value`; an error where it escapes.
pub fn walk(
    module: &AnalyzedModule<'_>,
    view: &BodyView<'_>,
    visitor: &mut impl Visitor,
    (value, path): (Value, ProjectionPath),
    start: Start,
) -> Walked {
    let budget = (1_000_000 / view.body.instructions.len().max(1)).max(1000);
    let mut walker = Walker {
        module,
        view,
        visitor,
        up: FxHashMap::default(),
        down: FxHashMap::default(),
        budget,
        work: Vec::new(),
    };
    walker.work.push((start, value, EscapePath::new(path)));
    while let Some((direction, value, path)) = walker.work.pop() {
        match direction {
            Start::Up => walker.walk_up(value, path)?,
            Start::Down => walker.walk_down(value, path)?,
        }
    }
    Ok(())
}

struct Walker<'a, 'm, V> {
    module: &'a AnalyzedModule<'m>,
    view: &'a BodyView<'m>,
    visitor: &'a mut V,
    /// The values that were walked already, if a walk may come back.
    up: FxHashMap<Value, EscapePath>,
    down: FxHashMap<Value, EscapePath>,
    budget: usize,
    work: Vec<(Start, Value, EscapePath)>,
}

/// The path to go on with at a value that may have been visited; none where nothing new would come of it.
fn needed(known: &mut FxHashMap<Value, EscapePath>, value: Value, path: EscapePath) -> Option<EscapePath> {
    let Some(before) = known.get_mut(&value) else {
        known.insert(value, path);
        return Some(path);
    };
    let merged = before.merge(path);
    (merged != *before).then(|| {
        *before = merged;
        merged
    })
}

impl<V: Visitor> Walker<'_, '_, V> {
    fn spend(&mut self) -> Walked {
        self.budget = self.budget.checked_sub(1).ok_or(Escapes)?;
        Ok(())
    }

    /// Whether the part of `value` on the path can be the subject, or hold it.
    fn is_relevant(&self, value: Value, path: ProjectionPath) -> bool {
        let trivial_too = self.visitor.follows() == Follows::Address && !path.has_class_projection();
        trivial_too || !self.view.has_trivial_non_pointer_type(value)
    }

    fn follows_loads(&self, path: EscapePath) -> bool {
        self.visitor.follows() == Follows::Object || path.path.may_have_class_projection() || path.address_is_stored
    }

    fn up(&mut self, value: Value, path: EscapePath) {
        self.work.push((Start::Up, value, path));
    }

    fn down(&mut self, value: Value, path: EscapePath) {
        self.work.push((Start::Down, value, path));
    }

    fn down_once(&mut self, value: Value, path: EscapePath) {
        if let Some(path) = needed(&mut self.down, value, path) {
            self.down(value, path);
        }
    }

    fn is_address(&self, value: Value) -> bool {
        self.view.body.ty(value).is_address()
    }
}

// Walking up.
impl<'a, 'm, V: Visitor> Walker<'a, 'm, V> {
    fn walk_up(&mut self, value: Value, path: EscapePath) -> Walked {
        self.spend()?;
        if !self.is_relevant(value, path.path) {
            return Ok(());
        }
        let address = self.is_address(value);
        match self.visitor.visit_definition(self.view, value, path) {
            VisitDefinition::Ignore => return Ok(()),
            VisitDefinition::GoUp => {}
            VisitDefinition::GoDown => {
                self.down_once(value, if address { path } else { path.of_any_class() });
                return Ok(());
            }
            VisitDefinition::Escape => return Err(Escapes),
        }
        let step = if address {
            walk::address_up(self.view, value, path.path)
        } else {
            walk::value_up(self.view, value, path.path)
        };
        match step {
            Step::To(next, onward) => self.up(next, path.at(onward)),
            Step::ToEach(next) => {
                for (next, onward) in next {
                    if let Some(path) = needed(&mut self.up, next, path.at(onward)) {
                        self.up(next, path);
                    }
                }
            }
            Step::Unmatched => {}
            Step::End if address => self.address_root(value, path)?,
            Step::End => self.value_root(value, path)?,
        }
        Ok(())
    }

    fn value_root(&mut self, value: Value, path: EscapePath) -> Walked {
        use Opcode::*;
        let Some((id, opcode)) = self.view.definition(value) else { return self.argument_root(value, path) };
        let operand = self.view.operand(id, 0);
        match (opcode, operand) {
            (AllocRef | AllocRefDynamic, _) => {
                let exact_class = (opcode == AllocRef).then(|| self.view.body.ty(value).ty);
                self.down_once(value, EscapePath { exact_class, ..path });
            }
            (AllocBox, _) => self.down_once(value, path.of_any_class()),
            (Apply, _) => self.apply_result(id, path.of_any_class())?,
            (Load | LoadWeak | LoadUnowned | LoadBorrow, Some(address)) if self.follows_loads(path) => {
                self.up(address, EscapePath { follow_stores: true, ..path.of_any_class() });
            }
            (AddressToPointer, Some(address)) => self.up(address, path.of_any_class()),
            _ => return Err(Escapes),
        }
        Ok(())
    }

    fn argument_root(&mut self, value: Value, path: EscapePath) -> Walked {
        let Definition::Argument { block, .. } = self.view.body.values[value].definition else { return Err(Escapes) };
        let predecessor = self.view.cfg.single_predecessor(block).ok_or(Escapes)?;
        let id = self.view.body.terminator(predecessor).ok_or(Escapes)?;
        let returned = self.view.body.targets(id).first() == Some(&block);
        if self.view.opcode(id) == Opcode::TryApply && returned {
            self.apply_result(id, path.of_any_class())
        } else {
            Err(Escapes)
        }
    }

    fn address_root(&mut self, value: Value, path: EscapePath) -> Walked {
        use Opcode::*;
        if let Some(convention) = self.view.argument_convention(value) {
            let exclusive = convention.is_exclusive_indirect() && !self.follows_loads(path) && !path.follow_stores;
            if !exclusive {
                return Err(Escapes);
            }
            self.down_once(value, path.of_any_class());
            return Ok(());
        }
        let (id, opcode) = self.view.definition(value).ok_or(Escapes)?;
        let operand = self.view.operand(id, 0);
        let field = self.view.field_number(id).map(Projection::ClassField);
        match (opcode, operand) {
            (AllocStack, _) => self.down_once(value, path.of_any_class()),
            (PointerToAddress, Some(pointer)) => self.up(pointer, path.of_any_class()),
            (RefTailAddr, Some(object)) => {
                self.up(object, path.at(path.path.push(Projection::TailElements)).of_any_class());
            }
            (RefElementAddr | ProjectBox, Some(object)) => {
                let field = field.ok_or(Escapes)?;
                self.up(object, path.at(path.path.push(field)).of_any_class());
            }
            (StoreBorrow, _) => self.up(views::Store::of(self.view.body, id).destination, path),
            _ => return Err(Escapes),
        }
        Ok(())
    }

    /// Goes on at the argument that a call can only have returned.
    fn apply_result(&mut self, id: InstructionId, path: EscapePath) -> Walked {
        let site = ApplySite::new(self.view.body, id).ok_or(Escapes)?;
        let conventions = site.conventions(self.view.queries).ok_or(Escapes)?;
        let numbering = site.numbering(conventions);
        for effects in self.effects_of_callees(site).ok_or(Escapes)? {
            let mut matched = false;
            for effect in &effects.escapes {
                let EscapeTarget::Return { path: to, exclusive: Exclusivity::Exclusive } = effect.to else { continue };
                if path.path.matches(to) {
                    let operand = numbering.operand_of_sil_argument(effect.argument).ok_or(Escapes)?;
                    let argument = self.view.operand(id, operand).ok_or(Escapes)?;
                    self.up(argument, path.at(effect.pattern).of_any_class());
                    matched = true;
                }
            }
            if !matched {
                return Err(Escapes);
            }
        }
        Ok(())
    }

    /// The effects of the functions that a site may call; none if there may be others.
    fn effects_of_callees(&self, site: ApplySite<'_>) -> Option<Vec<Arc<FunctionEffects>>> {
        let callees = self.module.callees().of(self.view.body, site.callee()?);
        callees.all().map(|callees| callees.iter().map(|callee| self.module.effects(*callee)).collect())
    }
}

// Walking down.
impl<V: Visitor> Walker<'_, '_, V> {
    fn walk_down(&mut self, value: Value, path: EscapePath) -> Walked {
        let address = self.is_address(value);
        let view = self.view;
        for found in view.uses.of(value) {
            self.spend()?;
            if !self.is_relevant(value, path.path) {
                continue;
            }
            match self.visitor.visit_use(self.view, *found, path) {
                Visit::Ignore => continue,
                Visit::Escape => return Err(Escapes),
                Visit::Continue => {}
            }
            let step = if address {
                walk::address_down(self.view, *found, path.path)
            } else {
                walk::value_down(self.view, *found, path.path)
            };
            match step {
                Step::To(next, onward) => self.down(next, path.at(onward)),
                Step::ToEach(next) => {
                    for (next, onward) in next {
                        self.down_once(next, path.at(onward));
                    }
                }
                Step::Unmatched => {}
                Step::End if address => self.address_leaf(*found, path)?,
                Step::End => self.value_leaf(*found, path)?,
            }
        }
        Ok(())
    }

    fn result(&self, id: InstructionId) -> Result<Value, Escapes> {
        self.view.body.result(id).ok_or(Escapes)
    }

    fn value_leaf(&mut self, found: Use, path: EscapePath) -> Walked {
        use Opcode::*;
        let id = found.user;
        match self.view.opcode(id) {
            RefTailAddr => self.object_part(id, Some(Projection::TailElements), path)?,
            RefElementAddr | ProjectBox => {
                self.object_part(id, self.view.field_number(id).map(Projection::ClassField), path)?;
            }
            Store | StoreWeak | StoreUnowned => {
                let stored = path.address_is_stored || !self.follows_loads(path);
                let views::Store { destination, .. } = views::Store::of(self.view.body, id);
                self.up(destination, EscapePath { address_is_stored: stored, ..path });
            }
            DestroyValue | ReleaseValue | StrongRelease => self.destroy(found, path)?,
            Apply | TryApply | BeginApply => self.call(found, path)?,
            PartialApply => {
                self.call(found, path.of_any_class())?;
                // The closure keeps the argument, and may let it go when it is destroyed.
                self.down(self.result(id)?, path.of_any_class());
            }
            PointerToAddress | ConvertFunction => self.down(self.result(id)?, path.of_any_class()),
            Builtin => self.builtin_leaf(found, path)?,
            StrongRetain
            | RetainValue
            | DebugValue
            | ValueMetatype
            | InitExistentialMetatype
            | OpenExistentialMetatype
            | ExistentialMetatype
            | DeallocRef
            | FixLifetime
            | ClassifyBridgeObject
            | BridgeObjectToWord
            | EndBorrow
            | ClassMethod
            | SuperMethod
            | ObjCMethod
            | ObjCSuperMethod
            | WitnessMethod
            | DeallocStackRef
            | DeallocStack => {}
            _ => return Err(Escapes),
        }
        Ok(())
    }

    fn object_part(&mut self, id: InstructionId, step: Option<Projection>, path: EscapePath) -> Walked {
        let address = self.result(id)?;
        if let Some(onward) = path.path.pop_if_matches(step.ok_or(Escapes)?)
            && self.is_relevant(address, onward)
        {
            self.down(address, path.at(onward).of_any_class());
        }
        Ok(())
    }

    fn builtin_leaf(&mut self, found: Use, path: EscapePath) -> Walked {
        let escapes = match self.module.instruction_effects().builtin(self.view.body, found.user).ok_or(Escapes)? {
            // Objects in the array are `self` in their own deinitialisers and cannot go further.
            BuiltinKind::Named(NamedBuiltin::DestroyArray) => {
                found.operand != 1 || path.path.may_have_class_projection()
            }
            BuiltinKind::AtomicLoad { .. } => {
                if self.follows_loads(path) {
                    self.down(self.result(found.user)?, path.of_any_class());
                }
                false
            }
            BuiltinKind::AtomicStore { .. } | BuiltinKind::AtomicReadModifyWrite { .. } => path.follow_stores,
            BuiltinKind::CompareExchange { .. } => self.follows_loads(path) || path.follow_stores,
            BuiltinKind::Fence { .. } => false,
            _ => true,
        };
        if escapes { Err(Escapes) } else { Ok(()) }
    }

    fn address_leaf(&mut self, found: Use, path: EscapePath) -> Walked {
        use Opcode::*;
        let id = found.user;
        let attributes = self.view.body.instructions[id].attributes;
        match self.view.opcode(id) {
            Store | StoreWeak | StoreUnowned => {
                if self.view.opcode(id) == Store && attributes.contains(Attribute::Assign) {
                    self.destroy(found, path.of_any_class())?;
                }
                if path.follow_stores {
                    self.up(views::Store::of(self.view.body, id).source, path);
                }
            }
            StoreBorrow => self.down(self.result(id)?, path),
            CopyAddr if !self.follows_loads(path) => {}
            CopyAddr if found.operand == 0 => self.up(views::CopyAddr::of(self.view.body, id).destination, path),
            CopyAddr => {
                if !attributes.contains(Attribute::Init) {
                    self.destroy(found, path.of_any_class())?;
                }
                if path.follow_stores {
                    self.up(views::CopyAddr::of(self.view.body, id).source, path);
                }
            }
            DestroyAddr => self.destroy(found, path)?,
            Apply | TryApply | BeginApply => self.call(found, path)?,
            PartialApply => {
                self.call(found, path.of_any_class())?;
                if self.follows_loads(path) || self.captures_address(found) {
                    self.down(self.result(id)?, path.of_any_class());
                }
            }
            Load | LoadWeak | LoadUnowned | LoadBorrow => {
                let loaded = self.result(id)?;
                if self.follows_loads(path) && !self.view.has_trivial_non_pointer_type(loaded) {
                    self.down(loaded, path.of_any_class());
                }
            }
            AddressToPointer => self.down(self.result(id)?, path.of_any_class()),
            UncheckedAddrCast => self.address_cast(found, path)?,
            DeallocStack | InjectEnumAddr | FixLifetime | EndBorrow | EndAccess | IsUnique | DebugValue => {}
            _ => return Err(Escapes),
        }
        Ok(())
    }

    /// A cast to another type is only followed to uses that end there.
    fn address_cast(&mut self, found: Use, path: EscapePath) -> Walked {
        let cast = self.result(found.user)?;
        if self.view.body.ty(cast) != self.view.body.ty(self.view.used_value(found)) {
            for found in self.view.uses.of(cast) {
                match self.view.opcode(found.user) {
                    Opcode::IsUnique => {}
                    Opcode::Load | Opcode::LoadBorrow | Opcode::Apply | Opcode::TryApply
                        if !self.follows_loads(path) => {}
                    _ => return Err(Escapes),
                }
            }
        }
        self.down(cast, path);
        Ok(())
    }

    /// Whether a `partial_apply` keeps the address itself and not the value there.
    fn captures_address(&self, found: Use) -> bool {
        use ParameterConvention::*;
        let argument = ApplySite::new(self.view.body, found.user).and_then(|site| {
            let conventions = site.conventions(self.view.queries)?;
            site.argument_of_operand(conventions, found.operand as usize)
        });
        let convention = argument.map(|argument| argument.convention);
        !matches!(convention, Some(ArgumentConvention::Parameter(In | InConstant | InGuaranteed)))
    }

    /// The effects of a deinitialiser on the parts of the object that it destroys.
    fn destroy(&mut self, found: Use, path: EscapePath) -> Walked {
        let inner = path.path.pop_value_fields();
        if inner.is_empty() {
            // `self` cannot escape from its own deinitialiser.
            return Ok(());
        }
        let field = ProjectionPath::new(&[Projection::AnyValueFields, Projection::AnyClassField]);
        if self.visitor.follows() == Follows::Address && inner.matches(field) {
            // Nor can the address of a property.
            return Ok(());
        }
        if path.follow_stores {
            return Err(Escapes);
        }
        let destroyed = self.view.body.ty(self.view.used_value(found)).ty;
        let deinitializers = self.module.callees().deallocators(destroyed, path.exact_class);
        let mut deinitializers = deinitializers.all().ok_or(Escapes)?.iter();
        let inner = self.checked_path(inner);
        let escapes = deinitializers.any(|deinitializer| self.module.effects(*deinitializer).can_escape(0, inner));
        if escapes { Err(Escapes) } else { Ok(()) }
    }

    fn checked_path(&self, path: ProjectionPath) -> ProjectionPath {
        match self.visitor.follows() {
            Follows::Object => path,
            Follows::Address => path.without_last_class_field(),
        }
    }

    /// The effects of a call, or of the call of a closure, on its argument.
    fn call(&mut self, found: Use, path: EscapePath) -> Walked {
        let site = ApplySite::new(self.view.body, found.user).ok_or(Escapes)?;
        let conventions = site.conventions(self.view.queries).ok_or(Escapes)?;
        let Some(argument) = site.numbering(conventions).sil_argument_of_operand(found.operand as usize) else {
            // Being called lets nothing of the closure go further.
            return Ok(());
        };
        let value = self.view.used_value(found);
        if self.is_address(value) && !self.follows_loads(path) {
            // The address itself cannot leave the callee; `begin_apply` may yield one derived from it.
            if site.kind == ApplyKind::BeginApply {
                let yields: Vec<Value> =
                    self.view.body.results(found.user).filter(|value| self.is_address(*value)).collect();
                yields.into_iter().for_each(|value| self.down(value, path));
            }
            if !conventions.function.lifetimes.is_empty() {
                return Err(Escapes);
            }
            return Ok(());
        }
        if self.view.is_noescape_function(value) {
            // The captures of the closure were examined where it was made.
            return Ok(());
        }
        if path.follow_stores {
            return Err(Escapes);
        }
        for effects in self.effects_of_callees(site).ok_or(Escapes)? {
            if !effects.can_escape(argument, self.checked_path(path.path)) {
                continue;
            }
            let matching = |effect: &&EscapeEffect| effect.argument == argument && path.path.matches(effect.pattern);
            let targets: Vec<EscapeTarget> = effects.escapes.iter().filter(matching).map(|effect| effect.to).collect();
            self.escape_to(site, conventions, &targets, path)?;
        }
        Ok(())
    }

    fn escape_to(
        &mut self,
        site: ApplySite<'_>,
        conventions: sil_ir::types::FunctionConventions<'_>,
        targets: &[EscapeTarget],
        path: EscapePath,
    ) -> Walked {
        let mut matched = false;
        for target in targets {
            let onward = |to| EscapePath { follow_stores: false, ..path.at(to) };
            match *target {
                EscapeTarget::Nowhere => continue,
                EscapeTarget::Argument { argument, path: to } => {
                    let operand = site.numbering(conventions).operand_of_sil_argument(argument).ok_or(Escapes)?;
                    let argument = self.view.operand(site.instruction, operand).ok_or(Escapes)?;
                    self.up(argument, onward(to).of_any_class());
                }
                EscapeTarget::Return { path: to, exclusive } => {
                    let result = self.direct_result(site).ok_or(Escapes)?;
                    let path = onward(to);
                    self.down(result, if exclusive == Exclusivity::Exclusive { path } else { path.of_any_class() });
                }
            }
            matched = true;
        }
        if matched { Ok(()) } else { Err(Escapes) }
    }

    /// The direct result of a call.
    fn direct_result(&self, site: ApplySite<'_>) -> Option<Value> {
        match site.kind {
            ApplyKind::Apply => self.view.body.result(site.instruction),
            ApplyKind::TryApply => {
                let normal = *self.view.body.targets(site.instruction).first()?;
                self.view.body.blocks[normal].arguments.first().copied()
            }
            ApplyKind::BeginApply | ApplyKind::PartialApply => None,
        }
    }
}
