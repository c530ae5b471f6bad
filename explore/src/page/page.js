// The page: what is chosen, what lights up with it, tabs, functions, findings and keys.
const byId = (id) => document.getElementById(id);
const dataOf = (id) => JSON.parse(byId(id).textContent);
const linesOf = (text) => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

const moduleData = dataOf('module');
const variants = new Map();
// The pictures of all functions, read when the first is shown.
let graphs = null;
const findingsOf = Map.groupBy(moduleData.findings, (finding) => finding.line);
// The origin that is lit, and the listing and line that were chosen.
const state = { variant: null, origin: 0, listing: null, line: 0, functions: moduleData.functions };

// A variant's listings, read when its tab is opened first.
function variantAt(index) {
  if (!variants.has(index)) {
    const data = dataOf(`variant-${index}`);
    for (const side of [data.ir, data.assembly]) {
      side.lines = linesOf(side.text);
      side.lineOf = new Map(side.functions);
      side.linesFrom = Map.groupBy(side.origins.keys(), (line) => side.origins[line]);
    }
    variants.set(index, data);
  }
  return variants.get(index);
}

const originOf = {
  sil: (line) => line,
  ir: (line) => state.variant?.ir.origins[line - 1] ?? 0,
  assembly: (line) => state.variant?.assembly.origins[line - 1] ?? 0,
};

function classesOf(name, line) {
  const classes = [];
  if (state.origin && originOf[name](line) === state.origin) {
    classes.push('lit');
  }
  if (state.listing === name && state.line === line) {
    classes.push('chosen');
  }
  if (name === 'sil' && findingsOf.has(line)) {
    classes.push(findingsOf.get(line)[0].severity);
  }
  return classes.join(' ');
}

const listings = {};
for (const name of ['sil', 'ir', 'assembly']) {
  listings[name] = new Listing(byId(name), {
    language: name,
    describe: (line) => classesOf(name, line),
    choose: (line) => choose(name, line),
  });
}
const functionList = new Listing(byId('functions'), {
  describe: (line) => (state.functions[line - 1] === currentFunction() ? 'chosen' : ''),
  choose: (line) => openFunction(state.functions[line - 1]),
});

// Chooses a line: everything of the same origin lights up and comes into sight.
function choose(name, line) {
  Object.assign(state, { listing: name, line, origin: originOf[name](line) });
  for (const other of Object.keys(listings)) {
    listings[other].mark(other === name ? line : 0);
    if (other !== name && state.origin) {
      const first = firstLineOf(other, state.origin);
      if (first) {
        listings[other].reveal(first);
      }
    }
  }
  redraw();
  say();
}

function firstLineOf(name, origin) {
  if (name === 'sil') {
    return origin;
  }
  const lines = state.variant?.[name].linesFrom.get(origin);
  return lines ? lines[0] + 1 : 0;
}

function redraw() {
  for (const listing of [...Object.values(listings), functionList]) {
    listing.redraw();
  }
}

function say() {
  const found = (findingsOf.get(state.origin) ?? []).map((finding) => `${finding.severity}: ${finding.message}`);
  const counts = ['ir', 'assembly'].map((name) => state.variant?.[name].linesFrom.get(state.origin)?.length ?? 0);
  const became = state.variant ? `${counts[0]} lines of LLVM IR, ${counts[1]} of assembly` : '';
  const where = state.origin ? `SIL line ${state.origin}: ${became}` : state.line ? 'this line came from no instruction of SIL' : '';
  byId('status').textContent = [where, ...found].filter(Boolean).join(' — ');
}

function currentFunction() {
  const at = state.origin;
  return moduleData.functions.find((one) => one.first_line <= at && at <= one.last_line);
}

function openFunction(one) {
  if (!one) {
    return;
  }
  listings.sil.reveal(one.first_line);
  choose('sil', one.first_line);
  for (const name of ['ir', 'assembly']) {
    const line = state.variant?.[name].lineOf.get(one.symbol);
    if (line) {
      listings[name].reveal(line);
    }
  }
}

