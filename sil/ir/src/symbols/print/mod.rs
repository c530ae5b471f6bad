//! Writes the tree of a symbol as `swift-demangle` does. Short forms are templates in the table of operations.

mod entities;
mod functions;
mod specializations;
mod types;

use super::Style;
use super::kind::Kind;
use super::operations::Operation;
use super::spelling::DependentConformance;
use super::tree::{NodeId, Tree};

/// Trees are written this deep.
const DEPTH_LIMIT: u32 = 512;

/// Names are not longer than this: a symbol can refer to its parts again and again.
const LENGTH_LIMIT: usize = 1 << 20;

/// The text of the tree below `root`, which is `symbols` symbols deep in others.
pub(super) fn print(tree: &Tree, root: NodeId, style: Style, symbols: u32) -> Option<String> {
    let mut printer = Printer { tree, style, symbols, out: String::new(), depth: 0, specialized: false, failed: false };
    printer.print(root);
    (!printer.failed && printer.out.len() < LENGTH_LIMIT && !printer.out.is_empty()).then_some(printer.out)
}

struct Printer<'t> {
    tree: &'t Tree,
    style: Style,
    symbols: u32,
    out: String,
    depth: u32,
    /// Whether `specialized` is written already, in simplified style.
    specialized: bool,
    /// Whether the tree has a form that no compiler makes.
    failed: bool,
}

/// Whether the caller may write the context of an entity after it: `closure #1 in f()`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Yes,
    No,
}

impl<'t> Printer<'t> {
    fn is_full(&self) -> bool {
        self.style == Style::Full
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn number(&mut self, number: impl std::fmt::Display) {
        use std::fmt::Write;
        // Writing to a string does not fail.
        let _ = write!(self.out, "{number}");
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.tree.kind(id)
    }

    fn children(&self, id: NodeId) -> &'t [NodeId] {
        self.tree.children(id)
    }

