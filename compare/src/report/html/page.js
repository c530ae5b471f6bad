"use strict";
// Shows the data of the page: the summary, the list of symbols with its filters, and the rows of those that are unfolded.
// A row is [kind, content, note, A, B]; see the Rust side for its numbers.

const DATA = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = { "identical": "identical", "names": "equal up to names", "order": "equal up to order", "renamed": "renamed", "different": "different",
  "only-in-a": "only in A", "only-in-b": "only in B" };
const KINDS = ["function", "variable", "alias", "declaration"];
const ROW_CLASSES = ["same", "changed", "moved", "only-a", "only-b"];
const CONTEXT = 3;
const COUNTS = ["lines", "instructions", "calls", "retains", "releases", "allocations", "size"];

const $ = (id) => document.getElementById(id);
const element = (name, className, ...children) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
};

let comparison = DATA[0];
let shown = [];          // {symbol, details} of the list, in order
let current = -1;        // index in `shown`
let difference = null;   // the row that n and p went to

// ---- summary ----

function counts(symbol, name) {
  const side = (of) => of ? of[name] : undefined;
  const [a, b] = [side(symbol.a), side(symbol.b)];
  return a === b ? `${a ?? ""}` : `${a ?? "–"} → ${b ?? "–"}`;
}

function showSummary() {
  $("sides").textContent = `A: ${comparison.a}    B: ${comparison.b}`;
  const kinds = ["functions", "globals", "declarations"].filter((kind) => comparison.summary[kind]);
  const head = element("tr", "", element("th"), ...kinds.map((kind) => element("th", "", kind)));
  const verdicts = element("table", "", element("caption", "", "How many are"), head);
  for (const [verdict, words] of Object.entries(VERDICTS)) {
    const cells = kinds.map((kind) => element("td", "", String(comparison.summary[kind][verdict])));
    const none = kinds.every((kind) => !comparison.summary[kind][verdict]);
    verdicts.append(element("tr", none ? "none" : "", element("th", "", words), ...cells));
  }
  const total = (side, name) => comparison.symbols.reduce((sum, symbol) => sum + (symbol[side]?.[name] ?? 0), 0);
  const names = ["lines", "blocks", "instructions", "loads", "stores", "stack-slots", "phis", "calls", "retains", "releases", "allocations", "size"];
  const totals = element("table", "", element("caption", "", "All functions"),
    element("tr", "", element("th"), element("th", "", "A"), element("th", "", "B")));
  const counted = (name) => comparison.symbols.some((symbol) => (symbol.a ?? symbol.b)?.[name] !== undefined);
  for (const name of names.filter(counted)) {
    totals.append(element("tr", "", element("th", "", name),
      element("td", "", String(total("a", name))), element("td", "", String(total("b", name)))));
  }
  $("summary").replaceChildren(verdicts, totals);
  $("properties").replaceChildren(...comparison.properties.map((property) => element("div", "",
    element("h3", "", `${property.name} (${property.part})`),
    element("code", "only-in-a", property.a ? property.a.text : ""),
    element("code", "only-in-b", property.b ? property.b.text : ""))));
}

// ---- rows ----

function cell(className, line, text, marks, isInstruction) {
  const made = element("td", className);
  if (!line) return made;
  if (isInstruction) made.append("  ");
  let done = 0;
  for (const [start, end] of marks) {
    made.append(text.slice(done, start), element("mark", "", text.slice(start, end)));
    done = end;
  }
  made.append(text.slice(done));
  return made;
}

function rowElement([kind, content, note, a, b]) {
  const row = element("tr", ROW_CLASSES[kind] + (content === 1 ? " label" : ""));
  const isInstruction = content === 2;
  const textOfB = b && (b[1] === 0 ? a[1] : b[1]);
  row.append(element("td", "number", a ? String(a[0]) : ""), cell("a", a, a && a[1], a && a[2], isInstruction),
    element("td", "number", b ? String(b[0]) : ""), cell("b", b, textOfB, b && b[2], isInstruction));
  if (note) row.lastChild.append(element("span", "parts", `   ; ${note}`));
  return row;
}

