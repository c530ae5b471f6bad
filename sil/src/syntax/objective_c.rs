//! Whether a module was made for a platform with Objective-C, as seen from its text; the text itself does not say. There Swift's library has other
//! declarations: arrays may be those of Objective-C.

use super::code::{Code, Mark};
use crate::model::ObjectiveC;

const fn word(word: &'static str) -> Mark {
    Mark { before: &[], word, behind: &[] }
}

/// What stands only in such a module: declarations and methods of Objective-C, and types of the library that are only there.
const MARKS: [Mark; 7] = [
    word("@objc"),
    word("@objc_metatype"),
    word("objc_method"),
    word("objc_super_method"),
    Mark { before: &["!"], ..word("foreign") },
    word("_ArrayBuffer"),
    word("_CocoaArrayWrapper"),
];

/// What the code of a module tells of its platform.
pub(super) fn objective_c_of(code: &Code) -> ObjectiveC {
    if MARKS.iter().any(|mark| code.has(*mark)) { ObjectiveC::Present } else { ObjectiveC::Absent }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_tells_of_objective_c() {
        let of = |text| objective_c_of(&Code::of(text));
        assert_eq!(of("@objc class C {\n}\n"), ObjectiveC::Present);
        assert_eq!(of("  %1 = objc_method %0, #C.f!foreign : (C) -> () -> ()\n"), ObjectiveC::Present);
        assert_eq!(of("  %1 = struct_element_addr %0, #_ArrayBuffer._storage\n"), ObjectiveC::Present);
        assert_eq!(of("  %1 = load %0 : $*_ContiguousArrayBuffer<Int> // @objc\n"), ObjectiveC::Absent);
    }
}
