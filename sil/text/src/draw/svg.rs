//! A graph as an SVG picture, in colours that follow the viewer's light or dark mode.

use std::fmt::Write;

use super::graph::{Graph, TextBox};
use super::layout::{self, Direction, Layout, Request, Route};

/// The width of a character of the monospaced font.
const CHARACTER: f64 = 6.65;
const LINE: f64 = 15.0;
/// Between text and the border of its box.
const PADDING: f64 = 8.0;
/// Around the whole picture.
const MARGIN: f64 = 24.0;
const TITLE: f64 = 28.0;

const STYLE: &str = "\
    svg { --paper: #ffffff; --ink: #1f2328; --box: #f6f8fa; --head: #ddf4ff; --line: #57606a; --back: #9a6700 }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #0d1117; --ink: #e6edf3; --box: #161b22; --head: #12304d; --line: #9198a1; --back: #d29922 }
    }
    .paper { fill: var(--paper) }
    .box { fill: var(--box); stroke: var(--line) }
    .head { fill: var(--head) }
    text { fill: var(--ink); font: 11px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }
    .title { font-size: 14px; font-weight: bold }
    .label { font-weight: bold }
    .edge { fill: none; stroke: var(--line); stroke-width: 1.3 }
    .back { stroke: var(--back); stroke-dasharray: 5 3 }
    .arrow { fill: var(--line) }
    .arrow-back { fill: var(--back) }
    .when { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; font-style: italic }";

/// Where a picture is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Surroundings {
    /// As a file of its own: with its title and style.
    Alone,
    /// In a page that has both.
    Page,
}

/// The picture.
pub fn write(graph: &Graph, surroundings: Surroundings) -> String {
    let sizes: Vec<(f64, f64)> = graph.boxes.iter().map(size).collect();
    let edges: Vec<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let layout = layout::place(&Request { sizes: &sizes, edges: &edges });
    let mut picture = Picture { out: String::new() };
    picture.start(graph, &layout, surroundings);
    for route in &layout.routes {
        picture.edge(route);
    }
    for (found, (corner, size)) in graph.boxes.iter().zip(layout.corners.iter().zip(&sizes)) {
        picture.text_box(found, *corner, *size);
    }
    for (edge, route) in graph.edges.iter().zip(&layout.routes) {
        picture.when(&edge.label, route);
    }
    picture.line("</g>\n</svg>");
    picture.out
}

fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

fn size(found: &TextBox) -> (f64, f64) {
    let widest = found.lines.iter().map(|line| width(line)).fold(width(&found.label), f64::max);
    let lines = found.lines.len() + 1;
    (widest + 2.0 * PADDING, lines as f64 * LINE + 2.0 * PADDING)
}

struct Picture {
    out: String,
}

impl Picture {
    fn line(&mut self, text: impl std::fmt::Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn start(&mut self, graph: &Graph, layout: &Layout, surroundings: Surroundings) {
        let width = layout.size.0.max(width(&graph.title) * 14.0 / 11.0) + 2.0 * MARGIN;
        let height = layout.size.1 + TITLE + 2.0 * MARGIN;
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">"
        ));
        let title = escaped(&graph.title);
        if surroundings == Surroundings::Alone {
            self.line(format_args!("<title>{title}</title>\n<style>\n{STYLE}\n</style>"));
        }
        self.line("<defs>");
        for class in ["arrow", "arrow-back"] {
            self.line(format_args!(
                "<marker id=\"{class}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
                 <path class=\"{class}\" d=\"M0 0.5 L8 4 L0 7.5 z\"/></marker>"
            ));
        }
        self.line("</defs>");
        if surroundings == Surroundings::Alone {
            self.line("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
            self.line(format_args!("<text class=\"title\" x=\"{MARGIN}\" y=\"{}\">{title}</text>", MARGIN + 4.0));
        }
        self.line(format_args!("<g transform=\"translate({MARGIN} {})\">", MARGIN + TITLE));
    }

    fn text_box(&mut self, found: &TextBox, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.line("<g class=\"block\">");
        self.line(format_args!(
            "<rect class=\"box\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/>"
        ));
        self.line(format_args!(
            "<rect class=\"head\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
            x + 1.0,
            y + 1.0,
            width - 2.0,
            LINE + PADDING - 1.0
        ));
        self.text("label", x + PADDING, y + LINE, &found.label);
        for (index, line) in found.lines.iter().enumerate() {
            self.text("code", x + PADDING, y + PADDING / 2.0 + LINE * (index + 2) as f64, line);
        }
        self.line("</g>");
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.line(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text)));
    }

    fn edge(&mut self, route: &Route) {
        let (class, arrow) = match route.direction {
            Direction::Forward => ("edge", "arrow"),
            Direction::Back | Direction::Itself => ("edge back", "arrow-back"),
        };
        let path = path(route);
        self.line(format_args!("<path class=\"{class}\" marker-end=\"url(#{arrow})\" d=\"{path}\"/>"));
    }

    /// Writes when an edge is taken, beside where it leaves its box.
    fn when(&mut self, label: &str, route: &Route) {
        let Some((x, y)) = route.points.first().filter(|_| !label.is_empty()) else { return };
        let y = match route.direction {
            Direction::Forward => y + 16.0,
            Direction::Back => y - 8.0,
            Direction::Itself => y + 18.0,
        };
        self.text("when", x + 5.0, y, label);
    }
}

/// A curve through the points of an edge: straight where it passes a layer, an S between layers.
fn path(route: &Route) -> String {
    let mut path = String::new();
    let Some((first, rest)) = route.points.split_first() else { return path };
    // Writing to a string does not fail.
    let _ = write!(path, "M{:.1} {:.1}", first.0, first.1);
    let mut from = *first;
    for to in rest {
        if from.0 == to.0 || from.1 == to.1 {
            let _ = write!(path, " L{:.1} {:.1}", to.0, to.1);
        } else {
            let middle = f64::midpoint(from.1, to.1);
            let _ = write!(path, " C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", from.0, to.0, to.0, to.1);
        }
        from = *to;
    }
    path
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
