//! Builtins that are neither arithmetic nor atomic: the rules of Swift's verifier for some of them, and the operands
//! and results of those that are lowered (lib/AST/Builtins.cpp).

use sil_ir::context::{BuiltinType, FunctionAttribute, SilType, Type};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::builtins::NamedBuiltin;
use sil_ir::model::Details;

use super::Checker;
use super::builtin_types::element_of;

/// The rule for an operand.
#[derive(Clone, Copy)]
enum Operand {
    /// The type at this place of the builtin's name.
    Named(usize),
    /// The last type of the builtin's name.
    Last,
    /// A condition: of the type before the last, or a bit.
    Condition,
    /// This type.
    Builtin(BuiltinType),
    /// A metatype of the type that the builtin is about. It is a substitution as well, so that passes remove the
    /// operand.
    Subject,
    /// A metatype of any type.
    Metatype,
    /// A function.
    Function,
    /// A value that is held by one reference, such as an error.
    Reference,
    /// Any value.
    Value,
    /// The address of a value.
    Address,
}

/// The rule for a result.
#[derive(Clone, Copy)]
enum Outcome {
    /// Nothing that takes memory: `()`, a token, `Never`.
    Empty,
    /// The first type of the builtin's name.
    First,
    /// The last type of the builtin's name.
    Last,
    /// This type.
    Builtin(BuiltinType),
    /// An element of the vector type that the name ends with first.
    Element,
    /// As many elements of the first vector type in the name as the second has.
    Shuffled,
}

/// The operands and the result of a builtin that is lowered; none where [`verify`] has rules of its own.
fn signature(builtin: NamedBuiltin) -> Option<(&'static [Operand], Outcome)> {
    use NamedBuiltin::*;
    use Operand::{Address, Condition, Function, Last, Metatype, Named, Reference, Subject, Value};
    const WORD: Operand = Operand::Builtin(BuiltinType::Word);
    const POINTER: Operand = Operand::Builtin(BuiltinType::RawPointer);
    const BIT: Operand = Operand::Builtin(BuiltinType::Integer(1));
    Some(match builtin {
        Sizeof | Strideof | Alignof => (&[Subject], Outcome::Builtin(BuiltinType::Word)),
        IsPOD | IsConcrete | IsBitwiseTakable => (&[Subject], Outcome::Builtin(BuiltinType::Integer(1))),
        IsSameMetatype => (&[Metatype, Metatype], Outcome::Builtin(BuiltinType::Integer(1))),
        DestroyArray => (&[Subject, POINTER, WORD], Outcome::Empty),
        CopyArray
        | TakeArrayNoAlias
        | TakeArrayFrontToBack
        | TakeArrayBackToFront
        | AssignCopyArrayNoAlias
        | AssignCopyArrayFrontToBack
        | AssignCopyArrayBackToFront
        | AssignTakeArray => (&[Subject, POINTER, POINTER, WORD], Outcome::Empty),
        AllocRaw => (&[WORD, WORD], Outcome::Builtin(BuiltinType::RawPointer)),
        DeallocRaw => (&[POINTER, WORD, WORD], Outcome::Empty),
        StackAlloc | UnprotectedStackAlloc => (&[WORD, WORD, WORD], Outcome::Builtin(BuiltinType::RawPointer)),
        StackDealloc => (&[POINTER], Outcome::Empty),
        AssumeAlignment => (&[POINTER, WORD], Outcome::Builtin(BuiltinType::RawPointer)),
        Once => (&[POINTER, Function], Outcome::Empty),
        OnceWithContext => (&[POINTER, Function, POINTER], Outcome::Empty),
        OnFastPath | CondUnreachable | Unreachable => (&[], Outcome::Empty),
        ErrorInMain | WillThrow => (&[Reference], Outcome::Empty),
        GlobalStringTablePointer => (&[Value], Outcome::Builtin(BuiltinType::RawPointer)),
        CondFailMessage => (&[BIT, POINTER], Outcome::Empty),
        AssertConf => (&[], Outcome::Builtin(BuiltinType::Integer(32))),
        Copy => (&[Address, Address], Outcome::Empty),
        AddressOfRawLayout => (&[Address], Outcome::Builtin(BuiltinType::RawPointer)),
        ExtractElement => (&[Named(0), Named(1)], Outcome::Element),
        InsertElement => (&[Named(0), Named(1), Named(2)], Outcome::First),
        Select => (&[Condition, Last, Last], Outcome::Last),
        ShuffleVector => (&[Named(0), Named(0), Named(1)], Outcome::Shuffled),
        StringObjectOr => (&[Named(0), Named(0)], Outcome::First),
        _ => return None,
    })
}

/// Checks the operands and the result of a builtin by its signature. `types` are those that its name ends with.
fn verify_signature(checker: &mut Checker<'_, '_>, builtin: NamedBuiltin, types: &[BuiltinType]) {
    let Some((operands, outcome)) = signature(builtin) else { return };
    let operands = match operands {
        [Operand::Subject, others @ ..] if checker.operands.len() == others.len() => others,
        all => all,
    };
    if !checker.takes(operands.len()) {
        return;
    }
    for (index, operand) in operands.iter().enumerate() {
        verify_operand(checker, index, *operand, types);
    }
    let expected = match outcome {
        Outcome::Empty => return empty_result(checker),
        Outcome::First => types.first().copied(),
        Outcome::Last => types.last().copied(),
        Outcome::Builtin(builtin) => Some(builtin),
        Outcome::Element => types.first().and_then(|vector| element_of(*vector)),
        Outcome::Shuffled => match types {
            [BuiltinType::Vector { element, .. }, BuiltinType::Vector { count, .. }] => {
                Some(BuiltinType::Vector { element: *element, count: *count })
            }
            _ => None,
        },
    };
    if let Some(expected) = expected {
        let expected = checker.queries().context.ty(Type::Builtin(expected));
        checker.expect_result(SilType::object(expected));
    }
}

