//! The results of a pass as values, which the manager applies to the module after all functions are visited.

use sil_analysis::Change;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, Function, FunctionAttribute, FunctionId, Global, GlobalId};

use super::remarks::Remark;

/// The result of a pass for a function.
pub struct Rewrite {
    /// The new body.
    pub body: Body,
    /// The extent of the change.
    pub change: Change,
    /// The new attributes of the function.
    pub attributes: Vec<FunctionAttribute>,
    /// New functions, each with the function that it is placed before. Of several with the same name the first is
    /// added, since the name determines the function.
    pub functions: Vec<(FunctionId, Function)>,
    /// New functions that are placed after all others.
    pub appended: Vec<Function>,
    /// Replacements of other functions of the module. Only for passes that run function by function.
    pub others: Vec<(FunctionId, Function)>,
    /// New globals. Their names must be new.
    pub globals: Vec<Global>,
    /// New initial values of globals of the module.
    pub initial_values: Vec<(GlobalId, Body)>,
    /// Diagnostics of the function's code.
    pub diagnostics: Vec<Diagnostic>,
    /// Remarks on optimisations.
    pub remarks: Vec<Remark>,
}

impl Rewrite {
    /// Creates a rewrite of `function` with a new body.
    pub fn new(function: &Function, body: Body, change: Change) -> Self {
        let attributes = function.attributes.clone();
        Self {
            body,
            change,
            attributes,
            functions: Vec::new(),
            appended: Vec::new(),
            others: Vec::new(),
            globals: Vec::new(),
            initial_values: Vec::new(),
            diagnostics: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Creates a rewrite with the same body and diagnostics, or returns `None` if there are no diagnostics.
    pub(crate) fn diagnostics_alone(function: &Function, body: &Body, diagnostics: Vec<Diagnostic>) -> Option<Self> {
        let unchanged = || Self::new(function, body.clone(), Change::Instructions);
        (!diagnostics.is_empty()).then(|| Self { diagnostics, ..unchanged() })
    }
}

/// The results of a pass for the functions that it changes.
pub type Rewrites = Vec<(FunctionId, Result<Rewrite, Box<Diagnostic>>)>;
