//! Marks objects `[bare]` if neither their reference counts nor their metadata are read, so that their headers need not
//! be initialised. Follows SwiftCompilerSources/Sources/Optimizer/FunctionPasses/StripObjectHeaders.swift.

use sil_analysis::walk::{self, Step};
use sil_analysis::{BodyView, Change, Projection, ProjectionPath, Use, Worklist, value_roots};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::Value;

use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const OBJECT_HEADER_STRIPPING: Pass = Pass::new(&Description {
    name: "strip-object-headers",
    class_name: "StripObjectHeaders",
    summary: "Marks objects whose headers nothing reads.",
    gates: Gates::OPEN,
    runner: Runner::Function(strip),
});

/// Marks the objects of a function.
pub(crate) fn strip(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let is_object = |opcode| matches!(opcode, Opcode::AllocRef | Opcode::GlobalValue);
    let objects = || body.placed_instructions().filter(|id| is_object(body.instructions[*id].opcode));
    if objects().next().is_none() {
        return Ok(None);
    }
    let view = environment.view();
    let is_bare = |id| body.instructions[id].attributes.contains(Attribute::Bare);
    let mut marked = None;
    for id in objects().filter(|id| !is_bare(*id)) {
        if body.result(id).is_some_and(|object| !needs_header(&view, object)) {
            marked.get_or_insert_with(|| body.clone()).instructions[id].attributes.insert(Attribute::Bare);
        }
    }
    Ok(marked.map(|body| Rewrite::new(function, body, Change::Instructions)))
}

fn needs_header(view: &BodyView<'_>, object: Value) -> bool {
    let mut work = Worklist::new([object]);
    while let Some(value) = work.pop() {
        for found in view.uses.of(value) {
            match next(view, object, *found) {
                Some(values) => work.extend(values),
                None => return true,
            }
        }
    }
    false
}

/// The values that a use forwards the object to, or `None` if it may read the header.
fn next(view: &BodyView<'_>, object: Value, found: Use) -> Option<Vec<Value>> {
    use Opcode::*;
    match view.opcode(found.user) {
        RefElementAddr | RefTailAddr | DeallocStackRef | DebugValue | FixLifetime => Some(Vec::new()),
        // The instruction may deallocate another object that has a header.
        DeallocRef => {
            let roots = value_roots(view, view.used_value(found), ProjectionPath::EMPTY);
            roots.iter().all(|(root, _)| *root == object).then(Vec::new)
        }
        Struct | Tuple | Enum | StructExtract | TupleExtract | UncheckedEnumData | DestructureStruct
        | DestructureTuple | BeginBorrow | MarkDependence | Br | CondBr | SwitchEnum | Upcast | UncheckedRefCast
        | BeginDeallocRef | EndInitLetRef | EndCowMutation => {
            match walk::value_down(view, found, ProjectionPath::from(Projection::Anything)) {
                Step::To(value, _) => Some(vec![value]),
                Step::ToEach(values) => Some(values.into_iter().map(|(value, _)| value).collect()),
                Step::Unmatched => Some(Vec::new()),
                Step::End => None,
            }
        }
        _ => None,
    }
}
