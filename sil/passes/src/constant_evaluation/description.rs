//! Symbolic values as text, in Swift's format (lib/SIL/IR/SILConstants.cpp, `SymbolicValue::print`).

use sil_ir::context::TypeId;
use sil_ir::model::Module;
use sil_ir::symbols::{Style, demangle_as};
use sil_ir::types::TypeQueries;
use sil_text::print::{CommentedLines, Printer};
use std::fmt::Write;

use super::evaluator::Evaluator;
use super::memory::Memory;
use super::values::{Address, Closure, SymbolicValue};

impl Evaluator<'_> {
    /// Returns a value as text, with newlines.
    pub(crate) fn described(&self, value: &SymbolicValue) -> String {
        let Evaluator { module, queries, memory, .. } = self;
        let mut description = Description { module, queries, memory, text: String::new() };
        description.value(value, 0);
        description.text
    }
}

struct Description<'d> {
    module: &'d Module,
    queries: &'d TypeQueries<'d>,
    memory: &'d Memory,
    text: String,
}

impl Description<'_> {
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
    }

    fn indent(&mut self, by: usize) {
        self.text.extend(std::iter::repeat_n(' ', by));
    }

    fn ty(&mut self, ty: TypeId) {
        let mut printer = Printer::new(&self.module.context, &self.module.declarations);
        printer.formal_type(ty);
        self.text.push_str(&printer.out);
    }

    fn value(&mut self, value: &SymbolicValue, indent: usize) {
        self.indent(indent);
        match value {
            SymbolicValue::UninitializedMemory => self.push(format_args!("uninit\n")),
            SymbolicValue::Unknown(_) => self.push(format_args!("unknown\n")),
            SymbolicValue::Metatype(ty) => {
                self.push(format_args!("metatype: "));
                self.ty(*ty);
                self.push(format_args!("\n"));
            }
            SymbolicValue::Function(function) => {
                let symbol = self.module.context.text(self.module.functions[*function].name);
                let name = demangle_as(symbol, Style::Full).unwrap_or_else(|| symbol.to_owned());
                self.push(format_args!("fn: {symbol}: {name}\n"));
            }
            SymbolicValue::Witness(witness) => {
                let member = self.module.context.get_member(witness.1.member);
                self.push(format_args!("method: {} of ", self.module.context.text(member.name)));
                self.ty(witness.0);
                self.push(format_args!("\n"));
            }
            SymbolicValue::Integer(integer) => self.push(format_args!("int: {}\n", integer.signed())),
            SymbolicValue::Float(float) => self.push(format_args!("float: {}\n", float.text())),
            SymbolicValue::String(bytes) => self.push(format_args!("string: \"{}\"\n", String::from_utf8_lossy(bytes))),
            SymbolicValue::Aggregate(members) => self.aggregate(members, indent),
            SymbolicValue::Enum(case, payload) => {
                let name = self.module.context.text(self.module.context.get_member(*case).name);
                self.push(format_args!("enum: case {name}"));
                if let Some(payload) = payload {
                    self.push(format_args!(", payload: "));
                    self.value(payload, indent);
                }
            }
            SymbolicValue::Address(address) => self.address(address),
            SymbolicValue::ArrayStorage(storage) => {
                self.push(format_args!("elements type: "));
                self.ty(storage.element_type);
                self.push(format_args!(" size: {}", storage.elements.len()));
                self.list(" contents [", &storage.elements, indent);
            }
            SymbolicValue::Array(memory) => {
                self.ty(self.memory.ty(*memory));
                self.push(format_args!(": \n"));
                self.value(self.memory.value(*memory), indent);
            }
            SymbolicValue::Closure(closure) => self.closure(closure, indent),
        }
    }

    fn list(&mut self, beginning: &str, values: &[SymbolicValue], indent: usize) {
        self.push(format_args!("{beginning}"));
        if !values.is_empty() {
            self.push(format_args!("\n"));
            values.iter().for_each(|value| self.value(value, indent + 2));
            self.indent(indent);
        }
        self.push(format_args!("]\n"));
    }

    fn aggregate(&mut self, members: &[SymbolicValue], indent: usize) {
        match members {
            [] => self.push(format_args!("agg: 0 elements []\n")),
            [member] => {
                self.push(format_args!("agg: 1 elt: "));
                self.value(member, indent + 2);
            }
            _ => self.list(&format!("agg: {} elements [", members.len()), members, indent),
        }
    }

    fn address(&mut self, address: &Address) {
        self.push(format_args!("address["));
        self.ty(self.memory.ty(address.memory));
        let path: Vec<String> = address.path.iter().map(u32::to_string).collect();
        self.push(format_args!("] {}\n", path.join(", ")));
    }

    fn closure(&mut self, closure: &Closure, indent: usize) {
        let target = self.module.context.text(self.module.functions[closure.target].name);
        self.push(format_args!("closure: target: {target} captures [\n"));
        if let Some(body) = &self.module.functions[closure.made.0].body {
            let lines = CommentedLines::new(self.module, self.queries, body);
            for (capture, _) in &closure.captures {
                self.indent(indent + 2);
                self.push(format_args!("{}\n", lines.value(*capture).trim_end()));
            }
        }
        self.indent(indent);
        self.push(format_args!("] values: [\n"));
        for (_, known) in &closure.captures {
            match known {
                Some(known) => self.value(known, indent + 2),
                None => {
                    self.indent(indent + 2);
                    self.push(format_args!("nil\n"));
                }
            }
        }
        self.indent(indent);
        self.push(format_args!("]\n"));
    }
}
