//! Writes functions and globals.

use sil_ir::context::{Mutability, Name, SilType};
use sil_ir::model::{
    Function, FunctionAttribute, FunctionFlag, FunctionIsolation, Global, Linkage, Module, Serialization, Stage,
};
use sil_ir::types::TypeQueries;

use super::Printer;
use super::body::BodyPrinter;

/// The effects of a function on memory that its arguments do not lead to, in the order in which they are written.
const GLOBAL_EFFECTS: [&str; 6] = ["read", "write", "copy", "destroy", "allocate", "deinit_barrier"];

impl Printer<'_> {
    /// Writes a function.
    pub(super) fn function(&mut self, module: &Module, queries: &TypeQueries, function: &Function) {
        self.symbol_line("", function.name);
        let clang = function.attributes.iter().find_map(|attribute| match attribute {
            FunctionAttribute::Clang(name) => Some(*name),
            _ => None,
        });
        if let Some(name) = clang.filter(|_| self.has_comments()) {
            self.number(format_args!("// clang name: {}\n", self.context.text(name)));
        }
        self.isolation_line(function);
        self.text("sil ");
        let default = if function.body.is_some() { Linkage::Public } else { Linkage::PublicExternal };
        self.linkage(function.linkage, default);
        let mut attributes: Vec<&FunctionAttribute> = function.attributes.iter().collect();
        // Ownership is that of a body.
        attributes.retain(|attribute| {
            function.body.is_some() || !matches!(attribute, FunctionAttribute::Flag(FunctionFlag::Ossa))
        });
        // Canonical is of interest where the module itself is not.
        attributes.retain(|attribute| {
            module.stage == Stage::Raw || !matches!(attribute, FunctionAttribute::Flag(FunctionFlag::Canonical))
        });
        attributes.sort_by_key(|attribute| rank(attribute));
        attributes.dedup_by(|next, last| next == last && matches!(next, FunctionAttribute::Flag(_)));
        let is_transparent = |attribute: &&FunctionAttribute| rank(attribute) == 0;
        let (transparent, others): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_transparent);
        transparent.into_iter().for_each(|attribute| self.function_attribute(attribute));
        self.serialization(function.serialization);
        others.into_iter().for_each(|attribute| self.function_attribute(attribute));
        self.symbol(function.name);
        self.text(" : $");
        self.function_type(function.ty, function.signature.filter(|_| self.names_parameters(function)));
        if let Some(count) = function.entry_count {
            self.number(format_args!(" !function_entry_count({count})"));
        }
        let effects = || {
            function.attributes.iter().filter_map(|attribute| match attribute {
                FunctionAttribute::Effects(text) => Some(*text),
                _ => None,
            })
        };
        if function.body.is_none() && effects().next().is_none() {
            self.text("\n\n");
            return;
        }
        self.text(" {\n");
        for effect in effects() {
            self.effect(effect);
        }
        if effects().any(|effect| is_argument_side_effect(self.context.text(effect)))
            && !effects().any(|effect| self.context.text(effect).starts_with("global:"))
        {
            self.text("[global: ]\n");
        }
        if let Some(body) = &function.body {
            BodyPrinter::new(self, module, body).commented(queries).with_ownership(queries, function).function_body();
        }
        self.text("} // end sil function '");
        self.name(function.name);
        self.text("'\n\n");
    }

    /// Whether a function's generic parameters are written with their names: those of a body are, and those of
    /// functions that Swift code declares elsewhere, which have mangled symbols.
    fn names_parameters(&self, function: &Function) -> bool {
        let symbol = self.context.text(function.name);
        function.body.is_some() || ["$s", "$S", "$e"].iter().any(|prefix| symbol.starts_with(prefix))
    }

    /// Writes a line about the effects of a function.
    fn effect(&mut self, effect: Name) {
        let text = self.context.text(effect);
        let Some(words) = text.strip_prefix("global:") else {
            self.number(format_args!("[{text}]\n"));
            return;
        };
        let mut words: Vec<&str> = words.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        words.sort_by_key(|word| GLOBAL_EFFECTS.iter().position(|known| known == word));
        self.number(format_args!("[global: {}]\n", words.join(",")));
    }

    /// Writes the isolation of the function as a line of its own, if it is stated. Attributes do not name the global
    /// actor.
    fn isolation_line(&mut self, function: &Function) {
        let stated = function.attributes.iter().find_map(|attribute| match attribute {
            FunctionAttribute::Isolation(isolation) => Some(*isolation),
            _ => None,
        });
        if let Some(isolation) = stated.filter(|_| self.has_comments()) {
            let actor = if isolation == FunctionIsolation::GlobalActor { ". type: <null>" } else { "" };
            self.number(format_args!("// Isolation: {}{actor}\n", isolation.name()));
        }
    }

    fn function_attribute(&mut self, attribute: &FunctionAttribute) {
        use FunctionAttribute::*;
        let (word, text, quoted) = match attribute {
            Flag(flag) => {
                self.number(format_args!("[{}] ", flag.name()));
                return;
            }
            Isolation(isolation) => {
                self.number(format_args!("[isolation \"{}\"] ", isolation.name()));
                return;
            }
            Effects(_) => return,
            Semantics(text) => ("_semantics ", text, true),
            AsmName(text) => ("asmname ", text, true),
            Section(text) => ("section ", text, true),
            DynamicReplacementFor(text) => ("dynamic_replacement_for ", text, true),
            ObjCReplacementFor(text) => ("objc_replacement_for ", text, true),
            AdHocRequirementWitness(text) => ("ref_adhoc_requirement_witness ", text, true),
            Specialize(text) => {
                let text = specialize_text(self.context.text(*text));
                self.number(format_args!("[_specialize {text}] "));
                return;
            }
            Clang(text) => ("clang ", text, false),
            Extern(text) => ("extern ", text, false),
            Available(text) => ("available ", text, false),
            Expose(text) => ("expose ", text, false),
        };
        let quote = if quoted { "\"" } else { "" };
        self.number(format_args!("[{word}{quote}{}{quote}] ", self.context.text(*text)));
    }

    /// Writes a linkage and a space, unless it is the default.
    pub(super) fn linkage(&mut self, linkage: Linkage, default: Linkage) {
        if linkage != default {
            self.text(linkage.name());
            self.text(" ");
        }
    }

    /// Writes `[serialized] ` and its like.
    pub(super) fn serialization(&mut self, serialization: Serialization) {
        self.text(match serialization {
            Serialization::None => "",
            Serialization::Serialized | Serialization::Serializable => "[serialized] ",
            Serialization::SerializedForPackage => "[serialized_for_package] ",
        });
    }

    /// Writes a global with its initialiser.
    pub fn global(&mut self, module: &Module, queries: &TypeQueries, global: &Global) {
        self.symbol_line("", global.name);
        if let Some(name) = global.clang_name {
            self.number(format_args!("// clang name: {}\n", self.context.text(name)));
        }
        self.text("sil_global ");
        self.linkage(global.linkage, Linkage::Public);
        self.serialization(global.serialization);
        if global.mutability == Mutability::Let {
            self.text("[let] ");
        }
        if global.used {
            self.text("[used] ");
        }
        for (word, text) in [("asmname", global.asm_name), ("section", global.section)] {
            if let Some(text) = text {
                self.number(format_args!("[{word} \"{}\"] ", self.context.text(text)));
            }
        }
        for attribute in &global.other_attributes {
            self.number(format_args!("[{}] ", self.context.text(*attribute)));
        }
        self.symbol(global.name);
        self.text(" : ");
        self.sil_type(SilType::object(global.ty));
        if let Some(body) = &global.initializer {
            self.text(" = {\n");
            BodyPrinter::new(self, module, body).commented(queries).initializer();
            self.text("}\n");
        }
        self.text("\n\n");
    }
}

