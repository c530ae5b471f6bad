use super::buffer::{Buffer, SubstitutionKind};

fn identifiers(names: &[&str]) -> String {
    let mut buffer = Buffer::default();
    names.iter().for_each(|name| buffer.identifier(name));
    buffer.finish()
}

#[test]
fn words_that_appeared_become_letters() {
    assert_eq!(
        identifiers(&["__ContiguousArrayStorageBase", "_doNotCallMeBase"]),
        "28__ContiguousArrayStorageBase012_doNotCallMeD0"
    );
    assert_eq!(identifiers(&["AbcDefGHI", "MyAbcGHI_Def"]), "9AbcDefGHI02Myac1_B0");
    assert_eq!(identifiers(&["class_inheritance", "Animal"]), "17class_inheritance6Animal");
}

#[test]
fn identifiers_beyond_ascii_are_punycode() {
    assert_eq!(identifiers(&["vergüenza"]), "0012vergenza_JFa");
}

#[test]
fn substitutions_in_a_row_merge() {
    let mut buffer = Buffer::default();
    for index in [0, 4, 4, 1, 1] {
        buffer.back_reference(index);
    }
    assert_eq!(buffer.finish(), "Aa2e2B");
    let mut buffer = Buffer::default();
    for letter in ["i", "i", "i", "b"] {
        buffer.substitution(letter, SubstitutionKind::Standard);
    }
    assert_eq!(buffer.finish(), "S3iSb");
}
