//! Functions, their bodies, blocks, values and instructions.

use cranelift_entity::PrimaryMap;

use super::order::{Ends, Links};
use super::{
    DebugLocation, Details, FunctionFlag, FunctionIsolation, FunctionPart, Linkage, LocationTraits, ScopeId,
    Serialization,
};
use crate::context::{Context, Name, SignatureId, SilType, SpecializationHistoryId, TypeId};
use crate::instructions::{AttributeSet, Opcode};
use crate::source::Span;

/// The number of a function in a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
cranelift_entity::entity_impl!(FunctionId, "function");

/// The number of a block in a body. The entry block is the first one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);
cranelift_entity::entity_impl!(BlockId, "bb");

/// The number of an instruction in a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstructionId(u32);
cranelift_entity::entity_impl!(InstructionId, "inst");

/// The number of a value in a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
cranelift_entity::entity_impl!(Value, "%");

/// A SIL function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The symbol.
    pub name: Name,
    /// Its lowered type: always a [`Type::Function`](crate::context::Type::Function).
    pub ty: TypeId,
    /// The generic signature with the names that the body uses, where it is generic.
    pub signature: Option<SignatureId>,
    /// Its linkage.
    pub linkage: Linkage,
    /// `[serialized]`
    pub serialization: Serialization,
    /// All other attributes.
    pub attributes: Vec<FunctionAttribute>,
    /// The body; none for a declaration.
    pub body: Option<Body>,
    /// `!function_entry_count(1)`: how often a profile saw it called.
    pub entry_count: Option<u64>,
    /// The function that a pass made it of, if it is a specialisation; text does not show that.
    pub specialized_from: Option<SpecializationHistoryId>,
    /// The scope that the function's own line names.
    pub scope: Option<ScopeId>,
    /// The `sil` line, without the body.
    pub span: Span,
}

impl Function {
    /// Whether the flag is among the attributes.
    pub fn has(&self, flag: FunctionFlag) -> bool {
        self.attributes.iter().any(|attribute| matches!(attribute, FunctionAttribute::Flag(found) if *found == flag))
    }

    /// The semantics of the function for passes: the texts of its `[_semantics "…"]`, in written order.
    pub fn semantics<'f>(&'f self, context: &'f Context) -> impl Iterator<Item = &'f str> {
        self.attributes.iter().filter_map(|attribute| match attribute {
            FunctionAttribute::Semantics(name) => Some(context.text(*name)),
            _ => None,
        })
    }
}

/// The names of the function that a program begins with: as in C, and as in WebAssembly's C ABI, where Swift names it
/// so.
pub const ENTRY_POINT_NAMES: [&str; 2] = ["main", "__main_argc_argv"];

/// An attribute of a `sil` function, in written order (docs/SIL/FunctionAttributes.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionAttribute {
    /// `[transparent]`, `[ossa]`, …
    Flag(FunctionFlag),
    /// `[_semantics "x"]`
    Semantics(Name),
    /// `[_specialize exported: false, kind: full, where T == Int]` as written.
    Specialize(Name),
    /// `[clang name]`
    Clang(Name),
    /// `[asmname "x"]`
    AsmName(Name),
    /// `[extern "m" "n"]`: the names as written.
    Extern(Name),
    /// `[section "x"]`
    Section(Name),
    /// `[weak_imported]` has a flag; `[available 10.5]` is this.
    Available(Name),
    /// `[global_init]` has a flag; `[lazy_getter]` too. `[dynamic_replacement_for "f"]`
    DynamicReplacementFor(Name),
    /// `[objc_replacement_for "f"]`
    ObjCReplacementFor(Name),
    /// `[ref_adhoc_requirement_witness "f"]`
    AdHocRequirementWitness(Name),
    /// `[expose "wasm" "n"]`, as written.
    Expose(Name),
    /// `[isolation "nonisolated"]`
    Isolation(FunctionIsolation),
    /// `[%0: noescape **, read v**]`, `[global: read]` inside the body, as written.
    Effects(Name),
}

/// The body of a function or of a global's initialiser.
#[derive(Clone, Default, Debug)]
pub struct Body {
    /// The values: block arguments and results of instructions.
    pub values: PrimaryMap<Value, ValueData>,
    /// The blocks, in textual order.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The instructions, in textual order as read; the lists of the blocks have the order that counts.
    pub instructions: PrimaryMap<InstructionId, Instruction>,
    pub(super) operand_pool: Vec<Value>,
    pub(crate) type_pool: Vec<SilType>,
    pub(crate) target_pool: Vec<BlockId>,
}