fn verify_operand(checker: &mut Checker<'_, '_>, index: usize, operand: Operand, types: &[BuiltinType]) {
    let builtin = match operand {
        Operand::Condition => match types {
            [condition, _] => *condition,
            _ => BuiltinType::Integer(1),
        },
        Operand::Last => match types.last() {
            Some(builtin) => *builtin,
            None => return,
        },
        Operand::Named(place) => match types.get(place) {
            Some(builtin) => *builtin,
            None => return,
        },
        Operand::Builtin(builtin) => builtin,
        Operand::Address => {
            checker.address(index);
            return;
        }
        Operand::Value => {
            checker.object(index);
            return;
        }
        Operand::Subject | Operand::Metatype | Operand::Function | Operand::Reference => {
            if !checker.object(index) {
                return;
            }
            let queries = checker.queries();
            let (holds, what) = match (operand, checker.operand(index)) {
                (Operand::Subject | Operand::Metatype, ty) => {
                    (matches!(ty, Type::Metatype { .. } | Type::ExistentialMetatype { .. }), "a metatype")
                }
                (Operand::Function, ty) => (matches!(ty, Type::Function(_)), "a function"),
                (_, ty) => (matches!(ty, Type::Existential(_)) || queries.is_class(checker.ty(index).ty), "an error"),
            };
            checker.require_operand(index, holds, what);
            return;
        }
    };
    let expected = checker.queries().context.ty(Type::Builtin(builtin));
    checker.expect(index, SilType::object(expected));
}

fn empty_result(checker: &mut Checker<'_, '_>) {
    let queries = checker.queries();
    let Some(result) = checker.result() else { return };
    let fits = match queries.get(result.ty) {
        Type::Tuple(elements) => elements.is_empty(),
        Type::Builtin(builtin) => *builtin == BuiltinType::Token,
        // `Never`, or a type of nothing but it.
        _ => queries
            .declaration_of(result.ty)
            .is_some_and(|nominal| nominal.kind == NominalKind::Enum && nominal.cases.is_empty()),
    };
    checker.require(fits, "result-type", || "the builtin has no result".to_owned());
}

pub(super) fn verify(checker: &mut Checker<'_, '_>, builtin: NamedBuiltin, types: &[BuiltinType]) {
    use NamedBuiltin::*;
    checker.tolerantly(|checker| verify_signature(checker, builtin, types));
    let name = builtin.name();
    match builtin {
        ZeroInitializer => zero_initializer(checker),
        PrepareInitialization if checker.takes(1) && checker.address(0) => {
            checker.expect_result(SilType::object(checker.queries().void()));
        }
        GetEnumTag if checker.takes(1) => enum_tag(checker),
        GetCurrentAsyncTask | GetCurrentExecutor => {
            let is_async = checker
                .scope
                .conventions
                .is_some_and(|conventions| conventions.function.attributes.contains(FunctionAttribute::Async));
            checker.require(is_async, "builtin-context", || {
                format!("the builtin `{name}` needs a function that is `@async`")
            });
            checker.takes(0);
        }
        InitializeDefaultActor | DestroyDefaultActor if checker.takes(1) => {
            let actor = checker.queries().is_class(checker.ty(0).ty)
                || *checker.operand(0) == Type::Builtin(BuiltinType::NativeObject);
            checker.require_operand(0, actor, "a default actor");
        }
        BuildOrdinaryTaskExecutorRef
        | BuildOrdinarySerialExecutorRef
        | BuildComplexEqualitySerialExecutorRef
        | BuildDefaultActorExecutorRef
            if checker.takes(1) =>
        {
            checker.object(0);
            executor_result(checker);
        }
        BuildMainActorExecutorRef if checker.takes(0) => executor_result(checker),
        ExtractFunctionIsolation => {
            checker.fail("builtin-context", format!("the builtin `{name}` does not stand in SIL"));
        }
        _ => {}
    }
}

fn executor_result(checker: &mut Checker<'_, '_>) {
    let executor = checker.queries().context.ty(Type::Builtin(BuiltinType::Executor));
    checker.expect_result(SilType::object(executor));
}

/// `getEnumTag<E>(address of an E)` is a number of 32 bits.
fn enum_tag(checker: &mut Checker<'_, '_>) {
    let Details::Builtin(builtin) = &checker.instruction.details else { return };
    if let (true, [ty]) = (checker.address(0), checker.queries().context.replacements(builtin.substitutions)) {
        let queries = checker.queries();
        checker.expect(0, SilType::address(queries.lower_formal(*ty)));
        let is_enum = match queries.declaration_of(*ty) {
            Some(declaration) => declaration.kind == NominalKind::Enum,
            // A generic type may be an enum.
            None => true,
        };
        checker.require_operand(0, is_enum, "the address of an enum");
    }
    let number = checker.queries().context.ty(Type::Builtin(BuiltinType::Integer(32)));
    checker.expect_result(SilType::object(number));
}

/// A value, or memory that is given as an address.
fn zero_initializer(checker: &mut Checker<'_, '_>) {
    let count = checker.operands.len();
    if !checker.require(count <= 1, "operand-count", || {
        format!("the builtin `zeroInitializer` takes one address or nothing, not {count} operands")
    }) {
        return;
    }
    if count == 1 && checker.address(0) {
        let nothing = checker.queries().void();
        checker.expect_result(SilType::object(nothing));
    }
}
