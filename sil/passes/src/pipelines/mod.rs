//! The pass pipelines: from raw to canonical SIL (`guaranteed`), from canonical to optimised SIL (`performance`, with
//! the list in `performance_passes`), and to the form that IRGen accepts (`lowering`).
//!
//! Does not own: the passes, and running them (`manager`).

mod guaranteed;
mod lowering;
mod performance;
mod performance_passes;

pub use self::guaranteed::{complete_canonical, make_canonical, make_canonical_recording, make_canonical_with};
pub use self::lowering::LOWERING_PASSES;
pub use self::performance::{Program, is_optimized, optimize};
pub use self::performance_passes::performance_passes;
