//! Writes types and generic signatures.

use super::super::kind::Kind;
use super::super::spelling::Nominal;
use super::super::tree::NodeId;
use super::Printer;

/// Signatures are written with so many parameters of one depth.
const MOST_PARAMETERS: i64 = 128;

impl Printer<'_> {
    pub(super) fn type_node(&mut self, id: NodeId) {
        let node = self.tree.get(id);
        match node.kind {
            Kind::BoundGeneric(nominal) => self.bound_generic(id, nominal),
            Kind::BoundReference => {
                self.print_child(id, 0);
                self.text("<");
                self.print_list(&node.children[1..], ", ");
                self.text(">");
            }
            Kind::Tuple => self.enclosed(id, "(", ")"),
            Kind::Pack(pack) => self.enclosed(id, pack.text(), "}"),
            Kind::Builtin(builtin) => self.number(format_args!("Builtin.{}", builtin.text())),
            Kind::BuiltinInteger | Kind::BuiltinFloat | Kind::BuiltinVector => {
                self.text("Builtin.");
                self.sized_builtin(id);
            }
            Kind::TupleElement => self.tuple_element(id),
            Kind::TupleElementName => self.number(format_args!("{}: ", node.text)),
            Kind::TypeList | Kind::RetroactiveConformances | Kind::ReturnType => self.print_children(id, ""),
            Kind::FunctionType(_) => self.function_type(None, id),
            Kind::ArgumentTuple => self.parameters(None, id),
            Kind::Differentiable(how) => self.number(format_args!("{} ", how.text())),
            Kind::MetatypeRepresentation(representation) => self.text(representation.text()),
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
            Kind::ExtendedExistential => {
                self.print_child(id, 0);
                self.text("<");
                self.print_list(&node.children[1..], ", ");
                self.text(">");
            }
            Kind::ConstrainedExistential => self.template(id, "any {0}<{1}>"),
            Kind::ConstrainedExistentialRequirements => self.print_children(id, ", "),
            Kind::ConstrainedExistentialSelf => self.text("Self"),
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
            Kind::MutableField => self.template(id, "var {0}"),
            Kind::ImmutableField => self.template(id, "let {0}"),
            Kind::ImplParameter(convention) => self.impl_value(id, convention.text()),
            Kind::ImplResult(convention) => self.impl_value(id, convention.text()),
            Kind::ImplYield(convention) => {
                self.text("@yields ");
                self.impl_value(id, convention.text());
            }
            Kind::ImplErrorResult(convention) => {
                self.text("@error ");
                self.impl_value(id, convention.text());
            }
            Kind::ImplOption(option) => self.text(option.text()),
            Kind::GenericSignature | Kind::PseudogenericSignature => self.generic_signature(id),
            _ => self.generic_node(id),
        }
    }

    fn generic_node(&mut self, id: NodeId) {
        let node = self.tree.get(id);
        match node.kind {
            Kind::GenericParam { depth, index } => self.generic_parameter_name(depth.into(), index.into()),
            Kind::GenericType => {
                self.print_child(id, 0);
                let function = self.child(id, 1).and_then(|ty| self.child(ty, 0));
                if !function.is_some_and(|ty| matches!(self.kind(ty), Kind::FunctionType(_) | Kind::GenericType)) {
                    self.text(" ");
                }
                self.print_child(id, 1);
            }
            Kind::DependentMember | Kind::AssociatedTypeRef => self.template(id, "{0}.{1}"),
            Kind::AssociatedTypeName => match node.children.len() {
                2 => self.template(id, "{1}.{0}"),
                _ => self.print_child(id, 0),
            },
            Kind::AssociatedTypePath => self.print_children(id, "."),
            Kind::ConformanceRequirement | Kind::BaseClassRequirement => self.template(id, "{0}: {1}"),
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
            Kind::LayoutRequirement(constraint) => {
                self.template(id, "{0}: ");
                self.text(constraint.text());
                if let [_, numbers @ ..] = &node.children[..]
                    && !numbers.is_empty()
                {
                    self.text("(");
                    self.print_list(numbers, ", ");
                    self.text(")");
                }
            }
            Kind::Reabstraction(thunk) => self.reabstraction_thunk(id, thunk),
            Kind::KeyPathThunk(thunk) => self.key_path_thunk(id, thunk.text()),
            Kind::KeyPathIndexThunk(thunk) => self.key_path_index_thunk(id, thunk),
            Kind::SelfReorderingThunk => self.self_reordering_thunk(id),
            Kind::SubsetParametersThunk => self.subset_parameters_thunk(id),
            Kind::DifferentiabilityWitness => self.differentiability_witness(id),
            Kind::IndexSubset => self.index_subset(&node.text),
            Kind::CompletionHandler(handler) => self.completion_handler(id, handler.text()),
            Kind::ValueWitness(witness) => {
                self.text(witness.text());
                self.template(id, if self.is_full() { " value witness for {0}" } else { " for {0}" });
            }
            Kind::IsSerialized => self.text("serialized"),
            Kind::GenericSpecializationParam => self.print_child(id, 0),
            Kind::LabelList => {}
            _ => self.failed = true,
        }
    }

    /// Writes a builtin type without its module.
    fn sized_builtin(&mut self, id: NodeId) {
        let size = self.tree.get(id).index;
        match self.kind(id) {
            Kind::BuiltinInteger => self.number(format_args!("Int{size}")),
            Kind::BuiltinFloat => self.number(format_args!("FPIEEE{size}")),
            Kind::BuiltinVector => {
                self.number(format_args!("Vec{size}x"));
                if let Some(element) = self.child(id, 0) {
                    self.sized_builtin(element);
                }
            }
            Kind::Builtin(builtin) => self.text(builtin.text()),
            _ => self.failed = true,
        }
    }

    fn enclosed(&mut self, id: NodeId, open: &str, close: &str) {
        self.text(open);
        self.print_children(id, ", ");
        self.text(close);
    }

    /// Writes a type, in parentheses where `?` or `.Type` after it would bind to a part of it.
    fn operand(&mut self, ty: NodeId) {
        let simple = self.tree.is_simple_type(ty);
        self.text(if simple { "" } else { "(" });
        self.print(ty);
        self.text(if simple { "" } else { ")" });
    }

    pub(super) fn optional(&mut self, object: Option<&NodeId>, suffix: &str) {
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
        // With conformances after the arguments nothing is abbreviated, nor in symbols within symbols.
        let declaration = self.child(id, 0).map(|bound| self.tree.content(bound));
        let declaration = declaration.filter(|_| self.children(id).len() == 2 && self.symbols == 0);
        let name = declaration.and_then(|declaration| self.tree.swift_name(declaration));
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
            let parameter = self.child(**marker, 0).map(|ty| self.kind(self.tree.content(ty)));
            // The reference compares depth and index crosswise.
            matches!(parameter, Some(Kind::GenericParam { depth: found_depth, index: found_index })
                if (i64::from(found_depth), i64::from(found_index)) == (index, depth))
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