/// A block.
#[derive(Clone, Default, Debug)]
pub struct Block {
    /// Its arguments. Those of the entry block are the function's.
    pub arguments: Vec<Value>,
    /// The ends of the list of its instructions.
    pub(super) ends: Ends,
    /// The label, where it is a word.
    pub label: Option<Name>,
    /// The place of the label; none for blocks that a transformation made.
    pub span: Option<Span>,
}

/// The facts about a value.
#[derive(Clone, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: SilType,
    /// Where it comes from.
    pub definition: Definition,
    /// `@owned`, `@guaranteed` on a block argument; of an instruction's result, the ownership of its kind.
    pub ownership: Ownership,
    /// The name, where it is a word, `%self`, or `specify_test` speaks of it.
    pub name: Option<Name>,
    /// The flags of a block argument beyond its ownership.
    pub flags: ArgumentFlags,
}

/// A flag of a block argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum ArgumentFlag {
    /// `@noImplicitCopy`
    NoImplicitCopy,
    /// `@_lexical`
    Lexical,
    /// `@_eagerMove`
    EagerMove,
    /// `@closureCapture`
    ClosureCapture,
    /// `@reborrow`
    Reborrow,
    /// `@pointer_escape`
    PointerEscape,
    /// The address for a result that a pass gave the function: only comments show it.
    ReturnValue,
}

impl ArgumentFlag {
    /// All flags that are written, in the order in which they are printed.
    pub const ALL: &'static [ArgumentFlag] = &[
        ArgumentFlag::NoImplicitCopy,
        ArgumentFlag::Lexical,
        ArgumentFlag::EagerMove,
        ArgumentFlag::ClosureCapture,
        ArgumentFlag::Reborrow,
        ArgumentFlag::PointerEscape,
    ];

    /// The spelling, with its sign.
    pub const fn name(self) -> &'static str {
        match self {
            ArgumentFlag::NoImplicitCopy => "@noImplicitCopy",
            ArgumentFlag::Lexical => "@_lexical",
            ArgumentFlag::EagerMove => "@_eagerMove",
            ArgumentFlag::ClosureCapture => "@closureCapture",
            ArgumentFlag::Reborrow => "@reborrow",
            ArgumentFlag::PointerEscape => "@pointer_escape",
            ArgumentFlag::ReturnValue => "$return_value",
        }
    }

    /// The flag that is spelled `name`.
    pub fn from_name(name: &str) -> Option<ArgumentFlag> {
        Self::ALL.iter().copied().find(|flag| flag.name() == name)
    }
}

/// A set of flags of a block argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct ArgumentFlags(u8);

impl ArgumentFlags {
    /// Adds `flag`.
    pub fn insert(&mut self, flag: ArgumentFlag) {
        self.0 |= 1 << flag as u8;
    }

    /// Removes `flag`.
    pub fn remove(&mut self, flag: ArgumentFlag) {
        self.0 &= !(1 << flag as u8);
    }

    /// Whether `flag` is there.
    pub fn contains(self, flag: ArgumentFlag) -> bool {
        self.0 & (1 << flag as u8) != 0
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// The result number `index` of an instruction.
    Result { instruction: InstructionId, index: u32 },
    /// The argument number `index` of a block.
    Argument { block: BlockId, index: u32 },
    /// `undef`
    Undef,
}

/// The ownership kind of a value (docs/SIL/Ownership.md).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ownership {
    /// Trivial, an address, or the function has no ownership.
    None,
    /// `@owned`
    Owned,
    /// `@guaranteed`
    Guaranteed,
    /// `@unowned`
    Unowned,
}

impl Ownership {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Ownership::None => "none",
            Ownership::Owned => "owned",
            Ownership::Guaranteed => "guaranteed",
            Ownership::Unowned => "unowned",
        }
    }
}

/// A range of a pool of the body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct PoolRange {
    pub(crate) start: u32,
    pub(crate) count: u32,
}

impl PoolRange {
    pub(crate) fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.count) as usize]
    }
}

