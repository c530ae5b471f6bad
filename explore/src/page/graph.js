// The picture of a function's control-flow graph: blocks in layers by their distance from the entry, edges between them.
const GRAPH = { character: 6.7, lineHeight: 14, padding: 6, gapX: 28, gapY: 44, longestLine: 64, mostLines: 12 };

// The page brings an empty picture, which knows the namespace of its kind.
const SVG_NAMESPACE = document.querySelector('#graph-picture svg').namespaceURI;

function svgElement(name, attributes, text) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
}

// The lines that a block's box shows.
function linesInBox(block, lines) {
  const all = lines.slice(block.first_line - 1, block.last_line).map((line) => line.replace(/\s*\/\/.*/, '').trim()).filter(Boolean);
  const shown = all.length > GRAPH.mostLines ? [...all.slice(0, GRAPH.mostLines - 2), '…', all.at(-1)] : all;
  return shown.map((line) => (line.length > GRAPH.longestLine ? `${line.slice(0, GRAPH.longestLine - 1)}…` : line));
}

// Depth-first: the edges that go back to a block under way, and the blocks so that each comes before those it leads to.
// The last successor is visited first, so that the first stands leftmost.
function traverse(blocks) {
  const [back, order, under] = [new Set(), [], new Map()];
  const stack = blocks.length ? [[0, 0]] : [];
  under.set(0, true);
  while (stack.length) {
    const top = stack.at(-1);
    const [block, next] = top;
    if (next === blocks[block].successors.length) {
      under.set(block, false);
      order.push(block);
      stack.pop();
      continue;
    }
    top[1]++;
    const target = blocks[block].successors.at(-1 - next);
    if (under.get(target)) {
      back.add(`${block} ${target}`);
    } else if (!under.has(target)) {
      under.set(target, true);
      stack.push([target, 0]);
    }
  }
  return { back, order: order.reverse() };
}

// The layer of each block: one more than the deepest of the blocks that lead to it. Unreachable blocks stand in the first.
function layersOf(blocks, back, order) {
  const layer = blocks.map(() => 0);
  for (const block of order) {
    for (const target of blocks[block].successors) {
      if (!back.has(`${block} ${target}`)) {
        layer[target] = Math.max(layer[target], layer[block] + 1);
      }
    }
  }
  const layers = [];
  for (const block of [...order, ...blocks.keys()].filter((block, at, all) => all.indexOf(block) === at)) {
    (layers[layer[block]] ??= []).push(block);
  }
  return layers;
}

// Places the boxes, each layer in the middle, blocks ordered by the middle of those that lead to them.
function placeBoxes(blocks, lines) {
  const { back, order } = traverse(blocks);
  const boxes = blocks.map((block) => {
    const text = linesInBox(block, lines);
    const longest = Math.max(...text.map((line) => line.length), 8);
    return { text, width: longest * GRAPH.character + 2 * GRAPH.padding, height: text.length * GRAPH.lineHeight + 2 * GRAPH.padding };
  });
  const layers = layersOf(blocks, back, order);
  const widths = layers.map((layer) => layer.reduce((sum, block) => sum + boxes[block].width + GRAPH.gapX, -GRAPH.gapX));
  const width = Math.max(...widths, 0) + 4 * GRAPH.gapX;
  let y = GRAPH.padding;
  const middle = (block) => {
    const before = blocks.keys().filter((other) => boxes[other].x !== undefined && blocks[other].successors.includes(block)).toArray();
    return before.reduce((sum, other) => sum + boxes[other].x + boxes[other].width / 2, 0) / (before.length || 1);
  };
  for (const [at, layer] of layers.entries()) {
    const middles = new Map(layer.map((block) => [block, middle(block)]));
    layer.sort((one, other) => middles.get(one) - middles.get(other));
    let x = (width - widths[at]) / 2;
    for (const block of layer) {
      Object.assign(boxes[block], { x, y });
      x += boxes[block].width + GRAPH.gapX;
    }
    y += Math.max(...layer.map((block) => boxes[block].height)) + GRAPH.gapY;
  }
  return { boxes, back, width, height: y };
}

function edgePath(from, to, isBack, at, count) {
  const startX = from.x + (from.width * (at + 1)) / (count + 1);
  const [startY, endX, endY] = [from.y + from.height, to.x + to.width / 2, to.y];
  if (!isBack) {
    return `M${startX},${startY} C${startX},${startY + 24} ${endX},${endY - 24} ${endX},${endY}`;
  }
  const side = Math.max(from.x + from.width, to.x + to.width) + GRAPH.gapX;
  return `M${startX},${startY} C${startX},${startY + 30} ${side},${startY + 30} ${side},${(startY + endY) / 2} S${to.x + to.width},${endY - 30} ${endX + 12},${endY}`;
}

function drawBlock(box, block, choose) {
  const group = svgElement('g', { class: 'block', tabindex: 0, role: 'button', 'aria-label': block.label });
  group.append(svgElement('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4 }));
  for (const [at, line] of box.text.entries()) {
    group.append(svgElement('text', { x: box.x + GRAPH.padding, y: box.y + GRAPH.padding + (at + 0.8) * GRAPH.lineHeight }, line));
  }
  group.addEventListener('click', () => choose(block.first_line));
  group.addEventListener('keydown', (event) => event.key === 'Enter' && choose(block.first_line));
  return group;
}

// The graph of a function as an SVG element; `choose` is called with a line when a block is picked.
function drawGraph(one, lines, choose) {
  const { boxes, back, width, height } = placeBoxes(one.blocks, lines);
  const svg = svgElement('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  const marker = svgElement('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' });
  marker.append(svgElement('path', { d: 'M0,0 L8,4 L0,8 z', fill: 'currentColor' }));
  svg.append(marker);
  for (const [index, block] of one.blocks.entries()) {
    for (const [at, target] of block.successors.entries()) {
      const isBack = back.has(`${index} ${target}`);
      const d = edgePath(boxes[index], boxes[target], isBack, at, block.successors.length);
      svg.append(svgElement('path', { d, class: isBack ? 'edge back' : 'edge', 'marker-end': 'url(#arrow)' }));
    }
  }
  svg.append(...one.blocks.map((block, index) => drawBlock(boxes[index], block, choose)));
  return svg;
}