// The SIL that an instruction came from, above the first instruction of each line of SIL.
function silElement([, , , a, b], last) {
  const numbers = [a ? a[3] : 0, b ? b[3] : 0];
  const row = element("tr", "sil");
  let any = false;
  numbers.forEach((number, side) => {
    const text = number && number !== last[side] ? comparison.sil?.[side][number] : "";
    if (number) last[side] = number;
    any ||= Boolean(text);
    row.append(element("td", "number", text ? String(number) : ""), element("td", "", text || ""));
  });
  return any ? row : null;
}

function isShown(rows) {
  const all = $("equal-rows").checked || !rows.some((row) => row[0]);
  const shown = rows.map(() => all);
  rows.forEach((row, index) => {
    if (all || !row[0]) return;
    for (let at = Math.max(0, index - CONTEXT); at <= Math.min(rows.length - 1, index + CONTEXT); at++) shown[at] = true;
    for (let at = index; at >= 0; at--) if (rows[at][1] === 1) { shown[at] = true; break; }
  });
  // A single line takes no more room than what stands for it.
  return shown.map((one, index) => one || Boolean(shown[index - 1] && shown[index + 1]));
}

function fill(symbol, details) {
  const table = element("table", "rows");
  const shown = isShown(symbol.rows);
  let gap = null;
  const labels = [];
  const lastSil = [0, 0];
  symbol.rows.forEach((row, index) => {
    if (shown[index]) {
      gap = null;
      const sil = $("sil").checked && silElement(row, lastSil);
      if (sil) table.append(sil);
      table.append(rowElement(row));
    } else if (gap) {
      gap.push(row);
    } else {
      const hidden = gap = [row];
      const button = element("button", "");
      labels.push(() => button.textContent = `… ${hidden.length} lines`);
      button.title = "show the lines between";
      const made = element("tr", "gap", element("td"));
      made.firstChild.colSpan = 4;
      made.firstChild.append(button);
      button.onclick = () => made.replaceWith(...hidden.map(rowElement));
      table.append(made);
    }
  });
  labels.forEach((label) => label());
  const old = details.querySelector("table");
  if (old) old.replaceWith(table); else details.append(table);
}

function fillOnce(symbol, details) {
  if (!details.querySelector("table")) fill(symbol, details);
}

// What is folded is made again when it is unfolded.
function fillAgain() {
  for (const symbol of comparison.symbols.filter((symbol) => symbol.element)) {
    if (symbol.element.open) fill(symbol, symbol.element); else symbol.element.querySelector("table")?.remove();
  }
}

// ---- the list ----

function symbolElement(symbol) {
  const name = element("code", "", "@" + symbol.name + (symbol.name_in_b ? ` → @${symbol.name_in_b}` : ""));
  if (symbol.readable) name.append(element("span", "readable", symbol.readable));
  const summary = element("summary", "", name);
  if (symbol.name_in_b) summary.append(element("span", "dim", `same by ${symbol.pairing}`));
  if (symbol.moved) summary.append(element("span", "dim", `moved: in ${symbol.moved}`));
  if (symbol.parts.length) summary.append(element("span", "dim", symbol.parts.join(", ")));
  if (symbol.a || symbol.b) {
    const changed = COUNTS.filter((count) => (symbol.a?.[count] ?? 0) !== (symbol.b?.[count] ?? 0));
    const said = changed.slice(0, 3).map((count) => `${count} ${counts(symbol, count)}`);
    summary.append(element("span", "dim", said.join(", ")));
  }
  summary.append(element("span", "badge " + symbol.verdict, VERDICTS[symbol.verdict]));
  summary.onclick = () => mark(shown.findIndex((one) => one.symbol === symbol));
  const details = element("details", "", summary);
  details.addEventListener("toggle", () => { if (details.open) fillOnce(symbol, details); });
  return details;
}

function filters(id, values, labels, checked) {
  $(id).replaceChildren(...values.map((value) => {
    const box = element("input");
    box.type = "checkbox";
    box.value = value;
    box.checked = checked(value);
    box.onchange = showList;
    return element("label", "", box, " " + labels(value));
  }));
}

function chosen(id) {
  return new Set([...$(id).querySelectorAll("input:checked")].map((box) => box.value));
}

function showList() {
  const [verdicts, kinds] = [chosen("verdicts"), chosen("kinds")];
  const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (symbol) => verdicts.has(symbol.verdict) && kinds.has(symbol.kind)
    && words.every((word) => symbol.words.includes(word));
  mark(-1);
  shown = comparison.symbols.filter(fits).map((symbol) => ({ symbol, details: symbol.element ??= symbolElement(symbol) }));
  $("symbols").replaceChildren(...shown.map((one) => one.details));
  $("count").textContent = `${shown.length} of ${comparison.symbols.length}`;
}

