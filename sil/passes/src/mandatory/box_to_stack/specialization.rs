//! Clones the functions that boxes are passed to without escaping, with the address of the contents in place of the
//! box. The captures of a specialised closure are released at the end of the closure's lifetime.
//!
//! The original functions are marked for deletion if they become unused, so that the same code is not diagnosed twice.

use sil_analysis::{ApplySite, Uses};
use sil_ir::context::{
    FunctionType, Mutability, Name, Parameter, ParameterConvention, SilType, SubstitutionMapId, Type,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    Body, Definition, Details, Function, FunctionAttribute, FunctionFlag, InstructionId, Linkage, Module, Ownership,
    Place, Replacements, Serialization, Value,
};
use sil_ir::symbols::{ParameterChange, SpecializationPass};
use sil_ir::types::{ConformanceTable, Copyability, FunctionConventions, TypeQueries};

use super::escapes::{PassedBox, callee_of, ends_of_closure, where_passed};
use super::overlay::{Changes, Overlay};
use crate::InstructionBuilder;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::specialized_functions::attributes_without_effects;
use crate::editing::specialized_names::specialized_name;
use crate::knowledge::captured_boxes::marks_of;
use crate::mandatory::unused_originals::DELETE_IF_UNUSED;
use crate::pass::settings::{OptimizationMode, Settings};
use crate::pass::{Environment, Rewrite};

/// Specialises functions for the boxes of all functions of a module.
pub(crate) fn specialize(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    changes(module, queries, settings.optimization, module.functions.values()).apply(module);
    Vec::new()
}

/// Specialises functions for the boxes of one function.
pub(crate) fn specialize_for(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, settings, .. } = environment;
    Ok(changes(module, queries, settings.optimization, [function]).into_rewrite(environment))
}

fn changes<'m>(
    module: &'m Module,
    queries: &TypeQueries<'m>,
    optimization: OptimizationMode,
    functions: impl IntoIterator<Item = &'m Function>,
) -> Changes {
    let mut specializer = Specializer { queries, optimization, overlay: Overlay::new(module), open: Vec::new() };
    for function in functions {
        specializer.open.push(function.name);
        while let Some(name) = specializer.open.pop() {
            specializer.specialize_callees(name);
        }
    }
    specializer.overlay.into_changes()
}

struct Specializer<'q, 'm> {
    queries: &'q TypeQueries<'m>,
    optimization: OptimizationMode,
    overlay: Overlay<'m>,
    /// The functions whose boxes are still to be examined.
    open: Vec<Name>,
}

impl Specializer<'_, '_> {
    /// Specialises the callees that get boxes of a function.
    fn specialize_callees(&mut self, name: Name) {
        let mut passed = Vec::new();
        for found in self.passed_boxes(name) {
            // A site passes all its boxes at once, when the last of them is known.
            passed.retain(|(site, _): &((Name, InstructionId), _)| *site != (found.function, found.site));
            passed.push(((found.function, found.site), found));
        }
        let all = self.passed_boxes(name);
        for ((function, site), _) in passed {
            let at_site = all.iter().filter(|found| (found.function, found.site) == (function, site));
            let mut arguments: Vec<usize> = at_site.map(|found| found.argument).collect();
            arguments.sort_unstable();
            arguments.dedup();
            self.specialize_site(function, site, &arguments);
        }
    }

    /// Returns the sites to which non-escaping boxes of a function are passed.
    fn passed_boxes(&self, name: Name) -> Vec<PassedBox> {
        let Some(function) = self.overlay.get(name) else { return Vec::new() };
        let Some(body) = function.body.as_ref().filter(|_| !function.has(FunctionFlag::Canonical)) else {
            return Vec::new();
        };
        let is_box = |id: &InstructionId| {
            let boxed = body.result(*id).filter(|_| body.instructions[*id].opcode == Opcode::AllocBox);
            boxed.is_some_and(|boxed| is_of_one_field(self.queries, body.ty(boxed)))
        };
        let boxes: Vec<Value> = body.placed_instructions().filter(is_box).filter_map(|id| body.result(id)).collect();
        if boxes.is_empty() {
            return Vec::new();
        }
        let uses = Uses::new(body);
        let passed = boxes
            .iter()
            .filter_map(|boxed| where_passed(&self.overlay, self.queries, function, &uses, *boxed, self.optimization));
        passed.flatten().collect()
    }

