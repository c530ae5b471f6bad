//! The tables of builtins: families, then single names.

use irgen::{Coverage, builtin_coverage};
use sil_ir::instructions::builtins::{
    AtomicAccess, AtomicOperation, AtomicOrdering, AtomicScope, BinaryOperation, BuiltinCast, BuiltinKind,
    FloatPredicate, IntegerPredicate, Intrinsic, NamedBuiltin, OverflowOperation, Strength, UnaryOperation, Volatility,
};

use super::page::{coverage, line, memory};

const INTRODUCTION: &str = "
# The builtins that silc knows

`builtin \"NAME\"(OPERAND, …)` calls one of these (Swift's `include/swift/AST/Builtins.def`). The types behind a name are part of it:
`sadd_with_overflow_Int64`, `zext_Int8_Int32`.

## Families
";

/// Appends the tables.
pub fn tables(page: &mut String) {
    line(page, INTRODUCTION);
    families(page);
    line(page, "\n## Single names\n");
    let named = || NamedBuiltin::ALL.iter().map(|named| (named.name(), BuiltinKind::Named(*named)));
    let lowered = named().filter(|(_, kind)| builtin_coverage(*kind) != Coverage::NotYet).count();
    line(page, format_args!("silc lowers {lowered} of {}.\n", named().count()));
    line(page, "| builtin | memory | lowered |");
    line(page, "|---|---|---|");
    for (name, kind) in named() {
        line(page, format_args!("| `{name}` | {} | {} |", memory(kind.memory()), coverage(builtin_coverage(kind))));
    }
}

fn families(page: &mut String) {
    line(page, "| family | names | lowered |");
    line(page, "|---|---|---|");
    row(page, "conversions", BuiltinCast::ALL, BuiltinCast::name, BuiltinKind::Cast);
    row(page, "operations on two values", BinaryOperation::ALL, BinaryOperation::name, BuiltinKind::Binary);
    row(page, "the same behind `generic_`", BinaryOperation::ALL, BinaryOperation::name, BuiltinKind::GenericBinary);
    row(page, "with a bit for overflow", OverflowOperation::ALL, OverflowOperation::name, BuiltinKind::WithOverflow);
    row(page, "operations on one value", UnaryOperation::ALL, UnaryOperation::name, BuiltinKind::Unary);
    row(
        page,
        "comparisons of integers and pointers",
        IntegerPredicate::ALL,
        IntegerPredicate::name,
        BuiltinKind::CompareIntegers,
    );
    row(page, "comparisons of floats", FloatPredicate::ALL, FloatPredicate::name, BuiltinKind::CompareFloats);
    row(page, "LLVM's intrinsics", Intrinsic::ALL, Intrinsic::name, BuiltinKind::Intrinsic);
    let access = AtomicAccess { volatility: Volatility::Ordinary, scope: AtomicScope::System };
    let order = AtomicOrdering::Seqcst;
    row(page, "`atomicrmw_`", AtomicOperation::ALL, AtomicOperation::name, |operation| {
        BuiltinKind::AtomicReadModifyWrite { operation, ordering: order, access }
    });
    let exchange =
        |success| BuiltinKind::CompareExchange { success, failure: order, strength: Strength::Strong, access };
    row(page, "`cmpxchg_`", AtomicOrdering::ALL, AtomicOrdering::name, exchange);
    row(page, "`atomicload_`", AtomicOrdering::ALL, AtomicOrdering::name, |ordering| BuiltinKind::AtomicLoad {
        ordering,
        access,
    });
    row(page, "`atomicstore_`", AtomicOrdering::ALL, AtomicOrdering::name, |ordering| BuiltinKind::AtomicStore {
        ordering,
        access,
    });
    row(page, "`fence_`", AtomicOrdering::ALL, AtomicOrdering::name, |ordering| BuiltinKind::Fence {
        ordering,
        scope: AtomicScope::System,
    });
}

/// One family: lowered and other builtins stand in rows of their own.
fn row<T: Copy>(
    page: &mut String,
    family: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    kind: impl Fn(T) -> BuiltinKind,
) {
    for found in [Coverage::Lowered, Coverage::Nothing, Coverage::NotYet] {
        let names: Vec<String> = all
            .iter()
            .filter(|item| builtin_coverage(kind(**item)) == found)
            .map(|item| format!("`{}`", name(*item)))
            .collect();
        if !names.is_empty() {
            line(page, format_args!("| {family} | {} | {} |", names.join(" "), coverage(found)));
        }
    }
}
