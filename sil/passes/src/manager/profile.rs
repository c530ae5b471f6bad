//! Measures passes. They may run several times on the same input to reduce noise (`-sil-opt-profile-repeat`,
//! `SILPassManager::runPassOnFunction` in lib/SILOptimizer/PassManager/PassManager.cpp). Passes over the whole program
//! run once.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use crate::pass::settings::Settings;

/// Runs a closure and adds its run time.
pub(super) fn timed<R>(spent: &mut Duration, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let made = run();
    *spent += start.elapsed();
    made
}

/// Runs a closure without side effects as often as the settings ask for, and adds its run time.
pub(super) fn repeated<R>(settings: &Settings, spent: &mut Duration, run: impl Fn() -> R) -> R {
    timed(spent, || {
        for _ in 1..settings.repetitions.map_or(1, NonZeroU32::get) {
            drop(run());
        }
        run()
    })
}
