//! A constructor for each kind of instruction that passes make: its parts by name, its type from the instruction table
//! where that states it.
//!
//! Does not own: the place of instructions and their debug locations (the builder itself).

use sil_ir::context::{DifferentiabilityIndices, MemberId, Name, SilType, TypeId};
use sil_ir::instructions::{Opcode, ResultRule};
use sil_ir::model::views::GlobalReference;
use sil_ir::model::{
    Apply, BlockId, Builtin, Cast, DebugVariable, DerivativeConfiguration, Details, EnumCases, Extractee,
    InstructionId, Method, NewInstruction, StringLiteral, Value,
};

use super::InstructionBuilder;

/// Makes a constructor of each row `name = Opcode(operand, …; detail: Type => details)`, in one of four groups:
/// instructions without a result, with a result of the type that the table infers from operands, of a type that the
/// text has, and of a type that only the caller knows. A row in a group that the table contradicts does not compile.
macro_rules! constructors {
    ($(
        $group:ident {
            $($name:ident = $opcode:ident($($operand:ident),*) $(, $detail:ident: $ty:ty => $details:expr)?;)*
        }
    )*) => {
        $($(constructor! { $group $name $opcode ($($operand),*) ($($detail: $ty => $details)?) })*)*
    };
}

macro_rules! constructor {
    (effects $name:ident $opcode:ident ($($operand:ident),*) ($($detail:ident: $ty:ty => $details:expr)?)) => {
        impl InstructionBuilder<'_> {
            #[doc = concat!("`", stringify!($name), "`")]
            pub fn $name(&mut self, $($operand: Value,)* $($detail: $ty)?) -> InstructionId {
                const { assert!(matches!(Opcode::$opcode.information().result, ResultRule::None)) };
                self.insert(Opcode::$opcode, constructor!(@details $($details)?), &[$($operand),*], &[])
            }
        }
    };
    (inferred $name:ident $opcode:ident ($($operand:ident),*) ($($detail:ident: $ty:ty => $details:expr)?)) => {
        impl InstructionBuilder<'_> {
            #[doc = concat!("`", stringify!($name), "`")]
            pub fn $name(&mut self, $($operand: Value,)* $($detail: $ty)?) -> Value {
                const {
                    let rule = Opcode::$opcode.information().result;
                    assert!(matches!(rule, ResultRule::Operand(_) | ResultRule::ObjectOf(_)));
                };
                self.insert_value(Opcode::$opcode, constructor!(@details $($details)?), &[$($operand),*], &[])
            }
        }
    };
    (written $name:ident $opcode:ident ($($operand:ident),*) ($($detail:ident: $ty:ty => $details:expr)?)) => {
        impl InstructionBuilder<'_> {
            #[doc = concat!("`", stringify!($name), "` with the type that its text has.")]
            pub fn $name(&mut self, $($operand: Value,)* $($detail: $ty,)? written: SilType) -> Value {
                const {
                    let rule = Opcode::$opcode.information().result;
                    assert!(matches!(rule, ResultRule::Written(0) | ResultRule::AddressOf(0)));
                };
                self.insert_value(Opcode::$opcode, constructor!(@details $($details)?), &[$($operand),*], &[written])
            }
        }
    };
    (given $name:ident $opcode:ident ($($operand:ident),*) ($($detail:ident: $ty:ty => $details:expr)?)) => {
        impl InstructionBuilder<'_> {
            #[doc = concat!("`", stringify!($name), "` with a result of type `result`.")]
            pub fn $name(&mut self, $($operand: Value,)* $($detail: $ty,)? result: SilType) -> Value {
                const { assert!(matches!(Opcode::$opcode.information().result, ResultRule::Own | ResultRule::Builtin(_))) };
                let details = constructor!(@details $($details)?);
                self.insert_value_of_type(Opcode::$opcode, details, &[$($operand),*], &[], result)
            }
        }
    };
    (@details) => { Details::None };
    (@details $details:expr) => { $details };
}

