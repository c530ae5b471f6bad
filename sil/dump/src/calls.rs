//! Apply sites and function conventions as text.

use sil_analysis::ApplySite;
use sil_ir::context::{ParameterConvention, ResultConvention, SilType};
use sil_ir::model::Function;
use sil_ir::types::{ArgumentConvention, ArgumentRole, FunctionConventions, TypeQueries};
use sil_text::print::{Printer, parameter_word, result_word, symbol_text_in};

use super::{Dumper, write_line};

impl Dumper<'_, '_> {
    pub(super) fn apply_sites(&mut self) {
        for id in self.instructions() {
            if let Some(site) = ApplySite::new(self.body, id) {
                self.line(format_args!("  {}", self.text.instruction(id)));
                self.apply_site(site);
            }
        }
    }

    fn apply_site(&mut self, site: ApplySite<'_>) {
        let called = match site.called_function() {
            Some(name) => symbol_text_in(self.queries.context, self.queries.declarations, name),
            None => "unknown".to_owned(),
        };
        self.line(format_args!("    calls {called}"));
        let Some(conventions) = site.conventions(self.queries) else { return };
        let numbering = site.numbering(conventions);
        for (applied, value) in site.arguments().iter().enumerate() {
            let operand = applied + 1;
            let Some(number) = numbering.sil_argument_of_operand(operand) else { continue };
            let Some(argument) = conventions.argument(number) else { continue };
            let what = role_text(argument.role, argument.convention);
            let value = self.text.value(*value);
            self.line(format_args!(
                "    operand {operand} ({value}): applied argument {applied}, SIL argument {number}, {what}"
            ));
        }
    }
}

/// Writes the conventions of `function`, declared or defined.
pub(super) fn function_conventions(queries: &TypeQueries<'_>, function: &Function, out: &mut String) {
    let Some(conventions) = queries.conventions(function.ty) else { return };
    let name = symbol_text_in(queries.context, queries.declarations, function.name);
    write_line(out, format_args!("function-conventions of {name}:"));
    for (index, argument) in conventions.arguments().enumerate() {
        let self_argument = match argument.role {
            ArgumentRole::Parameter(parameter) if conventions.self_parameter() == Some(parameter as usize) => ", self",
            _ => "",
        };
        let what = role_text(argument.role, argument.convention);
        let ty = type_text(queries, argument.ty);
        write_line(out, format_args!("  SIL argument {index}: {what} {ty}{self_argument}"));
    }
    results(queries, conventions, out);
}

fn results(queries: &TypeQueries<'_>, conventions: FunctionConventions<'_>, out: &mut String) {
    for (index, result) in conventions.direct_results().enumerate() {
        let ty = type_text(queries, SilType::object(result.ty));
        write_line(out, format_args!("  direct result {index}: {} {ty}", result_name(result.convention)));
    }
    for (index, (yielded, ty)) in conventions.function.yields.iter().zip(conventions.yields()).enumerate() {
        let ty = type_text(queries, ty);
        write_line(out, format_args!("  yield {index}: {} {ty}", parameter_name(yielded.convention)));
    }
    if let Some(error) = queries.direct_error(conventions) {
        write_line(out, format_args!("  error: {}", type_text(queries, error)));
    }
    let whole = type_text(queries, queries.direct_result(conventions));
    write_line(out, format_args!("  returns {whole}"));
}

fn type_text(queries: &TypeQueries<'_>, ty: SilType) -> String {
    let mut printer = Printer::new(queries.context, queries.declarations);
    printer.sil_type(ty);
    printer.out
}

fn role_text(role: ArgumentRole, convention: ArgumentConvention) -> String {
    let convention = match convention {
        ArgumentConvention::Result(convention) => result_name(convention),
        ArgumentConvention::Error => "@error_indirect",
        ArgumentConvention::Parameter(convention) => parameter_name(convention),
    };
    match role {
        ArgumentRole::IndirectResult(index) => format!("result {index} {convention}"),
        ArgumentRole::IndirectError => format!("error {convention}"),
        ArgumentRole::Parameter(index) => format!("parameter {index} {convention}"),
    }
}

fn result_name(convention: ResultConvention) -> &'static str {
    named(result_word(convention))
}

fn parameter_name(convention: ParameterConvention) -> &'static str {
    named(parameter_word(convention))
}

fn named(word: &'static str) -> &'static str {
    if word.is_empty() { "@unowned" } else { word.trim_end() }
}
