//! Text to model to text to model: the printed text of an accepted module is accepted and prints unchanged.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    sil_fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let first = sil_fuzz::parse(text);
    if !first.is_ok() {
        return;
    }
    let printed = first.print();
    let second = sil_fuzz::parse(&printed);
    assert!(second.is_ok(), "printed text is refused: {:#?}\n{printed}", second.outcome.diagnostics);
    assert_eq!(second.print(), printed, "printing what was printed gives another text");
});
