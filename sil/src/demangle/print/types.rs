//! Writes types and generic signatures.

use super::super::node::{Kind, NodeId, Nominal};
use super::Printer;

/// Signatures are written with so many parameters of one depth.
const MOST_PARAMETERS: i64 = 128;

impl Printer<'_> {
    pub(super) fn type_node(&mut self, id: NodeId) {
        let node = self.tree.get(id);
        match node.kind {
            Kind::BoundGeneric(nominal) => self.bound_generic(id, nominal),
            Kind::Tuple => self.enclosed(id, "(", ")"),
            Kind::Pack(open) => self.enclosed(id, open, "}"),
            Kind::TupleElement => self.tuple_element(id),
            Kind::TupleElementName => self.number(format_args!("{}: ", node.text)),
            Kind::TypeList | Kind::ReturnType => self.print_children(id, ""),
            Kind::FunctionType(_) => self.function_type(None, id),
            Kind::ArgumentTuple => self.parameters(None, id),
            Kind::Throws => self.text(" throws"),
            Kind::TypedThrows => self.template(id, " throws({0})"),
            Kind::Async => self.text(" async"),
            Kind::Concurrent => self.text("@Sendable "),
            Kind::GlobalActor => self.template(id, "@{0} "),
            Kind::IsolatedAny => self.text("@isolated(any) "),
            Kind::NonIsolatedCaller => self.text("nonisolated(nonsending) "),
            Kind::SendingResult => self.text("sending "),
            Kind::Differentiable => self.text(match u8::try_from(node.index) {
                Ok(b'f') => "@differentiable(_forward) ",
                Ok(b'r') => "@differentiable(reverse) ",
                Ok(b'l') => "@differentiable(_linear) ",
                _ => "@differentiable ",
            }),
            Kind::InOut => self.template(id, "inout {0}"),
            Kind::Metatype => self.metatype(id),
            Kind::ExistentialMetatype => match node.children.len() {
                2 => self.template(id, "{0} {1}.Type"),
                _ => self.template(id, "{0}.Type"),
            },
            Kind::ProtocolList => self.protocol_list(id, "Any"),
            Kind::ProtocolListWithClass => {
                self.template(id, "{1} & ");
                if let Some(list) = self.child(id, 0) {
                    self.protocol_list(list, "");
                }
            }
            Kind::ProtocolListWithAnyObject => {
                if let Some(list) = self.child(id, 0) {
                    let before = self.out.len();
                    self.protocol_list(list, "");
                    self.text(if self.out.len() == before { "" } else { " & " });
                }
                self.text("Swift.AnyObject");
            }
            Kind::ConstrainedExistential => self.template(id, "any {0}<{1}>"),
            Kind::ConstrainedExistentialRequirements => self.print_children(id, ", "),
            Kind::SugaredOptional => {
                self.optional(node.children.first(), "?");
            }
            Kind::OpaqueReturnType => self.text("some"),
            Kind::OpaqueType => self.template(id, "{0}.{1}"),
            Kind::BoxType => self.box_type(id),
            Kind::BoxLayout => {
                self.text("{");
                for (index, field) in node.children.iter().enumerate() {
                    self.text(if index > 0 { ", " } else { " " });
                    self.print(*field);
                }
                self.text(" }");
            }
            Kind::ImplFunctionType => self.impl_function_type(id),
            Kind::ImplParameter => self.impl_value(id, ""),
            Kind::ImplResult(prefix) => self.impl_result(id, prefix),
            Kind::GenericSignature => self.generic_signature(id),
            _ => self.generic_node(id),
        }
    }

    fn generic_node(&mut self, id: NodeId) {
        let node = self.tree.get(id);
        match node.kind {
            Kind::GenericParam => self.generic_parameter(id),
            Kind::GenericType => {
                self.print_child(id, 0);
                let function = self.child(id, 1).and_then(|ty| self.child(ty, 0));
                if !function.is_some_and(|ty| matches!(self.kind(ty), Kind::FunctionType(_) | Kind::GenericType)) {
                    self.text(" ");
                }
                self.print_child(id, 1);
            }
            Kind::DependentMember => self.template(id, "{0}.{1}"),
            Kind::AssociatedTypeName => match node.children.len() {
                2 => self.template(id, "{1}.{0}"),
                _ => self.print_child(id, 0),
            },
            Kind::AssociatedTypePath => self.print_children(id, "."),
            Kind::ConformanceRequirement => self.template(id, "{0}: {1}"),
            Kind::SameTypeRequirement => self.template(id, "{0} == {1}"),
            Kind::SameShapeRequirement => self.template(id, "{0}.shape == {1}.shape"),
            Kind::InverseRequirement => {
                self.template(id, "{0}: ~Swift.");
                match self.child(id, 1).map_or(0, |bit| self.tree.get(bit).index) {
                    0 => self.text("Copyable"),
                    1 => self.text("Escapable"),
                    bit => self.number(format_args!("<bit {bit}>")),
                }
            }
            Kind::LayoutRequirement => {
                self.template(id, "{0}: {1}");
                if let [_, _, numbers @ ..] = &node.children[..]
                    && !numbers.is_empty()
                {
                    self.text("(");
                    self.print_list(numbers, ", ");
                    self.text(")");
                }
            }
            Kind::ReabstractionThunk(name) => self.reabstraction_thunk(id, name),
            Kind::ReabstractionThunkWithSelf => self.reabstraction_thunk_with_self(id),
            Kind::KeyPathAccessorThunk(name) => self.key_path_thunk(id, name),
            Kind::KeyPathIndexThunk(name) => self.key_path_index_thunk(id, name),
            Kind::SelfReorderingThunk => self.self_reordering_thunk(id),
            Kind::SubsetParametersThunk => self.subset_parameters_thunk(id),
            Kind::DifferentiabilityWitness => self.differentiability_witness(id),
            Kind::IndexSubset => self.index_subset(&node.text),
            Kind::CompletionHandler(prefix) => self.completion_handler(id, prefix),
            Kind::ValueWitness(name) => {
                self.text(name);
                self.template(id, if self.is_full() { " value witness for {0}" } else { " for {0}" });
            }
            Kind::IsSerialized => self.text("serialized"),
            Kind::GenericSpecializationParam => self.print_child(id, 0),
            Kind::LabelList => {}
            _ => self.failed = true,
        }
    }

    fn impl_result(&mut self, id: NodeId, prefix: &str) {
        match prefix {
            "" => self.impl_value(id, ""),
            _ => {
                self.text(prefix);
                self.print_children(id, " ");
            }
        }
    }

    fn enclosed(&mut self, id: NodeId, open: &str, close: &str) {
        self.text(open);
        self.print_children(id, ", ");
        self.text(close);
    }

    /// Writes a type, in parentheses where `?` or `.Type` behind it would go astray.
    fn operand(&mut self, ty: NodeId) {
        let simple = self.tree.is_simple_type(ty);
        self.text(if simple { "" } else { "(" });
        self.print(ty);
        self.text(if simple { "" } else { ")" });
    }

    fn optional(&mut self, object: Option<&NodeId>, suffix: &str) {
        if let Some(object) = object {
            self.operand(*object);
        }
        self.text(suffix);
    }

    fn metatype(&mut self, id: NodeId) {
        if self.children(id).len() == 2 {
            self.template(id, "{0} ");
        }
        let Some(ty) = self.children(id).last() else { return };
        self.operand(*ty);
        let instance = self.child(*ty, 0);
        let existential = instance.is_some_and(|instance| {
            matches!(
                self.kind(instance),
                Kind::ExistentialMetatype
                    | Kind::ProtocolList
                    | Kind::ProtocolListWithClass
                    | Kind::ProtocolListWithAnyObject
            )
        });
        self.text(if existential { ".Protocol" } else { ".Type" });
    }

    fn protocol_list(&mut self, id: NodeId, empty: &str) {
        let protocols = self.child(id, 0).map_or(&[][..], |list| self.children(list));
        match protocols.is_empty() {
            true => self.text(empty),
            false => self.print_list(protocols, " & "),
        }
    }

    fn tuple_element(&mut self, id: NodeId) {
        for kind in [Kind::TupleElementName, Kind::Type] {
            if let Some(child) = self.tree.child_of_kind(id, kind) {
                self.print(child);
            }
        }
        if self.tree.child_of_kind(id, Kind::VariadicMarker).is_some() {
            self.text("...");
        }
    }

    fn bound_generic(&mut self, id: NodeId, nominal: Nominal) {
        let arguments = self.child(id, 1).map_or(&[][..], |list| self.children(list));
        // With conformances behind the arguments nothing is abbreviated.
        let name = if self.children(id).len() == 2 { self.swift_name(id) } else { None };
        match (nominal, name, arguments) {
            (Nominal::Enum, Some("Optional"), [object]) => self.optional(Some(object), "?"),
            (Nominal::Enum, Some("ImplicitlyUnwrappedOptional"), [object]) => self.optional(Some(object), "!"),
            (Nominal::Structure, Some("Array"), [_]) => {
                self.template(id, "[{1}]");
            }
            (Nominal::Structure, Some("Dictionary"), [key, value]) => {
                self.text("[");
                self.print(*key);
                self.text(" : ");
                self.print(*value);
                self.text("]");
            }
            (Nominal::Protocol, _, _) if self.children(id).len() == 2 => {
                self.print_list(arguments, "");
                self.text(" as ");
                self.print_child(id, 0);
            }
            _ => {
                self.print_child(id, 0);
                self.text("<");
                self.print_list(arguments, ", ");
                self.text(">");
            }
        }
    }

    /// The name of what is bound, where that is a type of the standard library.
    fn swift_name(&self, id: NodeId) -> Option<&str> {
        let declaration = self.child(self.child(id, 0)?, 0)?;
        let (module, name) = (self.child(declaration, 0)?, self.child(declaration, 1)?);
        let in_swift = self.kind(module) == Kind::Module && &*self.tree.get(module).text == "Swift";
        (in_swift && self.kind(name) == Kind::Identifier).then_some(&*self.tree.get(name).text)
    }

    fn box_type(&mut self, id: NodeId) {
        match self.children(id) {
            [layout] => self.print(*layout),
            [layout, signature, arguments] => {
                self.print(*signature);
                self.text(" ");
                self.print(*layout);
                self.text(" <");
                self.print_children(*arguments, ", ");
                self.text(">");
            }
            _ => self.failed = true,
        }
    }

    fn generic_parameter(&mut self, id: NodeId) {
        let [depth, index] = [0, 1].map(|at| self.child(id, at).map_or(0, |child| self.tree.get(child).index));
        self.generic_parameter_name(depth, index);
    }

    /// `A`, `B`… at depth 0, `A1`… below.
    fn generic_parameter_name(&mut self, depth: i64, index: i64) {
        let mut index = index;
        loop {
            self.out.push(char::from(b'A' + (index % 26) as u8));
            index /= 26;
            if index == 0 {
                break;
            }
        }
        if depth != 0 {
            self.number(depth);
        }
    }

    fn generic_signature(&mut self, id: NodeId) {
        let children = self.children(id);
        let is_count = |child: &&NodeId| self.kind(**child) == Kind::GenericParamCount;
        let is_marker = |child: &&NodeId| matches!(self.kind(**child), Kind::PackMarker | Kind::ValueMarker);
        let counts: Vec<_> = children.iter().take_while(is_count).map(|count| self.tree.get(*count).index).collect();
        let markers: Vec<_> = children[counts.len()..].iter().take_while(is_marker).copied().collect();
        let requirements = &children[counts.len() + markers.len()..];
        self.text("<");
        for (depth, count) in (0..).zip(&counts) {
            self.text(if depth > 0 { "><" } else { "" });
            for index in 0..*count {
                self.text(if index > 0 { ", " } else { "" });
                if index >= MOST_PARAMETERS {
                    self.text("...");
                    break;
                }
                self.signature_parameter(depth, index, &markers);
            }
        }
        if self.is_full() && !requirements.is_empty() {
            self.text(" where ");
            self.print_list(requirements, ", ");
        }
        self.text(">");
    }

    fn signature_parameter(&mut self, depth: i64, index: i64, markers: &[NodeId]) {
        let of = |marker: &&NodeId| {
            let parameter = self.child(**marker, 0).and_then(|ty| self.child(ty, 0));
            parameter.is_some_and(|parameter| {
                let [found_depth, found_index] =
                    [0, 1].map(|at| self.child(parameter, at).map_or(-1, |child| self.tree.get(child).index));
                // The reference compares depth and index crosswise.
                (found_depth, found_index) == (index, depth)
            })
        };
        let marker = markers.iter().find(of).copied();
        match marker.map(|marker| (self.kind(marker), marker)) {
            Some((Kind::PackMarker, _)) => self.text("each "),
            Some((Kind::ValueMarker, _)) => self.text("let "),
            _ => {}
        }
        self.generic_parameter_name(depth, index);
    }
}