constructors! {
    effects {
        destroy_value = DestroyValue(value);
        end_borrow = EndBorrow(borrow);
        end_lifetime = EndLifetime(value);
        extend_lifetime = ExtendLifetime(value);
        fix_lifetime = FixLifetime(value);
        destroy_addr = DestroyAddr(address);
        store = Store(source, destination);
        store_weak = StoreWeak(source, destination);
        store_unowned = StoreUnowned(source, destination);
        copy_addr = CopyAddr(source, destination);
        mark_dependence_addr = MarkDependenceAddr(address, base);
        end_access = EndAccess(access);
        dealloc_stack = DeallocStack(memory);
        dealloc_box = DeallocBox(owner);
        dealloc_ref = DeallocRef(object);
        dealloc_stack_ref = DeallocStackRef(object);
        dealloc_partial_ref = DeallocPartialRef(object, class);
        dealloc_pack = DeallocPack(pack);
        dealloc_pack_metadata = DeallocPackMetadata(metadata);
        strong_retain = StrongRetain(reference);
        strong_release = StrongRelease(reference);
        retain_value = RetainValue(value);
        release_value = ReleaseValue(value);
        autorelease_value = AutoreleaseValue(value);
        abort_apply = AbortApply(token);
        end_cow_mutation_addr = EndCowMutationAddr(address);
        debug_step = DebugStep();
        cond_fail = CondFail(condition), message: &str => Details::Message(message.into());
        inject_enum_addr = InjectEnumAddr(address), case: MemberId => Details::Member(case);
        unconditional_checked_cast_addr = UnconditionalCheckedCastAddr(source, destination),
            cast: Box<Cast> => Details::Cast(cast);
        unreachable = Unreachable();
        return_value = Return(value);
        throw = Throw(error);
        throw_addr = ThrowAddr();
        unwind = Unwind();
    }
    inferred {
        copy_value = CopyValue(value);
        move_value = MoveValue(value);
        begin_borrow = BeginBorrow(value);
        drop_deinit = DropDeinit(value);
        load = Load(address);
        load_borrow = LoadBorrow(address);
        begin_access = BeginAccess(address);
        mark_uninitialized = MarkUninitialized(address);
        mark_unresolved_non_copyable_value = MarkUnresolvedNonCopyableValue(value);
        mark_dependence = MarkDependence(value, base);
        end_cow_mutation = EndCowMutation(reference);
        end_init_let_ref = EndInitLetRef(object);
        begin_dealloc_ref = BeginDeallocRef(object, allocation);
        copy_block = CopyBlock(block);
        index_addr = IndexAddr(base, index);
    }
    written {
        upcast = Upcast(reference);
        unchecked_ref_cast = UncheckedRefCast(reference);
        unchecked_addr_cast = UncheckedAddrCast(address);
        unchecked_trivial_bit_cast = UncheckedTrivialBitCast(value);
        address_to_pointer = AddressToPointer(address);
        pointer_to_address = PointerToAddress(pointer);
        convert_function = ConvertFunction(function);
        thin_to_thick_function = ThinToThickFunction(function);
        metatype = Metatype();
        value_metatype = ValueMetatype(value);
        init_existential_metatype = InitExistentialMetatype(metatype);
        init_existential_ref = InitExistentialRef(reference), concrete: TypeId => Details::FormalType(concrete);
        alloc_box = AllocBox();
        alloc_existential_box = AllocExistentialBox(), concrete: TypeId => Details::FormalType(concrete);
        project_existential_box = ProjectExistentialBox(existential);
        open_existential_addr = OpenExistentialAddr(existential);
        open_existential_ref = OpenExistentialRef(existential);
        open_existential_box = OpenExistentialBox(existential);
        tuple_pack_element_addr = TuplePackElementAddr(index, pack);
        base_addr_for_offset = BaseAddrForOffset();
        alloc_pack_metadata = AllocPackMetadata();
        integer_literal = IntegerLiteral(), value: i128 => Details::Integer(value);
        float_literal = FloatLiteral(), bits: u128 => Details::Float(bits);
        function_ref = FunctionRef(), function: Name => Details::Function(function);
        global_addr = GlobalAddr(), global: GlobalReference => Details::Global(global.name, global.id);
        global_value = GlobalValue(), global: GlobalReference => Details::Global(global.name, global.id);
    }
    given {
        struct_extract = StructExtract(value), field: MemberId => Details::Member(field);
        struct_element_addr = StructElementAddr(address), field: MemberId => Details::Member(field);
        ref_element_addr = RefElementAddr(object), field: MemberId => Details::Member(field);
        tuple_extract = TupleExtract(value), index: u32 => Details::Index(index);
        tuple_element_addr = TupleElementAddr(address), index: u32 => Details::Index(index);
        project_box = ProjectBox(owner), field: u32 => Details::Index(field);
        unchecked_enum_data = UncheckedEnumData(value), case: MemberId => Details::Member(case);
        init_enum_data_addr = InitEnumDataAddr(address), case: MemberId => Details::Member(case);
        unchecked_take_enum_data_addr = UncheckedTakeEnumDataAddr(address), case: MemberId => Details::Member(case);
        init_existential_addr = InitExistentialAddr(address), concrete: TypeId => Details::FormalType(concrete);
        end_apply = EndApply(token);
        implicitactor_to_opaqueisolation_cast = ImplicitactorToOpaqueisolationCast(actor);
        moveonlywrapper_to_copyable = MoveonlywrapperToCopyable(value);
        destroy_not_escaped_closure = DestroyNotEscapedClosure(closure);
        string_literal = StringLiteral(), literal: Box<StringLiteral> => Details::String(literal);
        differentiable_function_extract = DifferentiableFunctionExtract(function),
            extractee: Extractee => Details::Extractee(extractee);
        differentiability_witness_function = DifferentiabilityWitnessFunction(),
            witness: (Extractee, Box<DerivativeConfiguration>) => Details::DifferentiabilityWitness(witness.0, witness.1);
    }
}

