//! The changes that a pass makes: values, which the manager applies to the module once all functions have been looked at.

use super::remarks::Remark;
use crate::analysis::Change;
use crate::diagnostic::Diagnostic;
use crate::model::{Body, Function, FunctionAttribute, FunctionId, Global, GlobalId};

/// What a pass makes of a function.
pub struct Rewrite {
    /// The body from now on.
    pub body: Body,
    /// What is other in it.
    pub change: Change,
    /// The function's attributes from now on.
    pub attributes: Vec<FunctionAttribute>,
    /// Functions that it made, each with the one that it is to stand before. Of several of one name the first is taken: a name says all
    /// that made the function what it is.
    pub functions: Vec<(FunctionId, Function)>,
    /// Functions that it made and that are to stand behind all others.
    pub appended: Vec<Function>,
    /// Other functions of the module, each with what becomes of it: that is for passes which go function by function alone.
    pub others: Vec<(FunctionId, Function)>,
    /// Globals that it made, of names that the module does not have.
    pub globals: Vec<Global>,
    /// Globals of the module, each with the value that it starts with from now on.
    pub initial_values: Vec<(GlobalId, Body)>,
    /// What it has to say of the function's code.
    pub diagnostics: Vec<Diagnostic>,
    /// What it remarks of what it did.
    pub remarks: Vec<Remark>,
}

impl Rewrite {
    /// Another body for `function`, and nothing else.
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

    /// The same body, with what is to be said of it; none where nothing is.
    pub(in crate::transform) fn diagnostics_alone(
        function: &Function,
        body: &Body,
        diagnostics: Vec<Diagnostic>,
    ) -> Option<Self> {
        let unchanged = || Self::new(function, body.clone(), Change::Instructions);
        (!diagnostics.is_empty()).then(|| Self { diagnostics, ..unchanged() })
    }
}

/// What a pass makes of the functions that it changes.
pub type Rewrites = Vec<(FunctionId, Result<Rewrite, Box<Diagnostic>>)>;
