//! Which version of Swift printed a module, as seen from its text; the text itself does not say.

use memchr::memmem::find;

use crate::model::SwiftVersion;

/// What no version before this one writes; the newest first.
const MARKS: [(&str, SwiftVersion); 8] = [
    ("[heuristic_always_inline]", SwiftVersion::V6_3),
    ("= vector_base_addr %", SwiftVersion::V6_3),
    ("builtin \"prepareInitialization\"", SwiftVersion::V6_3),
    ("builtin \"getEnumTag\"", SwiftVersion::V6_3),
    ("@_semantics(\"derived_enum_equals\")", SwiftVersion::V6_3),
    ("_InlineArray<", SwiftVersion::V6_3),
    ("\n// Isolation: unspecified\n", SwiftVersion::V6_2),
    ("\n  associated_conformance (", SwiftVersion::V6_2),
];

/// Where a function returns: 6.0 writes the type of what it returns, and later versions do not, unless they are asked to.
const RETURN: &str = "\n  return %";

/// The version that printed `text`. Where nothing tells, the newest: it has all that others have.
pub(super) fn version_of(text: &str) -> SwiftVersion {
    let has = |mark: &str| find(text.as_bytes(), mark.as_bytes()).is_some();
    if let Some((_, version)) = MARKS.iter().find(|(mark, _)| has(mark)) {
        return *version;
    }
    match find(text.as_bytes(), RETURN.as_bytes()) {
        Some(start) => {
            let line = text[start + 1..].lines().next().unwrap_or_default();
            let code = line.split("//").next().unwrap_or_default();
            if code.contains(" : $") { SwiftVersion::V6_0 } else { SwiftVersion::V6_2 }
        }
        None => SwiftVersion::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_tells_the_version() {
        assert_eq!(
            version_of("bb0:\n  %0 = tuple ()\n  return %0 : $()               // id: %1\n"),
            SwiftVersion::V6_0
        );
        assert_eq!(
            version_of("bb0:\n  %0 = tuple ()\n  return %0                     // id: %1 : $\n"),
            SwiftVersion::V6_2
        );
        assert_eq!(version_of("  %3 = vector_base_addr %2\n  return %3\n"), SwiftVersion::V6_3);
        assert_eq!(
            version_of("// f()\n// Isolation: unspecified\nsil @f\nbb0:\n  return %0 : $()\n"),
            SwiftVersion::V6_2
        );
        assert_eq!(version_of("sil_stage canonical\n"), SwiftVersion::V6_3);
    }
}
