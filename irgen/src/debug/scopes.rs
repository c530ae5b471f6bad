//! Scopes: the tree of `sil_scope`s as LLVM's scopes, and inlined calls.
//!
//! A scope whose parent is a function is that function itself; others are lexical blocks. An inlined scope belongs to
//! the function that was inlined, and its `inlined_at` is a scope for the call only: its location, and around it the
//! caller's scope.

use inkwell::debug_info::{AsDIScope, DILocation, DIScope};
use sil_ir::context::Name;
use sil_ir::model::{FunctionId, ScopeId, ScopeParent, SourcePlace};

use super::{DebugInfo, FunctionLocations};

/// LLVM's scope of a SIL scope.
#[derive(Clone, Copy)]
pub(super) struct ScopeNode<'ctx> {
    /// The lexical block or function.
    pub scope: DIScope<'ctx>,
    /// The function that contains it, or that it is.
    pub subprogram: DIScope<'ctx>,
    /// The Swift file that contains it, if known.
    pub file: Option<Name>,
    /// Whether its code has locations.
    pub stepping: Stepping,
}

/// Whether a debugger stops in the code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stepping {
    /// The debugger stops.
    Stops,
    /// The debugger does not stop: the function is a thunk, or transparent. Its locations are unknown.
    Skips,
}

/// The identity of a lexical block. Inlining copies scopes; the copies are one block.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct BlockKey {
    /// The address of the parent's node.
    parent: usize,
    place: SourcePlace,
}

/// The surroundings of code: its scope, and the call that it was inlined at.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'ctx> {
    pub node: ScopeNode<'ctx>,
    pub inlined_at: Option<DILocation<'ctx>>,
}

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Returns the surroundings of code in `scope` of `function`.
    pub(super) fn surroundings(&self, function: &FunctionLocations<'ctx>, scope: ScopeId) -> Surroundings<'ctx> {
        if let Some(known) = function.surroundings.borrow().get(&scope) {
            return *known;
        }
        let call = self.sil.scopes[scope].inlined_at;
        let inlined_at = call.map(|call| self.call_location(function, call));
        let found = Surroundings { node: self.scope_node(function, scope, call), inlined_at };
        function.surroundings.borrow_mut().insert(scope, found);
        found
    }

    /// Returns the location of an inlined call. The enclosing calls are created first, from the outermost.
    fn call_location(&self, function: &FunctionLocations<'ctx>, call: ScopeId) -> DILocation<'ctx> {
        let calls = std::iter::successors(Some(call), |call| self.sil.scopes[*call].inlined_at);
        let mut pending = Vec::new();
        let mut around = None;
        for call in calls {
            around = function.calls.borrow().get(&call).copied();
            if around.is_some() {
                break;
            }
            pending.push(call);
        }
        for call in pending.into_iter().rev() {
            let scope = &self.sil.scopes[call];
            let node = match &scope.parent {
                ScopeParent::Scope(parent) => self.scope_node(function, *parent, scope.inlined_at),
                ScopeParent::Function { .. } | ScopeParent::None => self.scope_node(function, call, scope.inlined_at),
            };
            let location = self.place_location(Surroundings { node, inlined_at: around }, scope.place);
            function.calls.borrow_mut().insert(call, location);
            around = Some(location);
        }
        around.unwrap_or(function.unknown)
    }

    /// Returns LLVM's scope of `scope`, which was inlined at `call` if there is one.
    fn scope_node(&self, function: &FunctionLocations<'ctx>, scope: ScopeId, call: Option<ScopeId>) -> ScopeNode<'ctx> {
        let mut blocks = Vec::new();
        let mut at = scope;
        let mut node = loop {
            match &self.sil.scopes[at].parent {
                ScopeParent::Scope(parent) => {
                    blocks.push(at);
                    at = *parent;
                }
                ScopeParent::Function { name, function: id, .. } if call.is_some() => {
                    break self.inlined_function(*name, *id);
                }
                ScopeParent::Function { .. } | ScopeParent::None => break function.node,
            }
        };
        for block in blocks.into_iter().rev() {
            if let Some(place) = self.sil.scopes[block].place {
                node = self.block(node, place);
            }
        }
        node
    }

    fn inlined_function(&self, name: Name, id: Option<FunctionId>) -> ScopeNode<'ctx> {
        let place = self.function_place(name);
        let stepping = id.map_or(Stepping::Stops, |id| Stepping::of(&self.sil.functions[id]));
        let scope = self.subprogram(name, id.map(|id| &self.sil.functions[id]), place).as_debug_info_scope();
        ScopeNode { scope, subprogram: scope, file: place.map(|place| place.file), stepping }
    }

    /// Returns the lexical block in `parent` that begins at `place`.
    pub(super) fn block(&self, parent: ScopeNode<'ctx>, place: SourcePlace) -> ScopeNode<'ctx> {
        let key = BlockKey { parent: parent.scope.as_mut_ptr() as usize, place };
        let make = || {
            let file = self.swift_file(place.file);
            self.builder.create_lexical_block(parent.scope, file, place.line, place.column).as_debug_info_scope()
        };
        let scope = *self.blocks.borrow_mut().entry(key).or_insert_with(make);
        ScopeNode { scope, file: Some(place.file), ..parent }
    }
}
