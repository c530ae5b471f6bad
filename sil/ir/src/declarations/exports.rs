//! The modules of Swift's toolchain that export others: an import of one imports those too. Owns the list alone;
//! `syntax::known` has the declarations of each module.

/// Modules for Linux with those that they export.
const EXPORTS: [(&str, &[&str]); 3] = [
    ("Foundation", &["Dispatch", "FoundationEssentials", "FoundationInternationalization", "Glibc"]),
    ("FoundationEssentials", &["Glibc"]),
    ("XCTest", &["Foundation"]),
];

/// The modules that `module` exports, without those that they export in turn.
pub fn exported_by(module: &str) -> &'static [&'static str] {
    EXPORTS.iter().find(|(exporter, _)| *exporter == module).map_or(&[], |(_, exported)| exported)
}

/// Modules that are imported, then all that they export, each once.
pub fn with_exported<'a>(imported: &[&'a str]) -> Vec<&'a str> {
    closure(imported, |module| exported_by(module).iter().copied())
}

/// `modules`, then all results of `next` for them and for its results, each once.
pub fn closure<'a, I: Iterator<Item = &'a str>>(modules: &[&'a str], next: impl Fn(&str) -> I) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    let mut new = modules.to_vec();
    while !new.is_empty() {
        for module in std::mem::take(&mut new) {
            if !all.contains(&module) {
                all.push(module);
                new.extend(next(module));
            }
        }
    }
    all
}