    /// Replaces the callee of a site by one that takes addresses for the boxes `arguments`.
    fn specialize_site(&mut self, caller: Name, site: InstructionId, arguments: &[usize]) -> Option<()> {
        let function = self.overlay.get(caller)?;
        let (serialization, has_ownership) = (function.serialization, function.has(FunctionFlag::Ossa));
        let body = function.body.as_ref()?;
        let callee = callee_of(ApplySite::new(body, site)?, body)?;
        let specialized = self.specialized(callee, serialization, arguments)?;
        let ty = SilType::object(self.overlay.get(specialized)?.ty);
        let queries = self.queries;
        let body = self.overlay.edit(caller)?.body.as_mut()?;
        let release = if has_ownership { Opcode::DestroyValue } else { Opcode::StrongRelease };
        pass_addresses(queries, body, site, arguments, release)?;
        let old = body.operands(site)[0];
        let new = InstructionBuilder::new(body, Place::Before(site), site).function_ref(specialized, ty);
        body.operands_mut(site)[0] = new;
        if let Details::Apply(apply) = &mut body.instructions[site].details {
            apply.callee_type = ty;
        }
        let is_used = body.placed_instructions().any(|id| body.operands(id).contains(&old));
        if let Some(reference) = body.defining(old).filter(|_| !is_used) {
            body.erase(reference);
        }
        Some(())
    }

    /// Returns the clone of `callee` with addresses for the boxes `arguments`, creating it if necessary.
    fn specialized(&mut self, callee: Name, serialization: Serialization, arguments: &[usize]) -> Option<Name> {
        let module = self.overlay.module();
        let original = self.overlay.get(callee)?;
        let conventions = self.queries.conventions(original.ty)?;
        let mut changes = vec![ParameterChange::Unchanged; conventions.argument_count()];
        for argument in arguments {
            *changes.get_mut(*argument)? = ParameterChange::BoxToStack;
        }
        let name = specialized_name(module, callee, SpecializationPass::AllocBoxToStack, serialization, &changes)?;
        if self.overlay.get(name).is_some() {
            return Some(name);
        }
        let ty = type_with_addresses(self.queries, original, conventions, arguments)?;
        let mut clone = original.clone();
        clone.body = Some(own_body(self.queries, original)?);
        for argument in arguments {
            take_address(self.queries, &mut clone, *argument)?;
        }
        let is_kept =
            |attribute: &FunctionAttribute| *attribute != FunctionAttribute::Flag(FunctionFlag::DynamicallyReplaceable);
        clone.attributes = attributes_without_effects(original).into_iter().filter(is_kept).collect();
        let linkage = match original.linkage {
            Linkage::Private => Linkage::Private,
            _ => Linkage::Shared,
        };
        let clone = Function { name, ty, linkage, serialization, ..clone };
        self.overlay.add(callee, clone);
        self.open.push(name);
        let mark = FunctionAttribute::Semantics(module.context.name(DELETE_IF_UNUSED));
        let original = self.overlay.edit(callee)?;
        if !original.attributes.contains(&mark) {
            original.attributes.push(mark);
        }
        Some(name)
    }
}

fn is_of_one_field(queries: &TypeQueries<'_>, boxed: SilType) -> bool {
    let Type::Box(layout) = queries.get(boxed.ty) else { return false };
    layout.fields.len() == 1
}

/// Returns the type of a function with addresses for the boxes `arguments`.
fn type_with_addresses(
    queries: &TypeQueries<'_>,
    original: &Function,
    conventions: FunctionConventions<'_>,
    arguments: &[usize],
) -> Option<sil_ir::context::TypeId> {
    let Type::Function(function) = queries.get(original.ty) else { return None };
    let mut function = FunctionType::clone(function);
    for argument in arguments {
        let parameter: &mut Parameter = function.parameters.get_mut(conventions.parameter_of_argument(*argument)?)?;
        parameter.ty = queries.box_field_type(parameter.ty, 0)?;
        parameter.convention = ParameterConvention::InOutAliasable;
    }
    Some(queries.context.ty(Type::Function(Box::new(function))))
}

