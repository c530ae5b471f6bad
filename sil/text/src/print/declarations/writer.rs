//! Writes the tree of declarations: one member a line, two spaces further inside.

use super::attributes;
use super::reader::{inheritance_clause, where_clause};
use super::tree::*;

/// Writes declarations with their indentation.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) out: String,
    depth: usize,
    /// The context of the members that are being written.
    around: Option<TypeKeyword>,
}

impl Writer {
    /// Writes a declaration with the end of its line.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        if let Kind::Verbatim(text) = &declaration.kind {
            self.verbatim(text);
            return;
        }
        self.indent();
        for attribute in &declaration.attributes {
            self.out.push_str(attribute);
            if attributes::is_long(attribute) {
                self.out.push('\n');
                self.indent();
            } else {
                self.out.push(' ');
            }
        }
        match &declaration.kind {
            Kind::Type(ty) => self.ty(ty),
            Kind::Property(property) => self.property(property, declaration),
            Kind::Cases(cases) => {
                let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
                self.out.push_str(&format!("case {}", texts.join(", ")));
            }
            Kind::Callable(callable) => self.callable(callable, declaration),
            Kind::Deinitializer => self.out.push_str("deinit"),
            Kind::Line(text) | Kind::Verbatim(text) => self.out.push_str(text),
        }
        self.out.push('\n');
    }

    fn indent(&mut self) {
        self.out.push_str(&"  ".repeat(self.depth));
    }

    fn verbatim(&mut self, text: &str) {
        for line in text.lines() {
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
    }

    fn ty(&mut self, ty: &TypeDeclaration) {
        let keyword = match ty.keyword {
            TypeKeyword::Struct => "struct",
            TypeKeyword::Class => "class",
            TypeKeyword::Actor => "actor",
            TypeKeyword::Enum => "enum",
            TypeKeyword::Protocol => "protocol",
            TypeKeyword::Extension => "extension",
        };
        self.out.push_str(&format!(
            "{keyword} {}{}{}{} {{\n",
            ty.name,
            ty.generics,
            inheritance_clause(&ty.inherited),
            where_clause(&ty.requirements),
        ));
        let outer = self.around.replace(ty.keyword);
        self.depth += 1;
        for member in &ty.members {
            self.declaration(member);
        }
        self.depth -= 1;
        self.around = outer;
        self.indent();
        self.out.push('}');
    }

    fn property(&mut self, property: &Property, declaration: &Declaration) {
        let introducer = match property.introducer {
            Introducer::Var => "var",
            Introducer::Let => "let",
        };
        self.out.push_str(&format!("{introducer} {}: {}", property.name, property.ty.text));
        let compact = match property.storage {
            Storage::Stored => property.layout == AccessorLayout::OneLine,
            Storage::Computed => self.is_compact(&property.accessors, declaration),
        };
        self.accessors(&property.accessors, compact);
    }

    /// Whether accessors stand in one line: those that have attributes, `final` ones among them, do not.
    fn is_compact(&self, accessors: &[Accessor], declaration: &Declaration) -> bool {
        match self.around {
            Some(TypeKeyword::Protocol) => return true,
            Some(TypeKeyword::Class | TypeKeyword::Actor) if declaration.has("static") => return false,
            _ => {}
        }
        !declaration.has("final") && accessors.iter().all(|accessor| accessor.modifiers.is_empty())
    }

    fn accessors(&mut self, accessors: &[Accessor], compact: bool) {
        self.out.push_str(" {");
        for accessor in accessors {
            if !compact {
                self.out.push('\n');
                self.depth += 1;
                self.indent();
                self.depth -= 1;
            } else {
                self.out.push(' ');
            }
            for modifier in &accessor.modifiers {
                self.out.push_str(&format!("{modifier} "));
            }
            self.out.push_str(&accessor.text);
        }
        if compact {
            self.out.push(' ');
        } else {
            self.out.push('\n');
            self.indent();
        }
        self.out.push('}');
    }

    fn callable(&mut self, callable: &Callable, declaration: &Declaration) {
        let keyword = match callable.keyword {
            CallableKeyword::Function => "func ",
            CallableKeyword::Initializer => "init",
            CallableKeyword::Subscript => "subscript",
        };
        let Callable { name, generics, effects, .. } = callable;
        self.out.push_str(&format!("{keyword}{name}{generics}({}){effects}", callable.parameters.join(", ")));
        if let Some(result) = &callable.result {
            self.out.push_str(&format!(" -> {result}"));
        }
        self.out.push_str(&where_clause(&callable.requirements));
        if callable.keyword == CallableKeyword::Subscript {
            let compact = self.is_compact(&callable.accessors, declaration);
            self.accessors(&callable.accessors, compact);
        }
    }
}
