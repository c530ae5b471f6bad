//! The keywords of LLVM IR that the comparison treats as parts of their own: linkage types, calling conventions,
//! attributes of parameters and functions, fast-math flags (the chapters of these names in LLVM's LangRef).

use crate::part::Part;

/// The extent of a word that belongs to a separate part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// Nothing, or an argument in parentheses where there is one.
    MayHaveArgument,
    /// A number or string as the next word.
    NextWord,
}

/// The part of a word in an instruction and its extent; none if the word belongs to the computation.
pub fn in_instruction(word: &str) -> Option<(Part, Tail)> {
    let simple = |part| Some((part, Tail::MayHaveArgument));
    match word {
        "nuw" | "nsw" | "exact" | "disjoint" | "nneg" | "samesign" | "inbounds" | "nusw" | "inrange" | "fast"
        | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn" | "reassoc" | "tail" | "musttail" | "notail" => {
            simple(Part::Flags)
        }
        "align" => Some((Part::Alignment, Tail::NextWord)),
        "cc" => Some((Part::CallingConvention, Tail::NextWord)),
        "swiftself" | "swifterror" | "swiftasync" | "sret" | "byval" | "byref" | "inreg" | "inalloca"
        | "preallocated" | "nest" | "signext" | "zeroext" | "noext" => simple(Part::CallingConvention),
        _ if is_calling_convention(word) => simple(Part::CallingConvention),
        _ if ATTRIBUTES.binary_search(&word).is_ok() => simple(Part::Attributes),
        _ => None,
    }
}

/// The same for a word in a function's header or a global's definition.
pub fn in_header(word: &str) -> Option<(Part, Tail)> {
    let simple = |part| Some((part, Tail::MayHaveArgument));
    match word {
        "private"
        | "internal"
        | "available_externally"
        | "linkonce"
        | "weak"
        | "common"
        | "appending"
        | "extern_weak"
        | "linkonce_odr"
        | "weak_odr"
        | "external"
        | "dso_local"
        | "dso_preemptable"
        | "default"
        | "hidden"
        | "protected"
        | "dllimport"
        | "dllexport" => simple(Part::Linkage),
        "unnamed_addr"
        | "local_unnamed_addr"
        | "no_sanitize_address"
        | "no_sanitize_hwaddress"
        | "sanitize_memtag"
        | "sanitize_address_dyninit" => simple(Part::Attributes),
        "section" | "partition" | "gc" | "code_model" => Some((Part::Section, Tail::NextWord)),
        "comdat" => simple(Part::Section),
        "global" | "constant" => simple(Part::Constness),
        _ => in_instruction(word),
    }
}

/// The part of a metadata attachment of this name.
pub fn of_attachment(name: &str) -> Part {
    match name {
        "!tbaa" | "!tbaa.struct" => Part::Tbaa,
        "!dbg" | "!DIAssignID" | "!heapallocsite" => Part::Debug,
        _ => Part::Metadata,
    }
}

fn is_calling_convention(word: &str) -> bool {
    const OTHERS: [&str; 4] = ["amdgpu_kernel", "spir_func", "spir_kernel", "ptx_kernel"];
    (word.ends_with("cc") && CONVENTIONS.binary_search(&word).is_ok()) || OTHERS.contains(&word)
}

const CONVENTIONS: [&str; 24] = [
    "aarch64_sve_vector_pcs_cc",
    "anyregcc",
    "arm_aapcs_vfpcc",
    "arm_aapcscc",
    "arm_apcscc",
    "ccc",
    "cfguard_checkcc",
    "coldcc",
    "cxx_fast_tlscc",
    "fastcc",
    "ghccc",
    "graalcc",
    "hhvm_ccc",
    "intel_ocl_bicc",
    "preserve_allcc",
    "preserve_mostcc",
    "preserve_nonecc",
    "swiftcc",
    "swifttailcc",
    "tailcc",
    "win64cc",
    "x86_64_sysvcc",
    "x86_fastcallcc",
    "x86_stdcallcc",
];

const ATTRIBUTES: [&str; 89] = [
    "allocalign",
    "allockind",
    "allocptr",
    "allocsize",
    "alwaysinline",
    "argmemonly",
    "builtin",
    "captures",
    "cold",
    "convergent",
    "coro_elide_safe",
    "coro_only_destroy_when_complete",
    "dead_on_return",
    "dead_on_unwind",
    "denormal_fpenv",
    "dereferenceable",
    "dereferenceable_or_null",
    "disable_sanitizer_instrumentation",
    "elementtype",
    "fn_ret_thunk_extern",
    "hot",
    "hybrid_patchable",
    "immarg",
    "initializes",
    "inlinehint",
    "jumptable",
    "memory",
    "minsize",
    "mustprogress",
    "naked",
    "noalias",
    "nobuiltin",
    "nocallback",
    "nocapture",
    "nocf_check",
    "nocreateundeforpoison",
    "nodivergencesource",
    "noduplicate",
    "nofpclass",
    "nofree",
    "noimplicitfloat",
    "noinline",
    "nomerge",
    "nonlazybind",
    "nonnull",
    "noprofile",
    "norecurse",
    "noredzone",
    "noreturn",
    "nosanitize_bounds",
    "nosanitize_coverage",
    "nosync",
    "noundef",
    "nounwind",
    "null_pointer_is_valid",
    "optdebug",
    "optforfuzzing",
    "optnone",
    "optsize",
    "presplitcoroutine",
    "range",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "safestack",
    "sanitize_address",
    "sanitize_alloc_token",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_realtime",
    "sanitize_realtime_blocking",
    "sanitize_thread",
    "sanitize_type",
    "shadowcallstack",
    "skipprofile",
    "speculatable",
    "speculative_load_hardening",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "uwtable",
    "vscale_range",
    "willreturn",
    "writable",
    "writeonly",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(ATTRIBUTES.is_sorted());
        assert!(CONVENTIONS.is_sorted());
    }

    #[test]
    fn words_have_their_parts() {
        assert_eq!(in_instruction("nsw").map(|found| found.0), Some(Part::Flags));
        assert_eq!(in_instruction("swiftcc").map(|found| found.0), Some(Part::CallingConvention));
        assert_eq!(in_instruction("nounwind").map(|found| found.0), Some(Part::Attributes));
        assert_eq!(in_instruction("hidden"), None);
        assert_eq!(in_header("hidden").map(|found| found.0), Some(Part::Linkage));
        assert_eq!(in_header("i64"), None);
    }
}
