//! The kind of a compared file, by its name or by its first bytes.

use std::path::Path;

/// The kind of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// SIL.
    Sil,
    /// LLVM IR, as text or bitcode.
    Llvm,
    /// Assembly.
    Assembly,
    /// An object file.
    Object,
}

impl Kind {
    /// Returns the kind by the file's suffix, or `None` for unknown suffixes.
    pub fn of_suffix(path: &Path) -> Option<Kind> {
        match path.extension()?.to_str()? {
            "sil" => Some(Kind::Sil),
            "ll" | "bc" => Some(Kind::Llvm),
            "s" => Some(Kind::Assembly),
            "o" => Some(Kind::Object),
            _ => None,
        }
    }

    /// Returns the kind by the first bytes. A file that is neither LLVM IR nor an object file is SIL.
    pub fn of_contents(bytes: &[u8]) -> Kind {
        let is_bitcode = [&b"BC\xC0\xDE"[..], b"\xDE\xC0\x17\x0B"].iter().any(|mark| bytes.starts_with(mark));
        if is_bitcode {
            return Kind::Llvm;
        }
        let objects = [&b"\x7FELF"[..], b"\0asm", b"\xCF\xFA\xED\xFE", b"\xCE\xFA\xED\xFE"];
        if objects.iter().any(|mark| bytes.starts_with(mark)) {
            return Kind::Object;
        }
        let text = bytes.strip_prefix(crate::text::BYTE_ORDER_MARK).unwrap_or(bytes);
        let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        match lines.find(|line| !line.is_empty() && !line.starts_with(b";")) {
            Some(first) if is_llvm(first) => Kind::Llvm,
            _ => Kind::Sil,
        }
    }
}

/// Returns whether `line`, outside of functions, is LLVM IR.
fn is_llvm(line: &[u8]) -> bool {
    let words: [&[u8]; 10] = [
        b"source_filename",
        b"target ",
        b"define ",
        b"declare ",
        b"module asm ",
        b"attributes #",
        b"uselistorder",
        b"@",
        b"%",
        b"$",
    ];
    words.iter().any(|word| line.starts_with(word)) || line.starts_with(b"!") && line.contains(&b'=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_tell_kinds() {
        let kinds = [
            ("; made by hand\n\ndefine void @f() {\n", Kind::Llvm),
            ("\u{FEFF}source_filename = \"a.c\"\n", Kind::Llvm),
            ("!llvm.module.flags = !{!0}\n", Kind::Llvm),
            ("sil_stage canonical\n", Kind::Sil),
            ("// a function\nsil @f : $() -> ()\n", Kind::Sil),
            ("\0asm", Kind::Object),
            ("", Kind::Sil),
        ];
        for (text, kind) in kinds {
            assert_eq!(Kind::of_contents(text.as_bytes()), kind, "{text}");
        }
    }
}
