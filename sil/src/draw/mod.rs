//! Pictures of functions: the control-flow graph as Graphviz text or as SVG.

mod graph;
mod graphviz;
mod layout;
mod svg;

use crate::model::{Body, Function, Module};

use graph::Graph;

/// What a picture is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureFormat {
    /// Text for Graphviz's `dot`.
    Graphviz,
    /// A picture that browsers show.
    Svg,
    /// The same picture for a page that says what its classes look like.
    SvgInPage,
}

/// The control-flow graph of `body`, which is that of `function` in `module`: a box per block, with its instructions.
pub fn draw_control_flow(module: &Module, function: &Function, body: &Body, format: PictureFormat) -> String {
    let graph = Graph::new(module, function, body);
    match format {
        PictureFormat::Graphviz => graphviz::write(&graph),
        PictureFormat::Svg => svg::write(&graph, svg::Surroundings::Alone),
        PictureFormat::SvgInPage => svg::write(&graph, svg::Surroundings::Page),
    }
}