function step(by) {
  const all = moduleData.functions;
  const index = all.indexOf(currentFunction());
  openFunction(all[Math.min(all.length - 1, Math.max(0, index + by))]);
}

function showVariant(index) {
  if (!moduleData.variants[index]) {
    return;
  }
  state.variant = variantAt(index);
  for (const [at, tab] of [...byId('tabs').children].entries()) {
    tab.setAttribute('aria-selected', String(at === index));
    tab.tabIndex = at === index ? 0 : -1;
  }
  listings.ir.setLines(state.variant.ir.lines);
  listings.assembly.setLines(state.variant.assembly.lines);
  if (state.origin) {
    choose('sil', state.origin);
  }
}

function filterFunctions() {
  const wanted = byId('filter').value.toLowerCase();
  const matches = (one) => one.name.toLowerCase().includes(wanted) || one.symbol.toLowerCase().includes(wanted);
  state.functions = moduleData.functions.filter(matches);
  functionList.setLines(state.functions.map((one) => one.name));
  byId('function-count').textContent = `${state.functions.length} of ${moduleData.functions.length}`;
}

// Shows the graph of the function at hand; a block in it leads back to the text.
function showGraph() {
  const one = currentFunction() ?? moduleData.functions[0];
  if (!one) {
    return;
  }
  graphs ??= dataOf('graphs');
  byId('graph-title').textContent = one.name;
  byId('graph-picture').innerHTML = graphs[moduleData.functions.indexOf(one)];
  for (const [index, block] of [...document.querySelectorAll('#graph-picture .block')].entries()) {
    const open = () => {
      byId('graph').close();
      listings.sil.reveal(one.block_lines[index]);
      choose('sil', one.block_lines[index]);
    };
    block.tabIndex = 0;
    block.setAttribute('role', 'button');
    block.addEventListener('click', open);
    block.addEventListener('keydown', (event) => event.key === 'Enter' && open());
  }
  byId('graph').showModal();
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.classList.contains('dark') || (!root.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', !dark);
  root.classList.toggle('light', dark);
}

function clear() {
  Object.assign(state, { origin: 0, listing: null, line: 0 });
  redraw();
  say();
}

const KEYS = {
  n: () => step(1),
  p: () => step(-1),
  g: showGraph,
  d: toggleTheme,
  '?': () => byId('help').showModal(),
  '/': () => byId('filter').focus(),
  Escape: clear,
};

document.addEventListener('keydown', (event) => {
  if (event.target === byId('filter')) {
    if (event.key === 'Enter' || event.key === 'Escape') {
      byId('functions').focus();
    }
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) {
    return;
  }
  const action = KEYS[event.key] ?? (/^[1-9]$/.test(event.key) ? () => showVariant(event.key - 1) : null);
  if (action) {
    event.preventDefault();
    action();
  }
});

function addTabs() {
  for (const [index, name] of moduleData.variants.entries()) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = name;
    tab.setAttribute('role', 'tab');
    tab.addEventListener('click', () => showVariant(index));
    byId('tabs').append(tab);
  }
  byId('tabs').addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...byId('tabs').children];
    const next = by && tabs[tabs.indexOf(document.activeElement) + by];
    if (next) {
      next.focus();
      next.click();
    }
  });
}

function addFindings() {
  for (const finding of moduleData.findings) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = finding.severity;
    button.textContent = `${finding.severity}: ${finding.message}${finding.line ? ` (line ${finding.line})` : ''}`;
    button.addEventListener('click', () => {
      if (finding.line) {
        listings.sil.reveal(finding.line);
        choose('sil', finding.line);
      }
    });
    const item = document.createElement('li');
    item.append(button);
    byId('findings').append(item);
  }
}

byId('title').textContent = moduleData.title;
byId('show-graph').addEventListener('click', showGraph);
byId('show-help').addEventListener('click', KEYS['?']);
byId('theme').addEventListener('click', toggleTheme);
byId('filter').addEventListener('input', filterFunctions);
listings.sil.setLines(linesOf(moduleData.sil));
addTabs();
addFindings();
filterFunctions();
showVariant(0);
