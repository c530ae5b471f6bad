//! Modules that can be read, most of them wrong in some way, through the verifier: it finds something or nothing, and
//! always ends.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    sil_fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|data: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let parsed = sil_fuzz::parse(text);
    if !parsed.is_ok() {
        return Corpus::Reject;
    }
    sil::verify::verify(&parsed.outcome.module);
    Corpus::Keep
});
