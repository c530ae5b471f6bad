//! The orders in which passes run: from raw SIL to canonical SIL (`guaranteed`), from there to fast code (`performance`, with the list in
//! `performance_passes`), and to the form that IRGen takes (`lowering`).
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
