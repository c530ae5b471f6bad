//! Metadata: what is known of single instructions (TBAA, alias scopes, branch weights, ranges), and module flags.
//! Formats are LLVM's (LangRef, "Metadata").

use inkwell::context::Context;
use inkwell::module::{FlagBehavior, Module};
use inkwell::types::IntType;
use inkwell::values::{BasicMetadataValueEnum, BasicValue, InstructionValue, MetadataValue};

/// A fact about one instruction.
#[derive(Debug, Clone, Copy)]
pub enum Fact<'ctx> {
    /// The memory accessed, by type: an access tag made by [`Tbaa`].
    Tbaa(MetadataValue<'ctx>),
    /// The access is to these scopes: a list made by [`scope_list`].
    AliasScope(MetadataValue<'ctx>),
    /// The access is to none of these scopes.
    NoAlias(MetadataValue<'ctx>),
    /// How often each way is taken, for conditional branches (then, else), switches (default first) and selects.
    BranchWeights(&'ctx [u32]),
    /// The loaded or returned integer is in `low..high`.
    Range {
        /// The integer's type, at most 64 bits wide.
        integer: IntType<'ctx>,
        /// The least value.
        low: u64,
        /// One more than the greatest value.
        high: u64,
    },
    /// The loaded pointer is not null.
    NonNull,
    /// The loaded value is neither undef nor poison.
    NoUndef,
    /// So many bytes can be read from the loaded pointer.
    Dereferenceable(u64),
    /// The loaded pointer is aligned to so many bytes.
    Alignment(u64),
    /// The memory never changes after the load could first happen.
    InvariantLoad,
    /// The branch is unpredictable: a select is better.
    Unpredictable,
    /// Not to be instrumented by sanitizers.
    NoSanitize,
}

/// Attaches facts to the instruction that computes `value`; nothing where it was folded to a constant.
pub fn attach_to_value<'ctx>(context: &'ctx Context, value: impl BasicValue<'ctx>, facts: &[Fact<'ctx>]) {
    if let Some(instruction) = value.as_instruction_value() {
        attach(context, instruction, facts);
    }
}

/// Attaches facts to an instruction.
pub fn attach<'ctx>(context: &'ctx Context, instruction: InstructionValue<'ctx>, facts: &[Fact<'ctx>]) {
    for fact in facts {
        let (kind, node) = lower(context, *fact);
        // Fails only for nodes that are no nodes, which `lower` does not make.
        let _ = instruction.set_metadata(node, context.get_kind_id(kind));
    }
}

fn lower<'ctx>(context: &'ctx Context, fact: Fact<'ctx>) -> (&'static str, MetadataValue<'ctx>) {
    let flag = || context.metadata_node(&[]);
    let number = |value| context.metadata_node(&[context.i64_type().const_int(value, false).into()]);
    match fact {
        Fact::Tbaa(tag) => ("tbaa", tag),
        Fact::AliasScope(scopes) => ("alias.scope", scopes),
        Fact::NoAlias(scopes) => ("noalias", scopes),
        Fact::BranchWeights(weights) => ("prof", branch_weights(context, weights)),
        Fact::Range { integer, low, high } => {
            let bounds = [integer.const_int(low, false).into(), integer.const_int(high, false).into()];
            ("range", context.metadata_node(&bounds))
        }
        Fact::NonNull => ("nonnull", flag()),
        Fact::NoUndef => ("noundef", flag()),
        Fact::Dereferenceable(bytes) => ("dereferenceable", number(bytes)),
        Fact::Alignment(bytes) => ("align", number(bytes)),
        Fact::InvariantLoad => ("invariant.load", flag()),
        Fact::Unpredictable => ("unpredictable", flag()),
        Fact::NoSanitize => ("nosanitize", flag()),
    }
}

fn branch_weights<'ctx>(context: &'ctx Context, weights: &[u32]) -> MetadataValue<'ctx> {
    let integer = context.i32_type();
    let mut operands: Vec<BasicMetadataValueEnum<'ctx>> = vec![context.metadata_string("branch_weights").into()];
    operands
        .extend(weights.iter().map(|&weight| BasicMetadataValueEnum::from(integer.const_int(weight.into(), false))));
    context.metadata_node(&operands)
}

/// A tree of types for type-based alias analysis: accesses to types of which neither is above the other in the
/// tree do not alias. Names identify nodes, also across modules that are linked.
#[derive(Debug, Clone, Copy)]
pub struct Tbaa<'ctx> {
    context: &'ctx Context,
    root: MetadataValue<'ctx>,
}

/// A node in a [`Tbaa`] tree.
#[derive(Debug, Clone, Copy)]
pub struct TbaaType<'ctx>(MetadataValue<'ctx>);