/// An instruction. Operands, written types and targets lie in the body's pools.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The kind.
    pub opcode: Opcode,
    /// The attributes in brackets.
    pub attributes: AttributeSet,
    /// All parts that the other fields do not have.
    pub details: Details,
    pub(crate) operands: PoolRange,
    pub(crate) types: PoolRange,
    pub(crate) targets: PoolRange,
    pub(crate) results: PoolRange,
    /// The block that it stands in.
    pub block: BlockId,
    /// Its neighbours there.
    pub(super) links: Links,
    /// `loc …, scope …`
    pub location: Option<DebugLocation>,
    /// Its facts that no text states.
    pub traits: LocationTraits,
    /// Where it is in the text: the instruction from its opcode.
    pub span: Span,
}

impl Instruction {
    /// Takes it for something that the compiler made and that stands nowhere in the source. Where there are no
    /// locations there stay none.
    pub fn locate_automatically(&mut self) {
        if let Some(location) = &mut self.location {
            (location.place, location.automatic) = (None, true);
        }
    }
}

impl Body {
    /// The operands, in textual order. `br`: the arguments; `cond_br`: condition, true and false arguments;
    /// applies: the callee, then the arguments; `select_enum`: the enum, then the values per case and default.
    pub fn operands(&self, instruction: InstructionId) -> &[Value] {
        self.instructions[instruction].operands.of(&self.operand_pool)
    }

    /// The operands, to be replaced one by one.
    pub fn operands_mut(&mut self, instruction: InstructionId) -> &mut [Value] {
        let range = self.instructions[instruction].operands;
        &mut self.operand_pool[range.start as usize..(range.start + range.count) as usize]
    }

    /// The operands of all instructions, in the order of the pool that holds them.
    pub fn all_operands_mut(&mut self) -> &mut [Value] {
        &mut self.operand_pool
    }

    /// The types that are written as `$T` (not those after operands), in textual order.
    pub fn types(&self, instruction: InstructionId) -> &[SilType] {
        self.instructions[instruction].types.of(&self.type_pool)
    }

    /// The types that are written, to be replaced one by one.
    pub fn types_mut(&mut self, instruction: InstructionId) -> &mut [SilType] {
        let range = self.instructions[instruction].types;
        &mut self.type_pool[range.start as usize..(range.start + range.count) as usize]
    }

    /// The successors. `cond_br`: true, false; `switch_*`: a block per case, then the default's;
    /// `try_apply`: normal, error; casts: success, failure; `yield`: resume, unwind.
    pub fn targets(&self, instruction: InstructionId) -> &[BlockId] {
        self.instructions[instruction].targets.of(&self.target_pool)
    }

    /// The successors, to be replaced one by one.
    pub fn targets_mut(&mut self, instruction: InstructionId) -> &mut [BlockId] {
        let range = self.instructions[instruction].targets;
        &mut self.target_pool[range.start as usize..(range.start + range.count) as usize]
    }

    /// The results, in order.
    pub fn results(&self, instruction: InstructionId) -> impl ExactSizeIterator<Item = Value> + use<> {
        let range = self.instructions[instruction].results;
        (range.start..range.start + range.count).map(Value::from_u32)
    }

    /// The only result of an instruction that has exactly one.
    pub fn result(&self, instruction: InstructionId) -> Option<Value> {
        let range = self.instructions[instruction].results;
        (range.count == 1).then(|| Value::from_u32(range.start))
    }

    /// The type of `value`.
    pub fn ty(&self, value: Value) -> SilType {
        self.values[value].ty
    }

    /// The entry block.
    pub fn entry(&self) -> BlockId {
        BlockId::from_u32(0)
    }

    /// The instruction that defines `value`, where one does.
    pub fn defining(&self, value: Value) -> Option<InstructionId> {
        match self.values[value].definition {
            Definition::Result { instruction, .. } => Some(instruction),
            Definition::Argument { .. } | Definition::Undef => None,
        }
    }

    /// The block that `value` is defined in; none for `undef`.
    pub fn defining_block(&self, value: Value) -> Option<BlockId> {
        match self.values[value].definition {
            Definition::Result { instruction, .. } => Some(self.instructions[instruction].block),
            Definition::Argument { block, .. } => Some(block),
            Definition::Undef => None,
        }
    }
}

/// A new instruction, before it has a place in a body.
pub struct NewInstruction<'a> {
    /// The kind.
    pub opcode: Opcode,
    /// The attributes.
    pub attributes: AttributeSet,
    /// The details.
    pub details: Details,
    /// The operands.
    pub operands: &'a [Value],
    /// The written types.
    pub types: &'a [SilType],
    /// The successors.
    pub targets: &'a [BlockId],
    /// The types of the results.
    pub results: &'a [SilType],
    /// The place in the text.
    pub span: Span,
    /// The debug location.
    pub location: Option<DebugLocation>,
    /// Its facts that no text states.
    pub traits: LocationTraits,
}

