//! Places boxes in layers and edges between them, after Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of
//! Hierarchical System Structures": back edges are turned, layers are longest paths, long edges get a bend in each
//! layer, and boxes are moved towards their neighbours. Sizes and places are in pixels.

/// Between boxes of a layer.
const GAP: f64 = 36.0;
/// Between layers.
const LAYER_GAP: f64 = 64.0;
/// The width of a bend in its layer.
const BEND_WIDTH: f64 = 12.0;
/// How often layers are sorted and moved.
const SWEEPS: usize = 12;

/// The graph to place.
pub struct Request<'a> {
    /// Width and height of each box.
    pub sizes: &'a [(f64, f64)],
    /// From and to, by the numbers of boxes. The first box is the entry.
    pub edges: &'a [(usize, usize)],
}

/// Where everything is.
pub struct Layout {
    /// The upper left corner of each box.
    pub corners: Vec<(f64, f64)>,
    /// The points that each edge goes through, from its first box to its last.
    pub routes: Vec<Route>,
    /// The size of the whole.
    pub size: (f64, f64),
}

/// The way of an edge.
pub struct Route {
    pub points: Vec<(f64, f64)>,
    /// Whether it leads back, against the flow.
    pub direction: Direction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Back,
    /// From a box to itself.
    Itself,
}

/// Places boxes and edges.
pub fn place(request: &Request<'_>) -> Layout {
    let directions = directions(request);
    let layers = layers(request, &directions);
    let mut drawing = Drawing::new(request, &directions, &layers);
    for sweep in 0..SWEEPS {
        drawing.sort(if sweep % 2 == 0 { Neighbours::Above } else { Neighbours::Below });
    }
    drawing.pack();
    for sweep in 0..SWEEPS {
        drawing.align(if sweep % 2 == 0 { Neighbours::Below } else { Neighbours::Above });
    }
    drawing.finish(request, &directions)
}