/// Whether a line about effects is about the memory of an argument: `%0: read v**`, not `%0: noescape **`.
fn is_argument_side_effect(effect: &str) -> bool {
    let words = effect.strip_prefix('%').and_then(|rest| rest.split_once(':')).map(|(_, words)| words.trim_start());
    words.is_some_and(|words| GLOBAL_EFFECTS.iter().any(|known| words.starts_with(known)))
}

/// A specialisation with all its options: `exported: false, kind: full, where T == Int`.
fn specialize_text(written: &str) -> String {
    let (options, requirements) = match written.find("where ") {
        Some(at) => written.split_at(at),
        None => (written, ""),
    };
    let options: Vec<&str> = options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect();
    let option = |name: &str| options.iter().copied().find(|option| option.starts_with(name));
    let mut parts = vec![option("exported:").unwrap_or("exported: false"), option("kind:").unwrap_or("kind: full")];
    parts.extend(options.iter().filter(|option| !option.starts_with("exported:") && !option.starts_with("kind:")));
    let requirements = requirements.replace(" : ", ": ").replace(": ", " : ");
    if !requirements.is_empty() {
        parts.push(&requirements);
    }
    parts.join(", ")
}

/// The place of an attribute among the others (`SILFunction::print` of lib/SIL/IR/SILPrinter.cpp).
fn rank(attribute: &FunctionAttribute) -> u32 {
    use FunctionFlag::*;
    match attribute {
        FunctionAttribute::Flag(flag) => match flag {
            Transparent | ExportInterface => 0,
            Thunk | SignatureOptimizedThunk | ReabstractionThunk | BackDeployedThunk => 1,
            DynamicallyReplaceable => 2,
            Distributed => 3,
            RuntimeAccessible => 4,
            LexicalLifetimes => 5,
            NoStackPackMetadata => 6,
            UnsafeNonEscapableResult => 7,
            ExactSelfClass => 8,
            WithoutActuallyEscaping => 9,
            GlobalInit | GlobalInitOnce | LazyGetter => 10,
            WeakImported => 11,
            NoInline | AlwaysInline | HeuristicAlwaysInline => 13,
            OptimizeNone | OptimizeForSpeed | OptimizeForSize => 14,
            NoLocks | NoAllocation | NoRuntime | NoExistentials | NoObjCBridging => 15,
            PerformanceConstraint => 16,
            ReadNone | ReadOnly | ReadWrite | ReleaseNone => 17,
            MarkUsed | Used => 23,
            Canonical => 27,
            Ossa => 28,
            StackProtection => 29,
        },
        FunctionAttribute::Available(_) => 12,
        FunctionAttribute::DynamicReplacementFor(_) => 18,
        FunctionAttribute::AdHocRequirementWitness(_) => 19,
        FunctionAttribute::ObjCReplacementFor(_) => 20,
        FunctionAttribute::Semantics(_) => 21,
        FunctionAttribute::Specialize(_) => 22,
        FunctionAttribute::Section(_) | FunctionAttribute::AsmName(_) => 24,
        FunctionAttribute::Clang(_) => 25,
        FunctionAttribute::Extern(_)
        | FunctionAttribute::Expose(_)
        | FunctionAttribute::Isolation(_)
        | FunctionAttribute::Effects(_) => 26,
    }
}
