//! The origin of a module, as far as its text shows it.

use super::{LanguageMode, PointerWidth, SwiftVersion};

/// The facts of a module's text about its origin. Options that overrule them are not in here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// Whether for Embedded Swift.
    pub mode: LanguageMode,
    /// By which version of Swift it was printed.
    pub version: SwiftVersion,
    /// The width of pointers, if the text shows it.
    pub pointer_width: Option<PointerWidth>,
    /// Whether for a platform with Objective-C.
    pub objective_c: ObjectiveC,
}

/// Whether Swift's library is the one that works together with Objective-C: `_runtime(_ObjC)`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ObjectiveC {
    /// It is.
    Present,
    /// It is not.
    #[default]
    Absent,
}