impl<'ctx> Tbaa<'ctx> {
    /// A tree of its own: nothing in it is known to differ from what is in other trees.
    pub fn new(context: &'ctx Context, name: &str) -> Tbaa<'ctx> {
        Tbaa { context, root: context.metadata_node(&[context.metadata_string(name).into()]) }
    }

    /// A type below `parent`, or directly below the root.
    pub fn scalar(&self, name: &str, parent: Option<TbaaType<'ctx>>) -> TbaaType<'ctx> {
        let parent = parent.map_or(self.root, |parent| parent.0);
        let name = self.context.metadata_string(name);
        TbaaType(self.context.metadata_node(&[name.into(), parent.into(), self.offset(0)]))
    }

    /// A struct with fields at these offsets in bytes, in order of offset.
    pub fn aggregate(&self, name: &str, fields: &[(TbaaType<'ctx>, u64)]) -> TbaaType<'ctx> {
        let mut operands: Vec<BasicMetadataValueEnum<'ctx>> = vec![self.context.metadata_string(name).into()];
        for (field, offset) in fields {
            operands.push(field.0.into());
            operands.push(self.offset(*offset));
        }
        TbaaType(self.context.metadata_node(&operands))
    }

    /// The tag of an access to a scalar, for [`Fact::Tbaa`].
    pub fn access(&self, scalar: TbaaType<'ctx>) -> MetadataValue<'ctx> {
        self.access_in(scalar, scalar, 0)
    }

    /// The tag of an access to a scalar at an offset in bytes within an aggregate.
    pub fn access_in(&self, base: TbaaType<'ctx>, scalar: TbaaType<'ctx>, offset: u64) -> MetadataValue<'ctx> {
        self.context.metadata_node(&[base.0.into(), scalar.0.into(), self.offset(offset)])
    }

    fn offset(&self, bytes: u64) -> BasicMetadataValueEnum<'ctx> {
        self.context.i64_type().const_int(bytes, false).into()
    }
}

/// A domain of alias scopes, such as one function. The name has to be unique in the program.
pub fn alias_domain<'ctx>(context: &'ctx Context, name: &str) -> MetadataValue<'ctx> {
    context.metadata_node(&[context.metadata_string(name).into()])
}

/// A scope within a domain, such as one parameter. The name has to be unique in the program.
pub fn alias_scope<'ctx>(context: &'ctx Context, name: &str, domain: MetadataValue<'ctx>) -> MetadataValue<'ctx> {
    context.metadata_node(&[context.metadata_string(name).into(), domain.into()])
}

/// A list of scopes for [`Fact::AliasScope`] and [`Fact::NoAlias`].
pub fn scope_list<'ctx>(context: &'ctx Context, scopes: &[MetadataValue<'ctx>]) -> MetadataValue<'ctx> {
    let scopes: Vec<BasicMetadataValueEnum<'ctx>> = scopes.iter().map(|&scope| scope.into()).collect();
    context.metadata_node(&scopes)
}

/// What linking two modules with one flag does (`!llvm.module.flags`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagMerge {
    /// Different values are an error.
    Error,
    /// Different values are a warning.
    Warning,
    /// The greater value wins.
    Maximum,
    /// The lesser value wins.
    Minimum,
}

/// Adds a module flag with an `i32` value.
pub fn add_module_flag<'ctx>(context: &'ctx Context, module: &Module<'ctx>, merge: FlagMerge, name: &str, value: u32) {
    // inkwell's enum counts from 0 as LLVM's C API does, and lacks the last two.
    let integer = context.i32_type().const_int(value.into(), false);
    match merge {
        FlagMerge::Error => module.add_basic_value_flag(name, FlagBehavior::Error, integer),
        FlagMerge::Warning => module.add_basic_value_flag(name, FlagBehavior::Warning, integer),
        FlagMerge::Maximum => add_raw_flag(context, module, MAXIMUM, name, value),
        FlagMerge::Minimum => add_raw_flag(context, module, MINIMUM, name, value),
    }
}

// `ModFlagBehavior`, llvm/IR/Module.h.
const MAXIMUM: u64 = 7;
const MINIMUM: u64 = 8;

/// Writes the flag's node itself, since LLVM's C API knows only the first six ways to merge.
fn add_raw_flag<'ctx>(context: &'ctx Context, module: &Module<'ctx>, merge: u64, name: &str, value: u32) {
    let integer = context.i32_type();
    let flag = context.metadata_node(&[
        integer.const_int(merge, false).into(),
        context.metadata_string(name).into(),
        integer.const_int(value.into(), false).into(),
    ]);
    // Fails only for values that are no node.
    let _ = module.add_global_metadata("llvm.module.flags", &flag);
}
