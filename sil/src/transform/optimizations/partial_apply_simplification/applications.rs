//! All that is done with a function, where that is to apply it, partially at least once.

use crate::analysis::{ApplyKind, ApplySite, FunctionUses, Use, Uses};
use crate::context::{FunctionType, Type};
use crate::instructions::Opcode;
use crate::model::{Body, FunctionId, InstructionId, Module};

/// An instruction of a function.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) function: FunctionId,
    pub(super) instruction: InstructionId,
}

/// The sites that apply a function.
pub(super) struct Applications {
    /// What refers to it.
    pub(super) references: Vec<Site>,
    /// Where it is partially applied: first comes the one that the others are like.
    pub(super) partial: Vec<Site>,
    /// Where it is called.
    pub(super) full: Vec<Site>,
}

impl Applications {
    /// Those of `callee`; none where it is not applied partially, or may be used in another way.
    pub(super) fn of(module: &Module, uses: &FunctionUses, callee: FunctionId) -> Option<Self> {
        if uses.has_unknown(callee) || module.functions[callee].body.is_none() {
            return None;
        }
        let mut references: Vec<Site> =
            uses.of(callee).map(|(function, instruction)| Site { function, instruction }).collect();
        references.reverse();
        let mut found = Self { references: Vec::new(), partial: Vec::new(), full: Vec::new() };
        for reference in references {
            found.add(module, reference)?;
        }
        (!found.partial.is_empty()).then_some(found)
    }

    /// Adds what is done with a reference to the function; none where that is not to apply it.
    fn add(&mut self, module: &Module, reference: Site) -> Option<()> {
        let body = module.functions[reference.function].body.as_ref()?;
        let is_reference = body.instructions[reference.instruction].opcode == Opcode::FunctionRef;
        let referred = body.result(reference.instruction).filter(|_| is_reference)?;
        for Use { user, operand } in Uses::new(body).of(referred).iter().copied() {
            let site = Site { function: reference.function, instruction: user };
            match ApplySite::new(body, user).filter(|_| operand == 0)?.kind {
                ApplyKind::PartialApply => self.partial.push(site),
                ApplyKind::Apply | ApplyKind::TryApply | ApplyKind::BeginApply => self.full.push(site),
            }
        }
        self.references.push(reference);
        Some(())
    }

    /// The partial application that all others are like: of as many arguments, and to closures that are called in the same way. None where they are not.
    pub(super) fn example<'m>(&self, module: &'m Module) -> Option<Example<'m>> {
        let mut examples = self.partial.iter().map(|site| Example::of(module, *site));
        let first = examples.next()??;
        examples.all(|other| other.is_some_and(|other| other.is_like(&first))).then_some(first)
    }
}

/// A partial application that stands for all of a function.
pub(super) struct Example<'m> {
    /// How many arguments it binds.
    pub(super) argument_count: usize,
    /// The type of the closure.
    pub(super) closure: &'m FunctionType,
    /// Whether the closure outlives the function that makes it.
    pub(super) lifetime: ClosureLifetime,
}

/// Where a closure's context is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosureLifetime {
    /// In an object of its own.
    Escaping,
    /// On the stack: the closure is not used once its function returns.
    OnStack,
}

impl<'m> Example<'m> {
    fn of(module: &'m Module, site: Site) -> Option<Self> {
        let body: &Body = module.functions[site.function].body.as_ref()?;
        let closure = body.result(site.instruction)?;
        let Type::Function(closure) = module.context.get(body.ty(closure).ty) else { return None };
        let attributes = body.instructions[site.instruction].attributes;
        let is_on_stack = attributes.contains(crate::instructions::Attribute::OnStack);
        Some(Self {
            argument_count: ApplySite::new(body, site.instruction)?.arguments().len(),
            closure,
            lifetime: if is_on_stack { ClosureLifetime::OnStack } else { ClosureLifetime::Escaping },
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        self.argument_count == other.argument_count
            && self.lifetime == other.lifetime
            && self.closure.callee == other.closure.callee
            && self.closure.representation == other.closure.representation
            && self.closure.attributes == other.closure.attributes
            && self.closure.differentiability == other.closure.differentiability
    }
}
