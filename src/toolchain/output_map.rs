//! The supplementary output map of a frontend job: the outputs other than objects by compiled file, which drivers write
//! in JSON. Does not own: outputs that options name (`words.rs`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The kind of the compiled module's file.
const MODULE: &str = "swiftmodule";

/// The kinds of outputs that only come with a compiled module (include/swift/Basic/FileTypes.def;
/// lib/Frontend/FrontendOptions.cpp, `canActionEmitModule` and its callees).
const BESIDE_MODULE: [&str; 11] = [
    "abi-baseline-json",
    "api-descriptor-json",
    "clang-header",
    "module-semantic-info",
    "package-swiftinterface",
    "private-swiftinterface",
    "swiftdoc",
    "swiftinterface",
    "swiftmodulesummary",
    "swiftsourceinfo",
    "tbd",
];

/// The paths of outputs by compiled file and kind.
#[derive(Clone, Debug)]
pub struct OutputMap(BTreeMap<PathBuf, BTreeMap<String, PathBuf>>);

impl OutputMap {
    /// Reads the text of a map.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }

    /// Returns the dependency file of `compiled`.
    pub fn dependencies(&self, compiled: &Path) -> Option<&PathBuf> {
        self.0.get(compiled)?.get("dependencies")
    }

    /// Returns the file of the compiled module.
    pub fn module(&self) -> Option<&PathBuf> {
        self.0.values().find_map(|outputs| outputs.get(MODULE))
    }

    /// Returns the map of the outputs that need no compiled module.
    pub fn without_module(&self) -> Self {
        self.filtered(|kind| kind != MODULE && !BESIDE_MODULE.contains(&kind))
    }

    /// Returns the map of the outputs that come with the compiled module.
    pub fn beside_module(&self) -> Self {
        self.filtered(|kind| BESIDE_MODULE.contains(&kind))
    }

    fn filtered(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let mut map = self.clone();
        map.0.values_mut().for_each(|outputs| outputs.retain(|kind, _| is_kept(kind)));
        Self(map.0)
    }

    /// Writes the map to `path`.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, serde_json::to_string(&self.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_a_module_are_separated() {
        let text = r#"{"a.swift": {"swiftmodule": "m.swiftmodule", "swiftdoc": "m.swiftdoc", "dependencies": "a.d"}}"#;
        let Ok(map) = OutputMap::read(text) else { panic!("the map is read") };
        assert_eq!(map.module(), Some(&PathBuf::from("m.swiftmodule")));
        let text = |map: OutputMap| serde_json::to_string(&map.0).unwrap_or_default();
        assert_eq!(text(map.without_module()), r#"{"a.swift":{"dependencies":"a.d"}}"#);
        assert_eq!(text(map.beside_module()), r#"{"a.swift":{"swiftdoc":"m.swiftdoc"}}"#);
    }
}