/// Which edges lead to a box that is still open in a walk from the entry.
fn directions(request: &Request<'_>) -> Vec<Direction> {
    let count = request.sizes.len();
    let mut outgoing = vec![Vec::new(); count];
    for (edge, (from, _)) in request.edges.iter().enumerate() {
        outgoing[*from].push(edge);
    }
    let mut directions = vec![Direction::Forward; request.edges.len()];
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    for root in 0..count {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        open[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(edge) = outgoing[*node].get(*next).copied() else {
                open[*node] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            let (from, to) = request.edges[edge];
            if from == to {
                directions[edge] = Direction::Itself;
            } else if open[to] {
                directions[edge] = Direction::Back;
            } else if !std::mem::replace(&mut seen[to], true) {
                open[to] = true;
                stack.push((to, 0));
            }
        }
    }
    directions
}

/// An edge as it lies in the layers, from above to below; none for an edge from a box to itself.
fn downwards((from, to): (usize, usize), direction: Direction) -> Option<(usize, usize)> {
    match direction {
        Direction::Forward => Some((from, to)),
        Direction::Back => Some((to, from)),
        Direction::Itself => None,
    }
}

/// The layer of each box: the longest path that leads to it.
fn layers(request: &Request<'_>, directions: &[Direction]) -> Vec<usize> {
    let count = request.sizes.len();
    let mut below = vec![Vec::new(); count];
    let mut waits_for = vec![0; count];
    for (edge, direction) in request.edges.iter().zip(directions) {
        if let Some((upper, lower)) = downwards(*edge, *direction) {
            below[upper].push(lower);
            waits_for[lower] += 1;
        }
    }
    let mut layers = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|node| waits_for[*node] == 0).collect();
    while let Some(node) = ready.pop() {
        for lower in &below[node] {
            layers[*lower] = layers[*lower].max(layers[node] + 1);
            waits_for[*lower] -= 1;
            if waits_for[*lower] == 0 {
                ready.push(*lower);
            }
        }
    }
    layers
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbours {
    Above,
    Below,
}

/// A box, or a bend of an edge. Boxes come first, with their own numbers.
struct Node {
    width: f64,
    height: f64,
    /// The middle.
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

/// How far up and down the layer of a node reaches.
#[derive(Clone, Copy)]
struct Row {
    top: f64,
    bottom: f64,
}

struct Drawing {
    nodes: Vec<Node>,
    /// The nodes of each layer, from left to right.
    layers: Vec<Vec<usize>>,
    /// The nodes that each edge goes through, from above to below.
    chains: Vec<Vec<usize>>,
}

impl Drawing {
    fn new(request: &Request<'_>, directions: &[Direction], layer_of: &[usize]) -> Self {
        let node = |(width, height): (f64, f64)| Node { width, height, x: 0.0, above: Vec::new(), below: Vec::new() };
        let mut nodes: Vec<Node> = request.sizes.iter().map(|size| node(*size)).collect();
        let depth = layer_of.iter().max().map_or(0, |last| last + 1);
        let mut layers = vec![Vec::new(); depth];
        for (number, layer) in layer_of.iter().enumerate() {
            layers[*layer].push(number);
        }
        let mut chains = Vec::with_capacity(request.edges.len());
        for (edge, direction) in request.edges.iter().zip(directions) {
            let mut chain = Vec::new();
            if let Some((upper, lower)) = downwards(*edge, *direction) {
                chain.push(upper);
                for layer in layers.iter_mut().take(layer_of[lower]).skip(layer_of[upper] + 1) {
                    layer.push(nodes.len());
                    chain.push(nodes.len());
                    nodes.push(node((BEND_WIDTH, 0.0)));
                }
                chain.push(lower);
            }
            for pair in chain.windows(2) {
                nodes[pair[0]].below.push(pair[1]);
                nodes[pair[1]].above.push(pair[0]);
            }
            chains.push(chain);
        }
        Self { nodes, layers, chains }
    }

    fn neighbours(&self, node: usize, side: Neighbours) -> &[usize] {
        match side {
            Neighbours::Above => &self.nodes[node].above,
            Neighbours::Below => &self.nodes[node].below,
        }
    }

    /// The numbers of layers in the order in which they follow their neighbours on `side`.
    fn order(&self, side: Neighbours) -> Vec<usize> {
        match side {
            Neighbours::Above => (0..self.layers.len()).collect(),
            Neighbours::Below => (0..self.layers.len()).rev().collect(),
        }
    }

    /// Sorts each layer by the middle of its neighbours' positions, so that fewer edges cross.
    fn sort(&mut self, side: Neighbours) {
        let mut positions = vec![0.0; self.nodes.len()];
        for layer in &self.layers {
            for (position, node) in layer.iter().enumerate() {
                positions[*node] = position as f64;
            }
        }
        for layer in self.order(side) {
            let mut nodes = std::mem::take(&mut self.layers[layer]);
            let keys: Vec<f64> = nodes
                .iter()
                .map(|node| mean(self.neighbours(*node, side), |near| positions[near]).unwrap_or(positions[*node]))
                .collect();
            let mut order: Vec<usize> = (0..nodes.len()).collect();
            order.sort_by(|left, right| keys[*left].total_cmp(&keys[*right]));
            nodes = order.iter().map(|index| nodes[*index]).collect();
            for (position, node) in nodes.iter().enumerate() {
                positions[*node] = position as f64;
            }
            self.layers[layer] = nodes;
        }
    }

    /// Sets the nodes of each layer side by side.
    fn pack(&mut self) {
        for layer in &self.layers {
            let mut x = 0.0;
            for node in layer {
                let node = &mut self.nodes[*node];
                node.x = x + node.width / 2.0;
                x += node.width + GAP;
            }
        }
    }

    /// Moves the nodes of each layer towards the middle of their neighbours, without changing their order.
    fn align(&mut self, side: Neighbours) {
        for layer in self.order(side) {
            let nodes = &self.layers[layer];
            let wanted: Vec<f64> = nodes
                .iter()
                .map(|node| {
                    mean(self.neighbours(*node, side), |near| self.nodes[near].x).unwrap_or(self.nodes[*node].x)
                })
                .collect();
            let widths: Vec<f64> = nodes.iter().map(|node| self.nodes[*node].width).collect();
            for (node, x) in nodes.clone().into_iter().zip(spread(&wanted, &widths)) {
                self.nodes[node].x = x;
            }
        }
    }

    fn finish(mut self, request: &Request<'_>, directions: &[Direction]) -> Layout {
        let left = self.nodes.iter().map(|node| node.x - node.width / 2.0).fold(f64::INFINITY, f64::min);
        for node in &mut self.nodes {
            node.x -= left;
        }
        let mut rows = vec![Row { top: 0.0, bottom: 0.0 }; self.nodes.len()];
        let mut y = 0.0;
        for layer in &self.layers {
            let height = layer.iter().map(|node| self.nodes[*node].height).fold(0.0, f64::max);
            for node in layer {
                rows[*node] = Row { top: y, bottom: y + height };
            }
            y += height + LAYER_GAP;
        }
        let ports = Ports::new(&self);
        let mut routes = Vec::new();
        for (edge, direction) in directions.iter().enumerate() {
            let mut points = self.points(edge, &ports, &rows);
            match direction {
                Direction::Forward => {}
                Direction::Back => points.reverse(),
                Direction::Itself => points = self.loop_points(request.edges[edge].0, &rows),
            }
            routes.push(Route { points, direction: *direction });
        }
        let boxes = request.sizes.len();
        let corners =
            (0..boxes).map(|node| (self.nodes[node].x - self.nodes[node].width / 2.0, rows[node].top)).collect();
        let width = self.nodes.iter().map(|node| node.x + node.width / 2.0).fold(0.0, f64::max);
        Layout { corners, routes, size: (width, (y - LAYER_GAP).max(0.0)) }
    }

    /// The points of an edge from above to below: where it leaves, both ends of the layers it passes, where it arrives.
    fn points(&self, edge: usize, ports: &Ports, rows: &[Row]) -> Vec<(f64, f64)> {
        let [upper, bends @ .., lower] = self.chains[edge].as_slice() else { return Vec::new() };
        let mut points = vec![(ports.leaving[edge], rows[*upper].top + self.nodes[*upper].height)];
        for bend in bends {
            points.push((self.nodes[*bend].x, rows[*bend].top));
            points.push((self.nodes[*bend].x, rows[*bend].bottom));
        }
        points.push((ports.arriving[edge], rows[*lower].top));
        points
    }

    /// From the lower right corner around to the upper right one.
    fn loop_points(&self, node: usize, rows: &[Row]) -> Vec<(f64, f64)> {
        let found = &self.nodes[node];
        let (right, top) = (found.x + found.width / 2.0, rows[node].top);
        vec![
            (right, top + found.height - 8.0),
            (right + GAP / 2.0, top + found.height - 8.0),
            (right + GAP / 2.0, top + 8.0),
            (right, top + 8.0),
        ]
    }
}

/// Where edges leave and reach their boxes, by edge.
struct Ports {
    leaving: Vec<f64>,
    arriving: Vec<f64>,
}

impl Ports {
    fn new(drawing: &Drawing) -> Self {
        let count = drawing.chains.len();
        let (mut below, mut above) = (vec![Vec::new(); drawing.nodes.len()], vec![Vec::new(); drawing.nodes.len()]);
        for (edge, chain) in drawing.chains.iter().enumerate() {
            if let ([upper, next, ..], [.., previous, lower]) = (chain.as_slice(), chain.as_slice()) {
                below[*upper].push((edge, drawing.nodes[*next].x));
                above[*lower].push((edge, drawing.nodes[*previous].x));
            }
        }
        let mut ports = Self { leaving: vec![0.0; count], arriving: vec![0.0; count] };
        for (node, (mut below, mut above)) in below.into_iter().zip(above).enumerate() {
            spread_ports(&drawing.nodes[node], &mut below, &mut ports.leaving);
            spread_ports(&drawing.nodes[node], &mut above, &mut ports.arriving);
        }
        ports
    }
}

/// Gives the edges at one side of a box their places, in the order of where they come from.
fn spread_ports(node: &Node, edges: &mut [(usize, f64)], places: &mut [f64]) {
    edges.sort_by(|left, right| left.1.total_cmp(&right.1));
    let step = node.width / (edges.len() + 1) as f64;
    for (index, (edge, _)) in edges.iter().enumerate() {
        places[*edge] = node.x - node.width / 2.0 + step * (index + 1) as f64;
    }
}

fn mean(nodes: &[usize], position: impl Fn(usize) -> f64) -> Option<f64> {
    let sum: f64 = nodes.iter().map(|node| position(*node)).sum();
    (!nodes.is_empty()).then(|| sum / nodes.len() as f64)
}

/// The places closest to those wanted that keep the order and the gaps: nodes that would overlap form a group, which
/// moves as one.
fn spread(wanted: &[f64], widths: &[f64]) -> Vec<f64> {
    struct Group {
        /// Where the first node of the group should be, by the mean of all.
        place: f64,
        count: usize,
        width: f64,
    }
    let mut groups: Vec<Group> = Vec::new();
    for (wanted, width) in wanted.iter().zip(widths) {
        let mut group = Group { place: wanted - width / 2.0, count: 1, width: width + GAP };
        while let Some(left) = groups.pop_if(|left| left.place + left.width > group.place) {
            let count = left.count + group.count;
            let place = left.place * left.count as f64 + (group.place - left.width) * group.count as f64;
            group = Group { place: place / count as f64, count, width: left.width + group.width };
        }
        groups.push(group);
    }
    let mut places = Vec::with_capacity(widths.len());
    for group in groups {
        let mut x = group.place;
        for _ in 0..group.count {
            let width = widths[places.len()];
            places.push(x + width / 2.0);
            x += width + GAP;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (f64, f64) = (100.0, 40.0);

    fn placed(count: usize, edges: &[(usize, usize)]) -> Layout {
        place(&Request { sizes: &vec![SIZE; count], edges })
    }

    fn overlap(left: (f64, f64), right: (f64, f64)) -> bool {
        (left.0 - right.0).abs() < SIZE.0 && (left.1 - right.1).abs() < SIZE.1
    }

    #[test]
    fn boxes_do_not_overlap() {
        let edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 5), (4, 5), (5, 1), (2, 2), (0, 5)];
        let layout = placed(6, &edges);
        for left in 0..6 {
            for right in 0..left {
                assert!(!overlap(layout.corners[left], layout.corners[right]), "{left} and {right}");
            }
        }
    }

    #[test]
    fn a_diamond_has_its_ends_in_the_middle() {
        let layout = placed(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let [entry, left, right, join] = layout.corners[..] else { panic!("four boxes were placed") };
        assert!(entry.1 < left.1 && left.1 == right.1 && right.1 < join.1);
        assert!((entry.0 - join.0).abs() < 1.0 && left.0 < entry.0 && entry.0 < right.0);
    }

    #[test]
    fn loops_lead_back() {
        let layout = placed(3, &[(0, 1), (1, 1), (1, 0), (1, 2)]);
        let directions: Vec<Direction> = layout.routes.iter().map(|route| route.direction).collect();
        assert_eq!(directions, [Direction::Forward, Direction::Itself, Direction::Back, Direction::Forward]);
        let back = &layout.routes[2].points;
        assert!(back[0].1 > back[back.len() - 1].1);
    }

    #[test]
    fn a_long_edge_bends_around_the_layers_between() {
        let layout = placed(3, &[(0, 1), (1, 2), (0, 2)]);
        assert_eq!(layout.routes[0].points.len(), 2);
        assert_eq!(layout.routes[2].points.len(), 4);
    }
}
