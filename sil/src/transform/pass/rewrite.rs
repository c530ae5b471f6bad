//! The changes that a pass makes: values, which the manager applies to the module once all functions have been looked at.

use super::remarks::Remark;
use crate::analysis::Change;
use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionAttribute, FunctionId, Global, GlobalId};

/// The result of a pass for a function.
pub struct Rewrite {
    /// The new body.
    pub body: Body,
    /// The extent of the change.
    pub change: Change,
    /// The function's new attributes.
    pub attributes: Vec<FunctionAttribute>,
    /// New functions, each with the function before which it is placed. Of several of one name the first is taken: a
    /// name determines the function.
    pub functions: Vec<(FunctionId, Function)>,
    /// New functions that are placed after all others.
    pub appended: Vec<Function>,
    /// Other functions of the module, each with its replacement: only for passes that run function by function.
    pub others: Vec<(FunctionId, Function)>,
    /// New globals, whose names the module does not have.
    pub globals: Vec<Global>,
    /// Globals of the module, each with its new initial value.
    pub initial_values: Vec<(GlobalId, Body)>,
    /// Diagnostics of the function's code.
    pub diagnostics: Vec<Diagnostic>,
    /// Remarks on optimisations.
    pub remarks: Vec<Remark>,
}

impl Rewrite {
    /// A new body for `function`, and nothing else.
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

    /// The same body with diagnostics; none if there are none.
    pub(in crate::transform) fn diagnostics_alone(
        function: &Function,
        body: &Body,
        diagnostics: Vec<Diagnostic>,
    ) -> Option<Self> {
        let unchanged = || Self::new(function, body.clone(), Change::Instructions);
        (!diagnostics.is_empty()).then(|| Self { diagnostics, ..unchanged() })
    }
}

/// The results of a pass for the functions that it changes.
pub type Rewrites = Vec<(FunctionId, Result<Rewrite, Box<Diagnostic>>)>;
