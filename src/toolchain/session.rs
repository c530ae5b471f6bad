//! The records that the jobs of one build leave for the report at its end: a file for each job, in a folder that the
//! build passes to them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The environment variable with the folder.
const FOLDER: &str = "SILC_SESSION";

/// The folder of a build, which is removed at its end.
pub struct Session {
    folder: tempfile::TempDir,
}

/// The record of one job.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// The module.
    pub module: String,
    /// The number of objects that silc made.
    pub made: u64,
    /// The objects that the toolchain made, and why.
    pub fallen_back: Vec<FallenBack>,
    /// The run time of the frontend in seconds.
    pub frontend: f64,
    /// The run time of silc in seconds.
    pub silc: f64,
}

/// An object that the toolchain made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FallenBack {
    /// The source file, or the module for a whole-module job.
    pub name: String,
    /// The reason why silc did not make it.
    pub reason: String,
}

impl Session {
    /// Begins a build.
    pub fn new() -> std::io::Result<Self> {
        tempfile::Builder::new().prefix("silc-session-").tempdir().map(|folder| Self { folder })
    }

    /// Returns the environment variable for the jobs.
    pub fn environment(&self) -> (&'static str, OsString) {
        (FOLDER, self.folder.path().into())
    }

    /// Returns the records of all jobs, in the order of their modules.
    pub fn records(&self) -> Vec<Record> {
        let files = std::fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        let mut records: Vec<Record> = texts.filter_map(|text| Record::of_text(&text)).collect();
        records.sort_by(|a, b| (&a.module, a.names()).cmp(&(&b.module, b.names())));
        records
    }
}

/// Returns the folder for the records of a build's jobs, if there is such a build.
pub fn folder_of_environment() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from).filter(|folder| folder.is_dir())
}

impl Record {
    /// Writes the record to a folder. If writing fails, it is only missing from the report.
    pub fn leave_in(&self, folder: &Path) {
        let fallen_back: Vec<Value> =
            self.fallen_back.iter().map(|file| json!({ "name": file.name, "reason": file.reason })).collect();
        let record = json!({
            "module": self.module, "made": self.made, "fallen_back": fallen_back, "frontend": self.frontend, "silc": self.silc,
        });
        let named = tempfile::Builder::new().prefix("job-").tempfile_in(folder);
        let written = named.and_then(|file| std::fs::write(file.path(), record.to_string()).map(|()| file));
        let _ = written.map(tempfile::NamedTempFile::keep);
    }

    fn of_text(text: &str) -> Option<Self> {
        let record: Value = serde_json::from_str(text).ok()?;
        let string = |value: &Value| value.as_str().map(str::to_owned);
        let files = record["fallen_back"].as_array()?.iter();
        let fallen_back = files
            .filter_map(|file| Some(FallenBack { name: string(&file["name"])?, reason: string(&file["reason"])? }))
            .collect();
        Some(Self {
            module: string(&record["module"])?,
            made: record["made"].as_u64()?,
            fallen_back,
            frontend: record["frontend"].as_f64()?,
            silc: record["silc"].as_f64()?,
        })
    }

    fn names(&self) -> Vec<&str> {
        self.fallen_back.iter().map(|file| file.name.as_str()).collect()
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_jobs_leave_is_found() {
        let session = Session::new().expect("tests may make folders");
        let fallen_back = vec![FallenBack { name: "a.swift".into(), reason: "\"why\"".into() }];
        let records = ["b", "a"].map(|module| Record {
            module: module.into(),
            made: 2,
            fallen_back: fallen_back.clone(),
            frontend: 0.5,
            silc: 0.25,
        });
        records.iter().for_each(|record| record.leave_in(session.folder.path()));
        let [b, a] = records;
        assert_eq!(session.records(), [a, b]);
    }
}