    fn child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        self.tree.child(id, index)
    }

    /// Writes child number `index` of `id`.
    fn print_child(&mut self, id: NodeId, index: usize) {
        match self.child(id, index) {
            Some(child) => self.print(child),
            None => self.failed = true,
        }
    }

    fn print_children(&mut self, id: NodeId, separator: &str) {
        self.print_list(self.children(id), separator);
    }

    fn print_list(&mut self, nodes: &[NodeId], separator: &str) {
        for (index, node) in nodes.iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            self.print(*node);
        }
    }

    fn print(&mut self, id: NodeId) {
        self.print_as(id, Prefix::No);
    }

    /// Writes `id`. Gives the context that is still to be written after the entity whose context `id` is.
    fn print_as(&mut self, id: NodeId, prefix: Prefix) -> Option<NodeId> {
        if self.depth >= DEPTH_LIMIT || self.out.len() >= LENGTH_LIMIT {
            self.failed = true;
            return None;
        }
        self.depth += 1;
        let left = self.node(id, prefix);
        self.depth -= 1;
        left
    }

    fn node(&mut self, id: NodeId, prefix: Prefix) -> Option<NodeId> {
        let node = self.tree.get(id);
        if self.is_entity(node.kind) {
            return self.entity_node(id, prefix);
        }
        match node.kind {
            Kind::Global => self.print_children(id, ""),
            Kind::Suffix => self.suffix(&node.text),
            Kind::Type => self.print_child(id, 0),
            Kind::Operation(Operation::SugaredOptional) => self.optional(node.children.first(), "?"),
            Kind::Operation(operation) => self.template(id, operation.template()),
            Kind::Attribute(attribute) => {
                let (full, simplified) = attribute.templates();
                self.template(id, if self.is_full() { full } else { simplified });
            }
            Kind::PartialApply(forwarder) => {
                self.text(if self.is_full() { forwarder.text() } else { "partial apply" });
                if !node.children.is_empty() {
                    self.text(" for ");
                    self.print_children(id, "");
                }
            }
            Kind::Specialization(kind) => self.specialization(id, kind.text(), ""),
            Kind::PartialSpecialization(kind) => self.specialization(id, kind.text(), "Signature = "),
            Kind::SignatureSpecialization => self.specialization(id, "function signature specialization", ""),
            Kind::Identifier | Kind::ClangType => self.text(&node.text),
            Kind::SymbolicReference(_) => self.number(format_args!("symbolic reference {:#x}", node.index)),
            Kind::Derivative(derivative) => self.text(derivative.text()),
            Kind::WitnessedDerivative(derivative) => self.text(derivative.text()),
            Kind::Module => {
                if self.style != Style::Simplified {
                    self.text(&node.text);
                }
            }
            Kind::Operator(fixity) => {
                self.text(&node.text);
                self.text(fixity.text());
            }
            Kind::LocalDeclName => {
                self.print_child(id, 1);
                let index = self.child(id, 0).map_or(0, |index| self.tree.get(index).index);
                self.number(format_args!(" #{}", index + 1));
            }
            Kind::PrivateDeclName => self.private_name(id),
            Kind::RelatedEntityDeclName => {
                self.number(format_args!("related decl '{}' for ", node.text));
                self.print_child(id, 0);
            }
            Kind::Number | Kind::Integer => self.number(node.index),
            Kind::NegativeInteger => self.number(-node.index),
            Kind::UnknownIndex => self.text("unknown index"),
            Kind::DeclList => match node.children.len() {
                1 => self.print_child(id, 0),
                _ => {
                    self.text("(");
                    self.print_children(id, ", ");
                    self.text(")");
                }
            },
            Kind::EmptyList => self.text(" empty-list "),
            Kind::FirstElementMarker => self.text(" first-element-marker "),
            Kind::VariadicMarker => self.text(" variadic-marker "),
            Kind::TypeMangling => self.type_mangling(id),
            Kind::ProtocolConformance => self.conformance(id),
            Kind::ConformanceList => self.conformance_list(id),
            Kind::ConcreteConformance => self.concrete_conformance(id),
            Kind::ConformanceInOtherModule => self.template(id, "protocol conformance ref (retroactive) {0}{1}"),
            Kind::DependentConformance(kind) => self.dependent_conformance(id, kind),
            Kind::DependentAssociatedConformance => {
                self.template(id, "dependent associated conformance {0}{1}");
            }
            Kind::RetroactiveConformance => self.template(id, "retroactive @ {0}{1}"),
            _ => self.type_node(id),
        }
        None
    }

    /// Writes `template`, where `{0}` is the first child of `id`, `{#}` its index and `{t}` its text. Children that are
    /// missing at the end are left out.
    fn template(&mut self, id: NodeId, template: &str) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((what, after)) = after.split_once('}') else { break };
            self.text(before);
            match what {
                "#" => self.number(self.tree.get(id).index),
                "t" => self.text(&self.tree.get(id).text),
                _ => {
                    let child = what.parse().ok().and_then(|index| self.child(id, index));
                    if let Some(child) = child {
                        self.print(child);
                    }
                }
            }
            rest = after;
        }
        self.text(rest);
    }

    fn suffix(&mut self, text: &str) {
        if !self.is_full() {
            return;
        }
        self.text(" with unmangled suffix \"");
        for byte in text.bytes() {
            match byte {
                b'\\' => self.text("\\\\"),
                b'\t' => self.text("\\t"),
                b'\n' => self.text("\\n"),
                b'\r' => self.text("\\r"),
                b'"' => self.text("\\\""),
                0 => self.text("\\0"),
                0x20..=0x7E => self.out.push(char::from(byte)),
                _ => self.number(format_args!("\\x{byte:02X}")),
            }
        }
        self.text("\"");
    }

    fn private_name(&mut self, id: NodeId) {
        let discriminator = self.child(id, 0).map_or("", |child| &self.tree.get(child).text);
        match (self.child(id, 1), self.is_full()) {
            (Some(name), true) => {
                self.text("(");
                self.print(name);
                self.number(format_args!(" in {discriminator})"));
            }
            (Some(name), false) => self.print(name),
            (None, true) => self.number(format_args!("(in {discriminator})")),
            (None, false) => {}
        }
    }

    fn type_mangling(&mut self, id: NodeId) {
        let labels = self.child(id, 0).filter(|child| self.kind(*child) == Kind::LabelList);
        match labels.zip(self.child(id, 1)).and_then(|(labels, ty)| Some((labels, self.child(ty, 0)?))) {
            Some((labels, function)) => self.function_type(Some(labels), function),
            None => self.print_child(id, 0),
        }
    }

    fn conformance(&mut self, id: NodeId) {
        if self.children(id).len() == 4 {
            self.template(id, "property behavior storage of {2} in {0} : {1}");
        } else if self.is_full() {
            self.template(id, "{0} : {1} in {2}");
        } else {
            self.print_child(id, 0);
        }
    }

    fn conformance_list(&mut self, id: NodeId) {
        if !self.children(id).is_empty() {
            self.text("(");
            self.print_children(id, ", ");
            self.text(")");
        }
    }

    fn concrete_conformance(&mut self, id: NodeId) {
        self.template(id, "concrete protocol conformance {0} to {1}");
        if let Some(conditions) = self.child(id, 2)
            && !self.children(conditions).is_empty()
        {
            self.text(" with conditional requirements: ");
            self.print(conditions);
        }
    }

    fn dependent_conformance(&mut self, id: NodeId, kind: DependentConformance) {
        self.text(kind.text());
        if let Some(index) = self.child(id, 2)
            && self.kind(index) == Kind::Number
        {
            self.number(format_args!("#{} ", self.tree.get(index).index));
        }
        self.template(id, "{0} to {1}");
    }
}