function show(index) {
  comparison = DATA[index];
  for (const symbol of comparison.symbols) {
    symbol.readable = [symbol.demangled, symbol.demangled_in_b].filter(Boolean).join(" → ");
    symbol.words = [symbol.name, symbol.name_in_b ?? "", symbol.readable, ...symbol.parts].join(" ").toLowerCase();
  }
  const present = new Set(comparison.symbols.map((symbol) => symbol.verdict));
  const differs = ["renamed", "different", "only-in-a", "only-in-b"];
  const any = differs.some((verdict) => present.has(verdict));
  filters("verdicts", Object.keys(VERDICTS).filter((verdict) => present.has(verdict)), (verdict) => VERDICTS[verdict],
    (verdict) => !any || differs.includes(verdict));
  const kinds = KINDS.filter((kind) => comparison.symbols.some((symbol) => symbol.kind === kind));
  filters("kinds", kinds, (kind) => kind + "s", (kind) => kind === "function" || !kinds.includes("function"));
  for (const label of $("kinds").querySelectorAll("label")) label.lastChild.textContent = label.lastChild.textContent.replace("aliass", "aliases");
  const hasSil = comparison.sil?.some((lines) => Object.keys(lines).length);
  $("sil").parentElement.hidden = !hasSil;
  showSummary();
  showList();
}

function unfold(open) {
  // Many at once would take long: those in reach of a reader are enough.
  for (const { details } of shown.slice(0, 200)) details.open = open;
}

// ---- keys ----

function mark(index) {
  shown[current]?.details.classList.remove("current");
  current = index;
  shown[current]?.details.classList.add("current");
}

function go(step) {
  if (!shown.length) return;
  mark(Math.min(shown.length - 1, Math.max(0, current + step)));
  const { details } = shown[current];
  details.querySelector("summary").focus({ preventScroll: true });
  details.scrollIntoView({ block: "nearest" });
}

// The rows that differ in the current function, which is unfolded for that.
function differingRows() {
  const one = shown[current];
  if (!one) return [];
  one.details.open = true;
  fillOnce(one.symbol, one.details);
  return [...one.details.querySelectorAll("tr:not(.same):not(.gap):not(.sil)")];
}

function goToDifference(step) {
  let rows = differingRows();
  const from = rows.indexOf(difference);
  let at = from >= 0 ? from + step : step > 0 ? 0 : rows.length - 1;
  // On into the next function that has any.
  while (at < 0 || at >= rows.length) {
    const before = current;
    go(step);
    if (current === before) return;
    rows = differingRows();
    at = step > 0 ? 0 : rows.length - 1;
  }
  difference?.classList.remove("current");
  difference = rows[at];
  difference.classList.add("current");
  difference.scrollIntoView({ block: "center" });
}

function toggleTheme() {
  document.documentElement.classList.toggle("dark");
}

const ACTIONS = {
  "/": () => $("filter").focus(),
  "j": () => go(1),
  "k": () => go(-1),
  "o": () => { if (shown[current]) shown[current].details.open = !shown[current].details.open; },
  "n": () => goToDifference(1),
  "p": () => goToDifference(-1),
  "e": () => $("equal-rows").click(),
  "s": () => $("sil").click(),
  "t": toggleTheme,
  "?": () => $("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === $("filter")) {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    // Browsers empty the field at Escape, without an event if it has lost the focus.
    event.preventDefault();
    $("filter").blur();
    return;
  }
  const action = ACTIONS[event.key];
  if (action && !$("help").open) {
    event.preventDefault();
    action();
  }
});

$("filter").oninput = showList;
$("sil").onchange = $("equal-rows").onchange = fillAgain;
$("unfold").onclick = () => unfold(true);
$("fold").onclick = () => unfold(false);
$("theme").onclick = toggleTheme;
$("help-button").onclick = ACTIONS["?"];
$("comparison").replaceChildren(...DATA.map((one, index) => {
  const option = element("option", "", one.title);
  option.value = index;
  return option;
}));
$("comparison").hidden = DATA.length < 2;
$("comparison").onchange = () => show(Number($("comparison").value));
if (matchMedia("(prefers-color-scheme: dark)").matches) toggleTheme();
show(0);
