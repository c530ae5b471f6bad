//! Completes lifetimes that are not ended on some paths (lib/SIL/Utils/OSSALifetimeCompletion.cpp): at the availability
//! boundary in `availability`, at the liveness boundary in `liveness`. Does not own: the choice of values.

pub(crate) mod availability;
pub(crate) mod liveness;
