//! Unit tests of analyses and transformations: `specify_test "name arguments"` runs a test at its position, which
//! prints its results (docs/SIL/Instructions.md, "specify_test"; lib/SILOptimizer/UtilityPasses/TestRunner.cpp).
//!
//! Owns: running the tests in order, each on the function that the previous one left. `specification` parses the
//! arguments, `test` provides the context of a test; the other files have the tests by subject.

mod accesses;
mod borrows;
mod canonicalization;
mod cfg;
mod constant_evaluator;
mod field_liveness;
mod liveness;
mod ranges;
mod regions;
mod specification;
mod test;
mod values;

use sil_analysis::Analyses;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{FunctionId, Module};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::print::{PrintOptions, print_function};

pub use self::constant_evaluator::EvaluatorTest;
use self::specification::Specification;
use self::test::Test;
use super::pass::settings::Settings;
use super::pass::{Environment, Rewrite};

/// The output of tests.
#[derive(Default)]
pub struct TestedFunctions {
    /// The output, in the order of the tests.
    pub text: String,
    /// Errors in the specifications, including unknown tests.
    pub diagnostics: Vec<Diagnostic>,
}

/// The kind of a test.
enum FunctionTest {
    /// A test that prints its results.
    Analysis(fn(&mut Test<'_>) -> TestResult<()>),
    /// A test that changes the function.
    Rewrite(fn(&mut Test<'_>) -> TestResult<Option<Rewrite>>),
    /// A test that changes the function and prints it.
    ShownRewrite(fn(&mut Test<'_>) -> TestResult<Option<Rewrite>>),
}

type TestResult<T> = Result<T, Box<Diagnostic>>;

fn function_test(name: &str) -> Option<FunctionTest> {
    use FunctionTest::{Analysis, Rewrite, ShownRewrite};
    Some(match name {
        "SSAPrunedLiveness__areUsesWithinBoundary" => Analysis(liveness::uses_within_boundary),
        "argument_conventions" => Analysis(values::argument_conventions),
        "accesspath" => Analysis(accesses::access_path),
        "borrow_introducers" => Analysis(borrows::borrow_introducers),
        "canonicalize_borrow_scope" | "canonicalize_function_argument" => {
            ShownRewrite(canonicalization::canonicalize_borrow_scope)
        }
        "canonicalize_ossa_lifetime" => ShownRewrite(canonicalization::canonicalize_lifetime),
        "compute_access_storage" => Analysis(accesses::access_storage),
        "dead_end_blocks" => Analysis(values::dead_end_blocks),
        "dump_function" => Analysis(values::dump_function),
        "enclosing_values" => Analysis(borrows::enclosing_values),
        "find_borrow_introducers" => Analysis(borrows::found_borrow_introducers),
        "find_enclosing_defs" => Analysis(borrows::found_enclosing_definitions),
        "fieldsensitive_multidefuse_liverange" => Analysis(field_liveness::of_several_definitions),
        "forwarding_def_use_test" => Analysis(ranges::forwarded_uses),
        "forwarding_use_def_test" => Analysis(ranges::lifetime_introducers),
        "fs_ssa_use_liveness" => Analysis(field_liveness::of_value),
        "get_access_base" => Analysis(accesses::access_base),
        "get_typed_access_address" => Analysis(accesses::typed_access_address),
        "get_ownership_kind" => Analysis(values::ownership_kind),
        "deleter_delete_if_dead" => ShownRewrite(canonicalization::remove_if_dead),
        "lexical_destroy_folding" => ShownRewrite(canonicalization::fold_destroys),
        "has_any_dead_ends" => Analysis(values::has_dead_ends),
        "has_pointer_escape" => Analysis(borrows::has_pointer_escape),
        "instruction_move_before" => Rewrite(values::move_before),
        "is_deinit_barrier" => Analysis(values::is_deinit_barrier),
        "is_lexical" => Analysis(values::is_lexical),
        "is_sil_trivial" => Analysis(values::is_trivial),
        "multidef_liveness" => Analysis(liveness::of_several_definitions),
        "multidefuse_liveness" => Analysis(liveness::of_several_definitions_from_uses),
        "pruned_liveness_boundary_with_list_of_last_users_insertion_points" => Analysis(liveness::insertion_points),
        "range_overlaps_path" => Analysis(ranges::overlap),
        "scoped_address_liveness" => Analysis(liveness::of_address_scope),
        "sil_isolation_info_inference" => Analysis(regions::isolation),
        "sil-isolation-info-merged-inference" => Analysis(regions::merged_isolation),
        "simplify_cfg_canonicalize_switch_enum" => Rewrite(cfg::name_cases),
        "simplify_cfg_simplify_argument" => Rewrite(cfg::simplify_argument),
        "simplify_cfg_simplify_block_args" => Rewrite(cfg::simplify_arguments),
        "simplify_cfg_simplify_switch_enum_block" => Rewrite(cfg::fold_switch),
        "simplify_cfg_simplify_switch_enum_unreachable_blocks" => Rewrite(cfg::switch_to_reachable),
        "simplify_cfg_simplify_term_with_identical_dest_blocks" => Rewrite(cfg::join_targets),
        "simplify_cfg_try_jump_threading" => Rewrite(cfg::thread_jump),
        "sil_regionanalysis_underlying_tracked_value" => Analysis(regions::tracked_value),
        "variable_name_inference" => Analysis(regions::inferred_name),
        "shrink_borrow_scope" => Rewrite(canonicalization::shrink_borrow_scope),
        "ssa_liveness" => Analysis(liveness::of_value),
        "ssa_use_liveness" => Analysis(liveness::of_value_from_uses),
        "swift_get_access_base" => Analysis(accesses::described_access_base),
        "test_specification_parsing" => Analysis(values::specification),
        "update_ssa" => Rewrite(values::update_ssa),
        _ => return None,
    })
}

/// Runs the tests that the functions of a module specify, in textual order, and removes their `specify_test`
/// instructions.
pub fn run_function_tests(module: &mut Module, settings: &Settings, print: PrintOptions) -> TestedFunctions {
    let mut tested = TestedFunctions::default();
    let mut traces = specification::Traces::default();
    for id in module.functions.keys().collect::<Vec<_>>() {
        let specifications = specification::take(module, id);
        for (number, specification) in specifications.iter().enumerate() {
            let count = (number + 1, specifications.len());
            let run = run(module, (&mut traces, specification, count), settings, print, &mut tested.text);
            let name = module.functions[id].name;
            tested.diagnostics.extend(run.err().map(|diagnostic| diagnostic.in_function(name)));
        }
    }
    tested
}

/// Runs one test.
fn run(
    module: &mut Module,
    (traces, specification, (number, count)): (&mut specification::Traces, &Specification, (usize, usize)),
    settings: &Settings,
    print: PrintOptions,
    out: &mut String,
) -> TestResult<()> {
    let arguments = specification.arguments(module, traces)?;
    let name = specification.name();
    let Some(test) = function_test(name) else {
        return Err(Box::new(Diagnostic::unsupported(format_args!("the test '{name}'"), specification.span)));
    };
    let function = module.context.text(module.functions[specification.function].name);
    let heading =
        format!("running test {number} of {count} on {function}: {name} with: {}\n", specification.words().join(", "));
    out.push_str(&format!("\nbegin {heading}"));
    let is_shown = matches!(test, FunctionTest::ShownRewrite(_));
    let rewrite = {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = TypeQueries::of(module, &conformances);
        let function = &module.functions[specification.function];
        let Some(body) = &function.body else { return Ok(()) };
        let analyses = Analyses::default();
        let (queries, analyses, of_module) = (&queries, &analyses, None);
        let environment = Environment { module, queries, function, body, analyses, of_module, settings };
        let mut context = Test::new(environment, specification, arguments, print, out);
        match test {
            FunctionTest::Analysis(run) => run(&mut context).map(|()| None)?,
            FunctionTest::Rewrite(run) | FunctionTest::ShownRewrite(run) => run(&mut context)?,
        }
    };
    if let Some(rewrite) = rewrite {
        let function = &mut module.functions[specification.function];
        function.body = Some(rewrite.body);
        function.attributes = rewrite.attributes;
    }
    if is_shown {
        out.push_str(&text(module, specification.function, print));
    }
    out.push_str(&format!("end {heading}"));
    Ok(())
}

fn text(module: &Module, function: FunctionId, print: PrintOptions) -> String {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    print_function(module, &queries, &module.functions[function], print)
}
