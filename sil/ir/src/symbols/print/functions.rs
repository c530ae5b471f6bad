//! Writes function types, formal and lowered, and thunks between them.

use super::super::kind::Kind;
use super::super::operations::Operation;
use super::super::spelling::{FunctionKind, KeyPathIndexThunk, Reabstraction, ValueOption};
use super::super::tree::NodeId;
use super::Printer;

impl Printer<'_> {
    pub(super) fn function_type(&mut self, labels: Option<NodeId>, id: NodeId) {
        let Kind::FunctionType(kind) = self.kind(id) else {
            self.failed = true;
            return;
        };
        match kind {
            FunctionKind::Plain | FunctionKind::Uncurried | FunctionKind::NoEscape => {}
            FunctionKind::AutoClosure | FunctionKind::EscapingAutoClosure | FunctionKind::Thin => {
                self.text(kind.text());
            }
            FunctionKind::C | FunctionKind::Block => self.convention(id, kind.text()),
            FunctionKind::EscapingBlock => {
                self.text("@escaping ");
                self.convention(id, kind.text());
            }
        }
        let tree = self.tree;
        let has = |operation| tree.child_of_kind(id, Kind::Operation(operation));
        let is_differentiable = |child: &&NodeId| matches!(tree.kind(**child), Kind::Differentiable(_));
        let differentiable = self.children(id).iter().find(is_differentiable).copied();
        let sending = has(Operation::SendingResult);
        let is_async = has(Operation::Async).is_some();
        let throws = has(Operation::Throws).or(has(Operation::TypedThrows));
        let (arguments, result) =
            (tree.child_of_kind(id, Kind::ArgumentTuple), tree.child_of_kind(id, Kind::ReturnType));
        let before = [
            has(Operation::IsolatedAny),
            has(Operation::GlobalActor),
            differentiable,
            has(Operation::NonIsolatedCaller),
            has(Operation::Concurrent),
        ];
        for before in before.into_iter().flatten() {
            self.print(before);
        }
        let Some((arguments, result)) = arguments.zip(result) else {
            self.failed = true;
            return;
        };
        self.parameters(labels, arguments);
        if !self.is_full() {
            return;
        }
        if is_async {
            self.text(" async");
        }
        if let Some(throws) = throws {
            self.print(throws);
        }
        self.text(" -> ");
        if sending.is_some() {
            self.text("sending ");
        }
        self.print(result);
    }

    fn convention(&mut self, id: NodeId, name: &str) {
        self.number(format_args!("@convention({name}"));
        if let Some(clang) = self.tree.child_of_kind(id, Kind::ClangType) {
            self.number(format_args!(", mangledCType: \"{}\"", self.tree.get(clang).text));
        }
        self.text(") ");
    }

    /// Writes parameters: in full their types, else only their labels.
    pub(super) fn parameters(&mut self, labels: Option<NodeId>, arguments: NodeId) {
        let Some(parameters) = self.child(arguments, 0).and_then(|ty| self.child(ty, 0)) else {
            self.failed = true;
            return;
        };
        let full = self.is_full();
        if self.kind(parameters) != Kind::Tuple {
            if full {
                self.text("(");
                self.print(parameters);
                self.text(")");
            } else {
                self.text("(_:)");
            }
            return;
        }
        let labels = labels.map_or(&[][..], |labels| self.children(labels));
        self.text("(");
        for (index, parameter) in self.children(parameters).iter().enumerate() {
            if full && index > 0 {
                self.text(", ");
            }
            if let Some(label) = labels.get(index) {
                let named = self.kind(*label) == Kind::Identifier;
                self.text(if named { &self.tree.get(*label).text } else { "_" });
                self.text(if full { ": " } else { ":" });
            } else if !full {
                match self.tree.child_of_kind(*parameter, Kind::TupleElementName) {
                    Some(label) => self.text(&self.tree.get(label).text),
                    None => self.text("_"),
                }
                self.text(":");
            }
            if full {
                self.print(*parameter);
            }
        }
        self.text(")");
    }

    pub(super) fn impl_function_type(&mut self, id: NodeId) {
        let of_kind = |kind| self.tree.child_of_kind(id, kind);
        let pattern = of_kind(Kind::ImplPatternSubstitutions);
        let invocation = of_kind(Kind::ImplInvocationSubstitutions);
        let sending = of_kind(Kind::ImplSendingResult);
        let children = self.children(id);
        let tree = self.tree;
        let is_parameter = |child: &&NodeId| matches!(tree.kind(**child), Kind::ImplParameter(_));
        let is_result = |child: &&NodeId| {
            matches!(tree.kind(**child), Kind::ImplResult(_) | Kind::ImplYield(_) | Kind::ImplErrorResult(_))
        };
        for child in children {
            self.impl_attribute(*child);
        }
        if let Some(pattern) = pattern {
            self.template(pattern, "@substituted {0} ");
        }
        self.text("(");
        let parameters: Vec<_> = children.iter().filter(is_parameter).copied().collect();
        let results: Vec<_> = children.iter().filter(is_result).copied().collect();
        self.print_list(&parameters, ", ");
        self.text(") -> ");
        if sending.is_some() {
            self.text("sending ");
        }
        self.text("(");
        self.print_list(&results, ", ");
        self.text(")");
        let arguments = [pattern.and_then(|it| self.child(it, 1)), invocation.and_then(|it| self.child(it, 0))];
        for arguments in arguments.into_iter().flatten() {
            self.text(" for <");
            self.print_children(arguments, "");
            self.text(">");
        }
    }

    /// Writes the attribute of a lowered function before its parameters.
    fn impl_attribute(&mut self, id: NodeId) {
        match self.kind(id) {
            Kind::GenericSignature | Kind::PseudogenericSignature => self.print(id),
            Kind::ImplEscaping => self.text("@escaping"),
            Kind::ImplErasedIsolation => self.text("@isolated(any)"),
            Kind::ImplDifferentiability(how) => self.text(how.text()),
            Kind::ImplCallee(convention) => self.text(convention.text()),
            Kind::ImplConvention(convention) => {
                self.number(format_args!("@convention({}", convention.text()));
                if let Some(clang) = self.child(id, 0) {
                    self.number(format_args!(", mangledCType: \"{}\"", self.tree.get(clang).text));
                }
                self.text(")");
            }
            Kind::ImplCoroutine(coroutine) => self.text(coroutine.text()),
            Kind::ImplSendable => self.text("@Sendable"),
            Kind::ImplAsync => self.text("@async"),
            _ => return,
        }
        self.text(" ");
    }

    /// Writes a parameter or a result with its convention: `@owned T`.
    pub(super) fn impl_value(&mut self, id: NodeId, convention: &str) {
        self.number(format_args!("{convention} "));
        let Some((ty, options)) = self.children(id).split_last() else { return };
        let is_other = |option: &&NodeId| self.kind(**option) != Kind::ImplOption(ValueOption::NoDerivative);
        // Where there are several options besides `@noDerivative`, the reference writes none at all.
        if options.iter().filter(is_other).count() <= 1 {
            self.print_list(options, "");
        }
        self.print(*ty);
    }

    pub(super) fn reabstraction_thunk(&mut self, id: NodeId, thunk: Reabstraction) {
        let children = self.children(id);
        if thunk == Reabstraction::WithSelf {
            return self.template(
                id,
                match children.len() {
                    4 => "reabstraction thunk {0} from {3} to {2} self {1}",
                    _ => "reabstraction thunk from {2} to {1} self {0}",
                },
            );
        }
        if !self.is_full() {
            self.text("thunk for ");
            if let Some(last) = children.last() {
                self.print(*last);
            }
            return;
        }
        self.text(thunk.text());
        let first = usize::from(children.len() == 3);
        if first == 1 {
            self.template(id, "{0} ");
        }
        self.text("from ");
        self.print_child(id, first + 1);
        self.text(" to ");
        self.print_child(id, first);
    }

    pub(super) fn key_path_thunk(&mut self, id: NodeId, name: &str) {
        self.text(name);
        self.print_child(id, 0);
        self.text(" : ");
        for child in self.children(id).iter().skip(1) {
            if self.kind(*child) == Kind::IsSerialized {
                self.text(", ");
            }
            self.print(*child);
        }
    }

    pub(super) fn key_path_index_thunk(&mut self, id: NodeId, thunk: KeyPathIndexThunk) {
        self.number(format_args!("key path index {} operator for ", thunk.text()));
        if let Some(signature) = self.tree.child_of_kind(id, Kind::GenericSignature) {
            self.print(signature);
        }
        let tree = self.tree;
        let is_type = |child: &&NodeId| tree.kind(**child) == Kind::Type;
        let types: Vec<_> = self.children(id).iter().filter(is_type).copied().collect();
        self.text("(");
        self.print_list(&types, ", ");
        self.text(")");
    }

    pub(super) fn completion_handler(&mut self, id: NodeId, prefix: &str) {
        self.text(prefix);
        self.template(id, "@objc completion handler block implementation for {3}{0} with result type {1}");
        match self.child(id, 2).map(|flag| self.tree.get(flag).index) {
            Some(0) => {}
            Some(1) => self.text(" nonzero on error"),
            Some(2) => self.text(" zero on error"),
            _ => self.text(" <invalid error flag>"),
        }
    }
}