/// Constructors with several operands of one meaning, or with more than one detail.
impl InstructionBuilder<'_> {
    /// `alloc_stack` of memory for values of type `object`.
    pub fn alloc_stack(&mut self, object: SilType, variable: Option<Box<DebugVariable>>) -> Value {
        let details = variable.map_or(Details::None, Details::Variable);
        self.insert_value(Opcode::AllocStack, details, &[], &[object.object_type()])
    }

    /// `alloc_ref` of an object of type `class`, with so many tail elements of each of these types.
    pub fn alloc_ref(&mut self, tail_counts: &[Value], tail_types: &[SilType], class: SilType) -> Value {
        let types = [tail_types, &[class]].concat();
        let details = Details::TailElements(tail_counts.len() as u32);
        self.insert_value_of_type(Opcode::AllocRef, details, tail_counts, &types, class)
    }

    /// `debug_value`
    pub fn debug_value(&mut self, value: Value, variable: Option<Box<DebugVariable>>) -> InstructionId {
        let details = variable.map_or(Details::None, Details::Variable);
        self.insert(Opcode::DebugValue, details, &[value], &[])
    }

    /// `store_borrow`, whose result is the address.
    pub fn store_borrow(&mut self, source: Value, destination: Value) -> Value {
        self.insert_value(Opcode::StoreBorrow, Details::None, &[source, destination], &[])
    }

    /// `borrowed`: a value, and the values that it is borrowed from.
    pub fn borrowed(&mut self, value: Value, enclosing: &[Value]) -> Value {
        let operands = [&[value], enclosing].concat();
        self.insert_value(Opcode::Borrowed, Details::None, &operands, &[])
    }

    /// `tuple` of type `result`.
    pub fn tuple(&mut self, elements: &[Value], result: SilType) -> Value {
        self.insert_value_of_type(Opcode::Tuple, Details::None, elements, &[], result)
    }

    /// `vector` of type `result`.
    pub fn vector(&mut self, elements: &[Value], result: SilType) -> Value {
        self.insert_value_of_type(Opcode::Vector, Details::None, elements, &[], result)
    }

    /// `struct` of type `written`.
    pub fn structure(&mut self, fields: &[Value], written: SilType) -> Value {
        self.insert_value(Opcode::Struct, Details::None, fields, &[written])
    }

    /// `object` of class `written`, with tail elements after its `base_elements`.
    pub fn object(&mut self, base_elements: &[Value], tail_elements: &[Value], written: SilType) -> Value {
        let operands = [base_elements, tail_elements].concat();
        let details = Details::BaseElements(base_elements.len() as u32);
        self.insert_value(Opcode::Object, details, &operands, &[written])
    }

    /// `enum` of type `written`.
    pub fn enumeration(&mut self, case: MemberId, payload: Option<Value>, written: SilType) -> Value {
        self.insert_value(Opcode::Enum, Details::Member(case), payload.as_slice(), &[written])
    }

    /// `destructure_struct` into values of these types.
    pub fn destructure_struct(&mut self, value: Value, results: &[SilType]) -> Vec<Value> {
        self.insert_values(Opcode::DestructureStruct, value, results)
    }

    /// `destructure_tuple` into values of these types.
    pub fn destructure_tuple(&mut self, value: Value, results: &[SilType]) -> Vec<Value> {
        self.insert_values(Opcode::DestructureTuple, value, results)
    }

    /// `builtin` with a result of type `written`.
    pub fn builtin(&mut self, builtin: impl Into<Box<Builtin>>, arguments: &[Value], written: SilType) -> Value {
        self.insert_value(Opcode::Builtin, Details::Builtin(builtin.into()), arguments, &[written])
    }

    /// `builtin` whose result is the empty tuple, of type `nothing`.
    pub fn void_builtin(
        &mut self,
        builtin: impl Into<Box<Builtin>>,
        arguments: &[Value],
        nothing: SilType,
    ) -> InstructionId {
        self.insert(Opcode::Builtin, Details::Builtin(builtin.into()), arguments, &[nothing])
    }

    /// `end_apply` of a coroutine whose result is the empty tuple, of type `nothing`.
    pub fn void_end_apply(&mut self, token: Value, nothing: SilType) -> InstructionId {
        let operands = [token];
        let new = self.new_instruction(Opcode::EndApply, Details::None, &operands);
        self.make(NewInstruction { results: &[nothing], ..new })
    }

    /// `apply` of the first operand to the others, with a result of type `result`.
    pub fn apply(&mut self, apply: impl Into<Box<Apply>>, operands: &[Value], result: SilType) -> Value {
        self.insert_value_of_type(Opcode::Apply, Details::Apply(apply.into()), operands, &[], result)
    }

    /// `begin_apply` of the first operand to the others: the results are the yielded values, then the token.
    pub fn begin_apply(
        &mut self,
        apply: impl Into<Box<Apply>>,
        operands: &[Value],
        results: &[SilType],
    ) -> InstructionId {
        let new = self.new_instruction(Opcode::BeginApply, Details::Apply(apply.into()), operands);
        self.make(NewInstruction { results, ..new })
    }

    /// `partial_apply` of the first operand to the others: a closure of type `result`.
    pub fn partial_apply(&mut self, apply: impl Into<Box<Apply>>, operands: &[Value], result: SilType) -> Value {
        self.insert_value_of_type(Opcode::PartialApply, Details::Apply(apply.into()), operands, &[], result)
    }

    /// `try_apply` of the first operand to the others.
    pub fn try_apply(
        &mut self,
        apply: impl Into<Box<Apply>>,
        operands: &[Value],
        [normal, error]: [BlockId; 2],
    ) -> InstructionId {
        self.insert_terminator(Opcode::TryApply, Details::Apply(apply.into()), operands, &[], &[normal, error])
    }

    /// `witness_method` of function type `written`.
    pub fn witness_method(&mut self, method: Box<Method>, opened: Option<Value>, written: SilType) -> Value {
        self.insert_value(Opcode::WitnessMethod, Details::Method(method), opened.as_slice(), &[written])
    }

    /// `differentiable_function` of type `result`, without derivatives yet.
    pub fn differentiable_function(
        &mut self,
        original: Value,
        indices: Box<DifferentiabilityIndices>,
        result: SilType,
    ) -> Value {
        let details = Details::Differentiable(indices);
        self.insert_value_of_type(Opcode::DifferentiableFunction, details, &[original], &[], result)
    }

    /// `select_enum` of type `result`: `operands` are the enum, a value for each case, then the default's.
    pub fn select_enum(&mut self, cases: impl Into<Box<EnumCases>>, operands: &[Value], result: SilType) -> Value {
        let details = Details::EnumCases(cases.into());
        self.insert_value_of_type(Opcode::SelectEnum, details, operands, &[result], result)
    }

    /// `select_enum_addr`, likewise.
    pub fn select_enum_addr(&mut self, cases: impl Into<Box<EnumCases>>, operands: &[Value], result: SilType) -> Value {
        let details = Details::EnumCases(cases.into());
        self.insert_value_of_type(Opcode::SelectEnumAddr, details, operands, &[result], result)
    }

    /// `br` to `target` that passes `arguments`.
    pub fn branch(&mut self, target: BlockId, arguments: &[Value]) -> InstructionId {
        self.insert_terminator(Opcode::Br, Details::None, arguments, &[], &[target])
    }

    /// `cond_br` to the first edge if the condition holds, else to the second: each has a target and its arguments.
    /// `counts` are those of a profile.
    pub fn cond_br(
        &mut self,
        condition: Value,
        [(on_true, true_arguments), (on_false, false_arguments)]: [(BlockId, &[Value]); 2],
        counts: [Option<u64>; 2],
    ) -> InstructionId {
        let operands = [&[condition], true_arguments, false_arguments].concat();
        let details = Details::CondBranch { true_arguments: true_arguments.len() as u32, counts };
        self.insert_terminator(Opcode::CondBr, details, &operands, &[], &[on_true, on_false])
    }

    /// `switch_enum`: `targets` are the block of each case, then the default's.
    pub fn switch_enum(
        &mut self,
        value: Value,
        cases: impl Into<Box<EnumCases>>,
        targets: &[BlockId],
    ) -> InstructionId {
        self.insert_terminator(Opcode::SwitchEnum, Details::EnumCases(cases.into()), &[value], &[], targets)
    }

    /// `switch_enum_addr`, likewise.
    pub fn switch_enum_addr(
        &mut self,
        address: Value,
        cases: impl Into<Box<EnumCases>>,
        targets: &[BlockId],
    ) -> InstructionId {
        self.insert_terminator(Opcode::SwitchEnumAddr, Details::EnumCases(cases.into()), &[address], &[], targets)
    }

    /// `checked_cast_br` of a value to `written`: to the first target if it succeeds, else to the second.
    pub fn checked_cast_br(
        &mut self,
        value: Value,
        cast: Box<Cast>,
        written: SilType,
        targets: [BlockId; 2],
    ) -> InstructionId {
        self.insert_terminator(Opcode::CheckedCastBr, Details::Cast(cast), &[value], &[written], &targets)
    }

    /// `checked_cast_addr_br`: to the first target if it succeeds, else to the second.
    pub fn checked_cast_addr_br(
        &mut self,
        source: Value,
        destination: Value,
        cast: Box<Cast>,
        targets: [BlockId; 2],
    ) -> InstructionId {
        self.insert_terminator(Opcode::CheckedCastAddrBr, Details::Cast(cast), &[source, destination], &[], &targets)
    }

    /// `yield` to the resume block or the unwind block.
    pub fn yield_values(&mut self, values: &[Value], [resume, unwind]: [BlockId; 2]) -> InstructionId {
        self.insert_terminator(Opcode::Yield, Details::None, values, &[], &[resume, unwind])
    }
}