/// Returns a copy of a function's body for its clone.
fn own_body(queries: &TypeQueries<'_>, function: &Function) -> Option<Body> {
    let from = function.body.as_ref()?;
    let mut body = Body::default();
    let site = InstructionId::from_u32(0);
    let signature = function.signature;
    let mut cloner = Cloner::new(queries, from, SubstitutionMapId::EMPTY, signature, ClonePlaces::Kept, site);
    let entry = body.add_block();
    cloner.map_block(from.entry(), entry);
    for argument in &from.blocks[from.entry()].arguments {
        cloner.argument(&mut body, entry, *argument);
    }
    cloner.whole(&mut body);
    Some(body)
}

/// Changes argument number `argument` of a function from a box to the address of its contents.
fn take_address(queries: &TypeQueries<'_>, function: &mut Function, argument: usize) -> Option<()> {
    let signature = function.signature;
    let body = function.body.as_mut()?;
    let address = *body.blocks[body.entry()].arguments.get(argument)?;
    let boxed = body.ty(address).ty;
    let Type::Box(layout) = queries.get(boxed) else { return None };
    let mutability = layout.fields.first()?.mutability;
    let contents = SilType::address(queries.box_field_type(boxed, 0)?);
    let mut replacements = Replacements::default();
    let uses = Uses::new(body);
    let mut open = vec![address];
    while let Some(value) = open.pop() {
        for user in uses.of(value).iter().map(|found| found.user) {
            match body.instructions[user].opcode {
                Opcode::ProjectBox => replacements.replace(body.result(user)?, address),
                Opcode::CopyValue | Opcode::BeginBorrow => open.extend(body.result(user)),
                _ => {}
            }
            body.erase(user);
        }
    }
    body.replace_values(&replacements);
    body.values[address].ty = contents;
    body.values[address].ownership = Ownership::None;
    if queries.properties(contents.ty, signature).copyability == Copyability::Noncopyable {
        mark_once(body, address, mutability);
    }
    Some(())
}

/// Replaces all marks of the contents of `address` by one mark at the start of the function.
fn mark_once(body: &mut Body, address: Value, mutability: Mutability) {
    let uses = Uses::new(body);
    let marks = marks_of(body, &uses, vec![address]);
    let Some(first) = body.first_instruction(body.entry()).filter(|_| !marks.is_empty()) else { return };
    let mut attributes = AttributeSet::default();
    attributes.insert(match mutability {
        Mutability::Var => Attribute::ConsumableAndAssignable,
        Mutability::Let => Attribute::NoConsumeOrAssign,
    });
    let mut builder = InstructionBuilder::new(body, Place::Before(first), first);
    let marked = builder.with(attributes).mark_unresolved_non_copyable_value(address);
    // Debug values refer to the unmarked address.
    for found in uses.of(address) {
        if body.instructions[found.user].opcode != Opcode::DebugValue {
            body.operands_mut(found.user)[found.operand as usize] = marked;
        }
    }
    let mut replacements = Replacements::default();
    for mark in marks {
        if let (Some(result), Some(operand)) = (body.result(mark), body.operands(mark).first().copied()) {
            replacements.replace(result, operand);
        }
        body.erase(mark);
    }
    body.replace_values(&replacements);
}

/// Replaces the boxes among a site's `arguments` by addresses. A closure no longer owns them: `release` is inserted
/// where its lifetime ends.
fn pass_addresses(
    queries: &TypeQueries<'_>,
    body: &mut Body,
    site: InstructionId,
    arguments: &[usize],
    release: Opcode,
) -> Option<()> {
    let found = ApplySite::new(body, site)?;
    let numbering = found.numbering(found.conventions(queries)?);
    let is_owner = body.instructions[site].opcode == Opcode::PartialApply
        && !body.instructions[site].attributes.contains(Attribute::OnStack);
    let ends = if is_owner { ends_of_closure(body, &Uses::new(body), site)? } else { Vec::new() };
    for argument in arguments {
        let operand = numbering.operand_of_sil_argument(*argument)?;
        let boxed = *body.operands(site).get(operand)?;
        let contents = SilType::address(queries.box_field_type(body.ty(boxed).ty, 0)?);
        let place = match body.values[boxed].definition {
            Definition::Argument { block, .. } => Place::Start(block),
            _ => Place::After(body.defining(boxed)?),
        };
        let mut builder = InstructionBuilder::new(body, place, site);
        let address = builder.project_box(boxed, 0, contents);
        body.operands_mut(site)[operand] = address;
        for end in &ends {
            InstructionBuilder::new(body, *end, site).effect(release, boxed);
        }
    }
    Some(())
}
