//! The debug location of each SIL instruction.

use std::cell::RefCell;

use inkwell::debug_info::{AsDIScope, DILocation, DISubprogram};
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;
use sil_ir::model::{Block, Body, DebugLocation, Function, Instruction, ScopeId, SourcePlace};
use sil_ir::source::{Position, Span};

use super::scopes::{ScopeNode, Stepping, Surroundings};
use super::{DebugInfo, Positions};

/// The debug locations in one function.
pub struct FunctionLocations<'ctx> {
    /// The text that the positions refer to.
    pub(super) text: Positions,
    /// The function.
    pub(super) node: ScopeNode<'ctx>,
    /// The location of code before the first SIL instruction.
    pub entry: DILocation<'ctx>,
    /// The location without a line, for code shared by several instructions.
    pub unknown: DILocation<'ctx>,
    pub(super) surroundings: RefCell<FxHashMap<ScopeId, Surroundings<'ctx>>>,
    /// The locations of inlined calls.
    pub(super) calls: RefCell<FxHashMap<ScopeId, DILocation<'ctx>>>,
    known: RefCell<FxHashMap<DebugLocation, DILocation<'ctx>>>,
}

impl<'ctx> DebugInfo<'_, 'ctx> {
    /// Describes `function`, whose code is in `llvm`.
    pub fn begin_function(
        &self,
        function: &Function,
        body: &Body,
        llvm: FunctionValue<'ctx>,
    ) -> FunctionLocations<'ctx> {
        let text = self.text_of(function, body);
        let (subprogram, node, position) = match text {
            Positions::Sil => self.begin_in_sil(function),
            Positions::Swift => self.begin_in_swift(function),
        };
        llvm.set_subprogram(subprogram);
        let location = |line, column| self.builder.create_debug_location(self.context, line, column, node.scope, None);
        FunctionLocations {
            text,
            node,
            entry: location(position.line, position.column),
            unknown: location(0, 0),
            surroundings: RefCell::default(),
            calls: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// SIL without Swift locations is its own source.
    fn text_of(&self, function: &Function, body: &Body) -> Positions {
        let is_located = || body.instructions.values().any(|instruction| instruction.location.is_some());
        match self.options.positions {
            Positions::Swift if self.function_scopes.contains_key(&function.name) || is_located() => Positions::Swift,
            _ => Positions::Sil,
        }
    }

    fn begin_in_sil(&self, function: &Function) -> (DISubprogram<'ctx>, ScopeNode<'ctx>, Position) {
        let position = self.position(function.span);
        let file = self.sil_file(function.span.file);
        let subprogram = self.create_subprogram(function.name, Some(function), file, position.line);
        let scope = subprogram.as_debug_info_scope();
        (subprogram, ScopeNode { scope, subprogram: scope, file: None, stepping: Stepping::Stops }, position)
    }

    fn begin_in_swift(&self, function: &Function) -> (DISubprogram<'ctx>, ScopeNode<'ctx>, Position) {
        let place = self.function_place(function.name);
        let subprogram = self.subprogram(function.name, Some(function), place);
        let file = place.map(|place| place.file);
        let stepping = Stepping::of(function);
        let scope = subprogram.as_debug_info_scope();
        let node = ScopeNode { scope, subprogram: scope, file, stepping };
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        (subprogram, node, Position { line, column })
    }

    /// Returns the location of an instruction in a function that was begun with [`Self::begin_function`].
    pub fn location(&self, function: &FunctionLocations<'ctx>, instruction: &Instruction) -> DILocation<'ctx> {
        match (function.text, instruction.location) {
            (Positions::Sil, _) => self.text_location(instruction.span, function),
            (Positions::Swift, Some(location)) => self.swift_location(location, function),
            (Positions::Swift, None) => function.unknown,
        }
    }

    /// Returns the location of a block's label, where its arguments are defined. Swift locations have none.
    pub fn label_location(&self, function: &FunctionLocations<'ctx>, block: &Block) -> DILocation<'ctx> {
        match (function.text, block.span) {
            (Positions::Sil, Some(span)) => self.text_location(span, function),
            _ => function.unknown,
        }
    }

    pub(super) fn position(&self, span: Span) -> Position {
        self.sources.file(span.file).position(span.start)
    }

    fn text_location(&self, span: Span, function: &FunctionLocations<'ctx>) -> DILocation<'ctx> {
        let position = self.position(span);
        self.builder.create_debug_location(self.context, position.line, position.column, function.node.scope, None)
    }

    fn swift_location(&self, location: DebugLocation, function: &FunctionLocations<'ctx>) -> DILocation<'ctx> {
        if let Some(known) = function.known.borrow().get(&location) {
            return *known;
        }
        let surroundings = match location.scope {
            Some(scope) => self.surroundings(function, scope),
            None => Surroundings { node: function.node, inlined_at: None },
        };
        // Debuggers do not stop at synthesised code.
        let place = location.place.filter(|_| !location.automatic);
        let found = self.place_location(surroundings, place);
        function.known.borrow_mut().insert(location, found);
        found
    }

    /// Returns the location of a place in Swift text. A place in a file other than its scope's gets a scope in that
    /// file.
    pub(super) fn place_location(
        &self,
        surroundings: Surroundings<'ctx>,
        place: Option<SourcePlace>,
    ) -> DILocation<'ctx> {
        let Surroundings { mut node, inlined_at } = surroundings;
        let place = place.filter(|place| place.line > 0 && node.stepping == Stepping::Stops);
        if let Some(place) = place.filter(|place| node.file != Some(place.file)) {
            node = self.block(node, SourcePlace { line: 0, column: 0, ..place });
        }
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        self.builder.create_debug_location(self.context, line, column, node.scope, inlined_at)
    }
}
