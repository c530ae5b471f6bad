//! The SIL language: text, model, verifier, analyses and transformations. No LLVM in it.
