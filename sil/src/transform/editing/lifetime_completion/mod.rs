//! Values whose lifetimes nothing ends on some ways (lib/SIL/Utils/OSSALifetimeCompletion.cpp): where they are there for the last time in
//! `availability`, where they are used for the last time in `liveness`. Does not own which values those are.

pub(in crate::transform) mod availability;
pub(in crate::transform) mod liveness;
