//! How long passes take: they may run several times on what there was before, so that more than chance is measured (`-sil-opt-profile-repeat`,
//! `SILPassManager::runPassOnFunction` in lib/SILOptimizer/PassManager/PassManager.cpp). Those over the program as a whole run once.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use super::Pass;
use super::settings::Settings;

/// How long each pass ran, in the order in which they ran first.
#[derive(Clone, Default, Debug)]
pub struct PassTimes(Vec<(Pass, Duration)>);

impl PassTimes {
    /// Adds the time of a run.
    pub(super) fn add(&mut self, pass: Pass, time: Duration) {
        match self.0.iter_mut().find(|(known, _)| *known == pass) {
            Some((_, total)) => *total += time,
            None => self.0.push((pass, time)),
        }
    }

    /// Adds other runs.
    pub fn append(&mut self, others: PassTimes) {
        others.0.into_iter().for_each(|(pass, time)| self.add(pass, time));
    }

    /// The passes with their times.
    pub fn iter(&self) -> impl Iterator<Item = (Pass, Duration)> + '_ {
        self.0.iter().copied()
    }
}

/// Does something, and adds the time that it takes.
pub(super) fn timed<R>(spent: &mut Duration, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let made = run();
    *spent += start.elapsed();
    made
}

/// Does as often as the settings say what changes nothing by itself, and adds the time that it takes.
pub(super) fn repeated<R>(settings: &Settings, spent: &mut Duration, run: impl Fn() -> R) -> R {
    timed(spent, || {
        for _ in 1..settings.repetitions.map_or(1, NonZeroU32::get) {
            drop(run());
        }
        run()
    })
}
