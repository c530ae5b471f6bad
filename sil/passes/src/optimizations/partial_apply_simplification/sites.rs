//! Rewrites the apply sites of a function that takes a context: they create it and pass it.

use sil_analysis::{ApplyKind, Uses};
use sil_ir::context::{BuiltinType, Name, SilType, Type};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{Body, Details, FunctionFlag, FunctionId, InstructionId, Module, Place, Replacements, Value};

use super::applications::{Applications, ClosureLifetime, Site};
use super::context::{Capture, Change, Context, Passing};
use crate::InstructionBuilder;

/// Rewrites all apply sites for the changed function.
pub(super) fn apply_changed(module: &mut Module, callee: FunctionId, applications: &Applications, change: &Change) {
    let name = module.functions[callee].name;
    let pointer = SilType::object(module.context.ty(Type::Builtin(BuiltinType::RawPointer)));
    for site in applications.partial.iter().chain(&applications.full) {
        let has_ownership = module.functions[site.function].has(FunctionFlag::Ossa);
        if let Some(body) = &mut module.functions[site.function].body {
            Rewriting { body, has_ownership, pointer, name, change }.rewrite(site.instruction);
        }
    }
    for Site { function, instruction } in &applications.references {
        if let Some(body) = &mut module.functions[*function].body {
            body.erase(*instruction);
        }
    }
}

/// A function that contains an apply site.
struct Rewriting<'b, 'c> {
    body: &'b mut Body,
    has_ownership: bool,
    /// The raw pointer type.
    pointer: SilType,
    /// The applied function.
    name: Name,
    change: &'c Change,
}

impl Rewriting<'_, '_> {
    fn rewrite(&mut self, site: InstructionId) {
        let ty = SilType::object(self.change.ty);
        let name = self.name;
        let mut operands = self.body.operands(site).to_vec();
        operands[0] = self.builder(site).function_ref(name, ty);
        let context = self.change.context.as_ref();
        let made = context.map(|context| self.make_context(site, context, &mut operands));
        let new = self.builder(site).again(site, &operands);
        if let Details::Apply(apply) = &mut self.body.instructions[new].details {
            apply.callee_type = ty;
        }
        if let (Some(made), Some(ClosureLifetime::OnStack)) = (made, context.map(|context| context.lifetime)) {
            self.free_context(site, made);
        }
        let mut replacements = Replacements::default();
        let results: Vec<(Value, Value)> = self.body.results(site).zip(self.body.results(new)).collect();
        results.into_iter().for_each(|(old, new)| replacements.replace(old, new));
        self.body.erase(site);
        self.body.replace_values(&replacements);
    }

    fn builder(&mut self, site: InstructionId) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(site), site)
    }

    /// Creates a context from the last operands and replaces them with it. Returns the context.
    fn make_context(&mut self, site: InstructionId, context: &Context, operands: &mut Vec<Value>) -> Value {
        let captured = operands.split_off(operands.len() - context.captures.len());
        let (holder, whole) = self.allocate(site, context);
        for (index, (value, capture)) in captured.into_iter().zip(&context.captures).enumerate() {
            let address = context.part(&mut self.builder(site), whole, index);
            self.put(site, value, address, *capture);
        }
        operands.push(holder);
        holder
    }

    /// Allocates a context. Returns it with the address of its contents.
    fn allocate(&mut self, site: InstructionId, context: &Context) -> (Value, Value) {
        let mut builder = self.builder(site);
        let (ty, held) = (SilType::object(context.ty), SilType::address(context.held));
        match context.lifetime {
            ClosureLifetime::OnStack => {
                let memory = builder.alloc_stack(ty, None);
                (memory, memory)
            }
            ClosureLifetime::Escaping => {
                let made = builder.with([Attribute::Reflection]).alloc_box(ty);
                (made, builder.project_box(made, 0, held))
            }
        }
    }

    /// Stores an argument to the context.
    fn put(&mut self, site: InstructionId, value: Value, address: Value, capture: Capture) {
        let (pointer, has_ownership) = (self.pointer, self.has_ownership);
        let mut builder = self.builder(site);
        let stored = match capture.passing {
            Passing::InPlace | Passing::CopiedInMemory => {
                let moved = AttributeSet::from([Attribute::Take, Attribute::Init]);
                builder.with(moved).copy_addr(value, address);
                return;
            }
            Passing::Address(_) => builder.address_to_pointer(value, pointer),
            Passing::Trivial | Passing::Borrowed | Passing::Copied => value,
        };
        let attributes = match capture.passing {
            _ if !has_ownership => AttributeSet::default(),
            Passing::Borrowed | Passing::Copied => AttributeSet::from([Attribute::Init]),
            _ => AttributeSet::from([Attribute::Trivial]),
        };
        builder.with(attributes).store(stored, address);
    }

    /// Deallocates a stack context after the call, or where the closure is deallocated.
    fn free_context(&mut self, site: InstructionId, context: Value) {
        let places: Vec<Place> = match ApplyKind::of(self.body.instructions[site].opcode) {
            Some(ApplyKind::PartialApply) => {
                let uses = Uses::new(self.body);
                let closures = self.body.results(site).flat_map(|closure| uses.of(closure));
                let users = closures.map(|found| found.user);
                users
                    .filter(|user| self.body.instructions[*user].opcode == Opcode::DeallocStack)
                    .map(Place::After)
                    .collect()
            }
            Some(ApplyKind::TryApply) => self.body.targets(site).iter().map(|target| Place::Start(*target)).collect(),
            _ => vec![Place::After(site)],
        };
        for place in places {
            InstructionBuilder::new(self.body, place, site).dealloc_stack(context);
        }
    }
}
