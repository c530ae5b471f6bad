//! Infers from its text whether a module was compiled for a platform with Objective-C. The text does not state it. On
//! such a platform Swift's library has other declarations: arrays may be those of Objective-C.

use sil_ir::model::ObjectiveC;

use super::code::{Code, Mark};

const fn word(word: &'static str) -> Mark {
    Mark { before: &[], word, after: &[] }
}

/// Marks that occur only in such a module: declarations and methods of Objective-C, and library types that exist only
/// there.
const MARKS: [Mark; 7] = [
    word("@objc"),
    word("@objc_metatype"),
    word("objc_method"),
    word("objc_super_method"),
    Mark { before: &["!"], ..word("foreign") },
    word("_ArrayBuffer"),
    word("_CocoaArrayWrapper"),
];

/// Returns whether the code of a module shows Objective-C.
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
