//! What several passes ask of values, memory and calls before they change anything. Analyses that hold for longer than one question are in `analysis`.

pub(super) mod aggregate_parts;
pub(super) mod array_semantics;
pub(super) mod captured_boxes;
pub(super) mod cast_feasibility;
pub(super) mod casts;
pub(super) mod constants;
pub(super) mod counting;
pub(super) mod dynamic_self;
pub(super) mod element_flow;
pub(super) mod elements;
pub(super) mod enum_cases;
pub(super) mod floats;
pub(super) mod global_values;
pub(super) mod init_accessors;
pub(super) mod lifetime_frontier;
pub(super) mod loop_graph;
pub(super) mod never_returning;
pub(super) mod numbers;
pub(super) mod operations;
pub(super) mod reference_questions;
pub(super) mod static_layouts;
pub(super) mod strings;
pub(super) mod visibility;
pub(super) mod witnesses;
