//! Writes declarations: their context, their name, their type.

use super::super::kind::Kind;
use super::super::spelling::*;
use super::super::tree::NodeId;
use super::{Prefix, Printer};

/// How the type of an entity is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeForm {
    None,
    /// ` : T`
    Colon,
    /// As the signature of a function.
    Function,
}

/// The number of words in the name of an entity: a name of several words cannot be a part of a dotted name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    One,
    Several,
}

/// The printed form of an entity.
struct Form<'s> {
    ty: TypeForm,
    /// Whether it has a name as its second child.
    named: bool,
    /// Stands in the place of the name.
    overwrite: &'s str,
    /// Comes after the name, or before it if that has several words.
    extra: &'s str,
    /// Belongs to `extra`.
    index: Option<i64>,
}

impl Form<'_> {
    const NOTHING: Self = Form { ty: TypeForm::None, named: false, overwrite: "", extra: "", index: None };
}

impl Printer<'_> {
    pub(super) fn is_entity(&self, kind: Kind) -> bool {
        let other = matches!(
            kind,
            Kind::Macro
                | Kind::AttachedMacro(_)
                | Kind::FreestandingMacro(_)
                | Kind::MacroLocation
                | Kind::GenericTypeParamDecl
                | Kind::BoundGenericFunction
        );
        other || (kind.is_context() && !matches!(kind, Kind::Module | Kind::SymbolicReference(_)))
    }

    pub(super) fn entity_node(&mut self, id: NodeId, prefix: Prefix) -> Option<NodeId> {
        let kind = self.kind(id);
        let index = || self.child(id, 1).map(|child| self.tree.get(child).index + 1);
        let closure_type = if self.is_full() { TypeForm::Function } else { TypeForm::None };
        let form = match kind {
            Kind::Extension => {
                self.extension(id);
                return None;
            }
            Kind::AnonymousContext => {
                self.anonymous_context(id);
                return None;
            }
            Kind::Static => {
                self.template(id, "static {0}");
                return None;
            }
            Kind::BuiltinTuple => {
                self.text("Builtin.TheTupleType");
                return None;
            }
            Kind::OpaqueReturnTypeOf => {
                self.template(id, "<<opaque return type of {0}>>");
                return None;
            }
            Kind::AutoDiff(function) => {
                self.derivative_function(id, function.text());
                return None;
            }
            Kind::Accessor(accessor) => return self.accessor(id, accessor.text(), prefix),
            Kind::MacroLocation => {
                self.template(id, "module {0} file {1} line {2} column {3}");
                return None;
            }
            Kind::AttachedMacro(role) => {
                let attached = self.child(id, 2).map_or("", |attached| &self.tree.get(attached).text);
                let extra = format!("{}{attached} expansion #", role.text());
                return self.macro_expansion(id, &extra, prefix);
            }
            Kind::FreestandingMacro(role) => return self.macro_expansion(id, role.text(), prefix),
            Kind::Variable => Form { ty: TypeForm::Colon, named: true, ..Form::NOTHING },
            Kind::Macro => {
                let ty = if self.children(id).len() == 3 { TypeForm::Colon } else { TypeForm::Function };
                Form { ty, named: true, ..Form::NOTHING }
            }
            Kind::Function | Kind::BoundGenericFunction => {
                Form { ty: TypeForm::Function, named: true, ..Form::NOTHING }
            }
            Kind::Subscript => Form { ty: TypeForm::Function, overwrite: "subscript", ..Form::NOTHING },
            Kind::ExplicitClosure => Form { ty: closure_type, extra: "closure #", index: index(), ..Form::NOTHING },
            Kind::ImplicitClosure => {
                Form { ty: closure_type, extra: "implicit closure #", index: index(), ..Form::NOTHING }
            }
            Kind::DefaultArgument => {
                Form { extra: "default argument ", index: index().map(|index| index - 1), ..Form::NOTHING }
            }
            Kind::Allocator => {
                let extra = if self.is_in_class(id) { "__allocating_init" } else { "init" };
                Form { ty: TypeForm::Function, extra, ..Form::NOTHING }
            }
            Kind::Constructor => {
                let named = self.children(id).len() > 2;
                Form { ty: TypeForm::Function, named, extra: "init", ..Form::NOTHING }
            }
            Kind::Implicit(Implicit::Deallocator | Implicit::IsolatedDeallocator) if !self.is_in_class(id) => {
                Form { extra: "deinit", ..Form::NOTHING }
            }
            Kind::Implicit(implicit) => Form { extra: implicit.text(), ..Form::NOTHING },
            _ => Form { named: true, ..Form::NOTHING },
        };
        self.entity(id, &form, prefix)
    }

    fn is_in_class(&self, id: NodeId) -> bool {
        self.child(id, 0).is_some_and(|context| self.kind(context) == Kind::Nominal(Nominal::Class))
    }

    fn extension(&mut self, id: NodeId) {
        if self.is_full() {
            self.text("(extension in ");
            if let Some(module) = self.child(id, 0) {
                self.print_as(module, Prefix::Yes);
            }
            self.text("):");
        }
        self.template(id, "{1}{2}");
    }

    fn anonymous_context(&mut self, id: NodeId) {
        if !self.is_full() {
            return;
        }
        self.template(id, "{1}.(unknown context at {0})");
        if let Some(types) = self.child(id, 2)
            && !self.children(types).is_empty()
        {
            self.text("<");
            self.print(types);
            self.text(">");
        }
    }

    fn accessor(&mut self, id: NodeId, name: &'static str, prefix: Prefix) -> Option<NodeId> {
        let storage = self.child(id, 0)?;
        let form = match self.kind(storage) {
            Kind::Variable => Form { ty: TypeForm::Colon, named: true, extra: name, ..Form::NOTHING },
            Kind::Subscript => Form { ty: TypeForm::Colon, extra: name, overwrite: "subscript", ..Form::NOTHING },
            _ => {
                self.failed = true;
                return None;
            }
        };
        self.entity(storage, &form, prefix)
    }

    fn macro_expansion(&mut self, id: NodeId, extra: &str, prefix: Prefix) -> Option<NodeId> {
        let discriminators = self.children(id).iter().filter(|child| self.kind(**child) == Kind::Number);
        let index = discriminators.map(|child| self.tree.get(*child).index + 1).next();
        let form = Form { named: true, extra, index, ..Form::NOTHING };
        self.entity(id, &form, prefix)
    }

    /// Writes an entity. Gives its context if that is to be written after the entity that it is the context of.
    fn entity(&mut self, id: NodeId, form: &Form<'_>, prefix: Prefix) -> Option<NodeId> {
        let (id, arguments) = match self.kind(id) {
            Kind::BoundGenericFunction => (self.child(id, 0)?, self.child(id, 1)),
            _ => (id, None),
        };
        let local = form.named && self.child(id, 1).is_some_and(|name| self.kind(name) == Kind::LocalDeclName);
        let words = if form.extra.contains(' ') || local { Words::Several } else { Words::One };
        if prefix == Prefix::Yes && (form.ty != TypeForm::None || words == Words::Several) {
            return Some(id);
        }
        let Some(context) = self.child(id, 0) else {
            self.failed = true;
            return None;
        };
        let mut after = None;
        if words == Words::Several {
            after = Some(context);
        } else {
            let before = self.out.len();
            after = self.print_as(context, Prefix::Yes).or(after);
            if self.out.len() != before {
                self.text(".");
            }
        }
        self.entity_name(id, form, words);
        self.entity_type(id, form, words, arguments);
        if prefix == Prefix::No
            && let Some(context) = after.take()
        {
            let of = match self.kind(id) {
                Kind::DefaultArgument => true,
                Kind::Implicit(implicit) => matches!(
                    implicit,
                    Implicit::Initializer
                        | Implicit::PropertyWrapperBackingInitializer
                        | Implicit::PropertyWrapperInitFromProjectedValue
                ),
                _ => false,
            };
            self.text(if of { " of " } else { " in " });
            self.print(context);
        }
        after
    }

    fn entity_name(&mut self, id: NodeId, form: &Form<'_>, words: Words) {
        let mut extra = (form.extra, form.index);
        if form.named || !form.overwrite.is_empty() {
            if words == Words::Several && !form.extra.is_empty() {
                self.extra(extra);
                self.text(" of ");
                extra = ("", None);
            }
            let before = self.out.len();
            if form.overwrite.is_empty() {
                if let Some(name) = self.child(id, 1)
                    && self.kind(name) != Kind::PrivateDeclName
                {
                    self.print(name);
                }
                if let Some(private) = self.tree.child_of_kind(id, Kind::PrivateDeclName) {
                    self.print(private);
                }
            } else {
                self.text(form.overwrite);
            }
            if self.out.len() != before && !extra.0.is_empty() {
                self.text(".");
            }
        }
        self.extra(extra);
    }

    fn extra(&mut self, (text, index): (&str, Option<i64>)) {
        self.text(text);
        if let Some(index) = index.filter(|_| !text.is_empty()) {
            self.number(index);
        }
    }

    fn entity_type(&mut self, id: NodeId, form: &Form<'_>, words: Words, arguments: Option<NodeId>) {
        if form.ty == TypeForm::None {
            return;
        }
        let ty = self.tree.child_of_kind(id, Kind::Type).and_then(|ty| self.child(ty, 0));
        let Some(ty) = ty else {
            self.failed = true;
            return;
        };
        let mut function = ty;
        while self.kind(function) == Kind::GenericType {
            match self.child(function, 1).and_then(|inner| self.child(inner, 0)) {
                Some(inner) => function = inner,
                None => break,
            }
        }
        use FunctionKind::{C, NoEscape, Plain, Thin, Uncurried};
        let is_function = matches!(self.kind(function), Kind::FunctionType(Plain | NoEscape | Uncurried | C | Thin));
        if form.ty == TypeForm::Function && is_function {
            if words == Words::Several || self.needs_space(ty) {
                self.text(" ");
            }
        } else if self.is_full() {
            self.text(" : ");
        } else {
            return;
        }
        self.signature(id, ty, arguments);
    }

    fn needs_space(&self, ty: NodeId) -> bool {
        use FunctionKind::{NoEscape, Plain, Uncurried};
        match self.kind(ty) {
            Kind::Type => self.child(ty, 0).is_none_or(|inner| self.needs_space(inner)),
            Kind::FunctionType(Plain | NoEscape | Uncurried) | Kind::GenericType => false,
            _ => true,
        }
    }

    /// Writes the type of an entity with the labels of its parameters.
    fn signature(&mut self, id: NodeId, ty: NodeId, arguments: Option<NodeId>) {
        let labels = self.tree.child_of_kind(id, Kind::LabelList);
        if labels.is_none() && arguments.is_none() {
            return self.print(ty);
        }
        if let Some(arguments) = arguments {
            self.text("<");
            self.print_children(arguments, ", ");
            self.text(">");
        }
        let mut function = ty;
        if self.kind(ty) == Kind::GenericType {
            if arguments.is_none() {
                self.print_child(ty, 0);
            }
            let Some(inner) = self.child(ty, 1) else { return };
            if self.needs_space(inner) {
                self.text(" ");
            }
            function = self.child(inner, 0).unwrap_or(inner);
        }
        match self.kind(function) {
            Kind::FunctionType(_) => self.function_type(labels, function),
            _ => self.print(function),
        }
    }
}
