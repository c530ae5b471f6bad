//! `silc targets`: lists the supported targets.

use irgen::target::{SUPPORTED_TARGETS, Support};

use crate::report::{Status, print};

/// Lists the targets, with the tools that each needs to link and run.
pub fn list() -> Status {
    for target in SUPPORTED_TARGETS {
        let support = match target.support {
            Support::Executables => "executables",
            Support::Objects => "objects",
        };
        print(&format!("{:32} {support:12} link: {}; run: {}\n", target.triple, target.to_link, target.to_run));
    }
    Status::Done
}
