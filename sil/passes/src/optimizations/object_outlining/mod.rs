//! Outlines objects with constant contents that are never written again to statically initialised globals: arrays, and
//! the objects that initialise global `let`s. Follows
//! SwiftCompilerSources/Sources/Optimizer/FunctionPasses/ObjectOutliner.swift.
//!
//! This file owns the order of objects and the creation of globals. `initialization` finds the initialisation of an
//! object and decides whether its uses permit a static object.
//!
//! Does not own: caches for long string switches (`_findStringSwitchCaseWithCache`). The library searches the array
//! each time.

mod initialization;

use sil_analysis::{Use, Worklist};
use sil_ir::context::{Mutability, Name, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{BeginDeallocRef, GlobalReference, Unary};
use sil_ir::model::{Body, FunctionFlag, Global, InstructionId, Linkage, Place, Serialization};
use sil_ir::symbols::Symbol;

use self::initialization::Initialization;
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const OBJECT_OUTLINING: Pass = Pass::new(&Description {
    name: "object-outliner",
    class_name: "ObjectOutliner",
    summary: "Outlines constant objects to globals.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(outline),
});

/// Outlines the objects of a function.
pub(crate) fn outline(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    // A serialised function may be inlined into clients that run with a library that counts references of static
    // objects.
    let may_be_counted = function.has(FunctionFlag::Ossa) && function.serialization == Serialization::Serialized;
    let allocates =
        |id: &InstructionId| matches!(body.instructions[*id].opcode, Opcode::AllocRef | Opcode::AllocRefDynamic);
    let mut allocations: Vec<InstructionId> = body.placed_instructions().filter(allocates).collect();
    if allocations.is_empty() || may_be_counted {
        return Ok(None);
    }
    let mut outliner = Outliner { editor: Editor::new(environment), globals: Vec::new() };
    // An object must be outlined before the objects that refer to it.
    loop {
        let before = allocations.len();
        allocations.retain(|allocation| outliner.outline(*allocation).is_none());
        if allocations.len() == before {
            break;
        }
    }
    let Outliner { editor, globals } = outliner;
    Ok(editor.finish().map(|rewrite| Rewrite { globals, ..rewrite }))
}

struct Outliner<'m> {
    editor: Editor<'m>,
    /// The created globals.
    globals: Vec<Global>,
}

impl Outliner<'_> {
    /// Outlines an object if possible.
    fn outline(&mut self, allocation: InstructionId) -> Option<()> {
        let found = Initialization::find(&self.editor, allocation)?;
        let class = *self.editor.body().types(allocation).last()?;
        let initializer = found.initializer(&self.editor, allocation)?;
        // A copy-on-write object must be copied before it is mutated.
        let end = self.editor.opcode(found.end);
        let mutability = if end == Opcode::EndCowMutation { Mutability::Let } else { Mutability::Var };
        let name = self.add_global(class.ty, mutability, initializer, allocation)?;
        found.stores().for_each(|store| self.editor.erase(store));
        let has_ownership = self.editor.has_ownership();
        let global = self.editor.build(Place::Before(allocation), allocation, |builder| {
            let global = builder.global_value(GlobalReference { name, id: None }, class);
            if !has_ownership {
                builder.strong_retain(global);
            }
            global
        });
        self.rewrite_users(allocation);
        self.editor.replace(allocation, global);
        self.editor.forget_ownership();
        Some(())
    }

    /// Adds a global with a static initialiser. Returns its name, which is derived from the function's with a counter
    /// (`GlobalVariableMangler`, lib/SILOptimizer/Utils/OptimizerBridging.cpp).
    fn add_global(
        &mut self,
        ty: TypeId,
        mutability: Mutability,
        initializer: Body,
        like: InstructionId,
    ) -> Option<Name> {
        let Environment { module, function, .. } = self.editor.environment;
        let context = &module.context;
        let is_free = |name: &Name| {
            module.global_named(*name).is_none() && self.globals.iter().all(|global| global.name != *name)
        };
        let function = context.text(function.name);
        let mut names = (0..).map(|number| context.name(&Symbol::of_outlined_variable(function, number)));
        let name = names.find(is_free)?;
        self.globals.push(Global {
            name,
            linkage: Linkage::Private,
            serialization: Serialization::None,
            mutability,
            asm_name: None,
            clang_name: None,
            section: None,
            used: false,
            other_attributes: Vec::new(),
            ty,
            initializer: Some(Box::new(initializer)),
            span: self.editor.body().instructions[like].span,
        });
        Some(name)
    }

    /// Erases the deallocations of an outlined object, and forwards the object through the instructions that end its
    /// initialisation or begin its deallocation.
    fn rewrite_users(&mut self, allocation: InstructionId) {
        let mut open = Worklist::new(self.users(allocation));
        while let Some(user) = open.pop() {
            match self.editor.opcode(user) {
                Opcode::BeginDeallocRef => {
                    open.extend(self.users(user));
                    let object = BeginDeallocRef::of(self.editor.body(), user).object;
                    if !self.editor.has_ownership() {
                        self.editor.build(Place::Before(user), user, |builder| {
                            builder.strong_release(object);
                        });
                    }
                    self.editor.replace(user, object);
                }
                Opcode::EndCowMutation | Opcode::EndInitLetRef | Opcode::MoveValue => {
                    open.extend(self.users(user));
                    let object = Unary::of(self.editor.body(), user).operand;
                    self.editor.replace(user, object);
                }
                Opcode::Upcast | Opcode::UncheckedRefCast => open.extend(self.users(user)),
                Opcode::DeallocRef | Opcode::DeallocStackRef => self.editor.erase(user),
                _ => {}
            }
        }
    }

    fn users(&self, id: InstructionId) -> Vec<InstructionId> {
        uses_of_results(&self.editor, id).into_iter().map(|found| found.user).collect()
    }
}

/// The uses of an instruction's results.
fn uses_of_results(editor: &Editor<'_>, id: InstructionId) -> Vec<Use> {
    editor.body().results(id).flat_map(|result| editor.uses(result)).collect()
}
