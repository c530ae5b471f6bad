//! Pictures of functions: the control-flow graph as Graphviz text or as SVG.

mod graph;
mod graphviz;
mod layout;
mod svg;

use sil_ir::model::{Body, Function, Module};

use graph::Graph;

/// The format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureFormat {
    /// Text for Graphviz's `dot`.
    Graphviz,
    /// A picture that browsers show.
    Svg,
    /// The same picture for a page that defines the style of its classes.
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
