//! The apply sites of a function whose only uses are apply sites, including a partial application.

use sil_analysis::{ApplyKind, ApplySite, FunctionUses, Use, Uses};
use sil_ir::context::{FunctionType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, FunctionId, InstructionId, Module};

/// An instruction of a function.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) function: FunctionId,
    pub(super) instruction: InstructionId,
}

/// The apply sites of a function.
pub(super) struct Applications {
    /// The function references.
    pub(super) references: Vec<Site>,
    /// The partial applications. All are like the first one.
    pub(super) partial: Vec<Site>,
    /// The full apply sites.
    pub(super) full: Vec<Site>,
}

impl Applications {
    /// The apply sites of `callee`. `None` if it has no partial application or may have other uses.
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

    /// Adds the apply sites of a function reference. Returns `None` if it has other uses.
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

    /// The partial application that all others are like: they bind the same number of arguments, and the closures have
    /// the same convention. `None` if they differ.
    pub(super) fn example<'m>(&self, module: &'m Module) -> Option<Example<'m>> {
        let mut examples = self.partial.iter().map(|site| Example::of(module, *site));
        let first = examples.next()??;
        examples.all(|other| other.is_some_and(|other| other.is_like(&first))).then_some(first)
    }
}

/// A partial application that is representative for a function.
pub(super) struct Example<'m> {
    /// The number of bound arguments.
    pub(super) argument_count: usize,
    /// The type of the closure.
    pub(super) closure: &'m FunctionType,
    /// Whether the closure may outlive the function that creates it.
    pub(super) lifetime: ClosureLifetime,
}

/// The location of a closure's context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosureLifetime {
    /// In a heap object.
    Escaping,
    /// On the stack. The closure is not used after its function returns.
    OnStack,
}

impl<'m> Example<'m> {
    fn of(module: &'m Module, site: Site) -> Option<Self> {
        let body: &Body = module.functions[site.function].body.as_ref()?;
        let closure = body.result(site.instruction)?;
        let Type::Function(closure) = module.context.get(body.ty(closure).ty) else { return None };
        let attributes = body.instructions[site.instruction].attributes;
        let is_on_stack = attributes.contains(sil_ir::instructions::Attribute::OnStack);
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