impl Body {
    /// Appends an instruction to the end of `block` and makes its results. Results have no ownership until it is
    /// computed.
    pub fn append(&mut self, block: BlockId, new: NewInstruction<'_>) -> InstructionId {
        let id = self.make(block, new);
        self.push(block, id);
        id
    }

    /// Makes an instruction that stands nowhere yet, and its results.
    pub(super) fn make(&mut self, block: BlockId, new: NewInstruction<'_>) -> InstructionId {
        let id = self.instructions.next_key();
        let part = match new.opcode {
            Opcode::AllocStack | Opcode::AllocBox => FunctionPart::Prologue,
            _ => new.traits.part,
        };
        let operands = extend(&mut self.operand_pool, new.operands);
        let types = extend(&mut self.type_pool, new.types);
        let targets = extend(&mut self.target_pool, new.targets);
        let start = self.values.len() as u32;
        for (index, ty) in new.results.iter().enumerate() {
            let definition = Definition::Result { instruction: id, index: index as u32 };
            self.values.push(ValueData {
                ty: *ty,
                definition,
                ownership: Ownership::None,
                name: None,
                flags: ArgumentFlags::default(),
            });
        }
        let results = PoolRange { start, count: new.results.len() as u32 };
        self.instructions.push(Instruction {
            opcode: new.opcode,
            attributes: new.attributes,
            details: new.details,
            operands,
            types,
            targets,
            results,
            block,
            links: Links::default(),
            location: new.location,
            traits: LocationTraits { part, ..new.traits },
            span: new.span,
        });
        id
    }

    /// Adds an argument to `block`.
    pub fn add_argument(&mut self, block: BlockId, ty: SilType, ownership: Ownership) -> Value {
        let index = self.blocks[block].arguments.len() as u32;
        let definition = Definition::Argument { block, index };
        let value =
            self.values.push(ValueData { ty, definition, ownership, name: None, flags: ArgumentFlags::default() });
        self.blocks[block].arguments.push(value);
        value
    }

    /// A new `undef` of type `ty`.
    pub fn undef(&mut self, ty: SilType) -> Value {
        let definition = Definition::Undef;
        self.values.push(ValueData {
            ty,
            definition,
            ownership: Ownership::None,
            name: None,
            flags: ArgumentFlags::default(),
        })
    }
}

impl Body {
    /// Makes room for about this many instructions.
    pub fn reserve(&mut self, instructions: usize) {
        self.instructions.reserve(instructions);
        self.values.reserve(instructions);
        self.operand_pool.reserve(instructions);
    }

    /// Gives back the room that is not needed.
    pub fn shrink(&mut self) {
        self.instructions.shrink_to_fit();
        self.values.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.operand_pool.shrink_to_fit();
        self.type_pool.shrink_to_fit();
        self.target_pool.shrink_to_fit();
    }

    /// Brings the blocks into the order `order`, in which every block that has a definition stands once; others come
    /// last.
    pub fn reorder_blocks(&mut self, order: &[BlockId]) {
        if order.iter().enumerate().all(|(index, block)| block.as_u32() as usize == index) {
            return;
        }
        let mut old: Vec<Option<Block>> =
            std::mem::take(&mut self.blocks).into_iter().map(|(_, block)| Some(block)).collect();
        let mut place = vec![None; old.len()];
        let rest = (0..old.len() as u32).map(BlockId::from_u32);
        for block in order.iter().copied().chain(rest) {
            let index = block.as_u32() as usize;
            if let Some(data) = old[index].take() {
                place[index] = Some(self.blocks.push(data));
            }
        }
        // An erased instruction may name blocks that are gone.
        let moved = |block: BlockId| place.get(block.as_u32() as usize).copied().flatten().unwrap_or(block);
        for target in &mut self.target_pool {
            *target = moved(*target);
        }
        for instruction in self.instructions.values_mut() {
            instruction.block = moved(instruction.block);
        }
        for value in self.values.values_mut() {
            if let Definition::Argument { block, .. } = &mut value.definition {
                *block = moved(*block);
            }
        }
    }
}

pub(super) fn extend<T: Copy>(pool: &mut Vec<T>, items: &[T]) -> PoolRange {
    let start = pool.len() as u32;
    pool.extend_from_slice(items);
    PoolRange { start, count: items.len() as u32 }
}
