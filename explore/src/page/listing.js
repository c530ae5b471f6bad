// A list of lines of which only those in sight exist as elements, so that a text of any length opens at once.
const ROW_HEIGHT = 18;
const ROWS_BEYOND = 20;
// Colours of very long lines cost more than they tell.
const LONGEST_COLOURED = 2000;

class Listing {
  // `options`: language (of the colours, or nothing), describe(line) → classes, choose(line).
  constructor(element, options) {
    this.element = element;
    this.options = options;
    this.lines = [];
    this.chosen = 0;
    this.rows = new Map();
    this.sizer = document.createElement('div');
    this.sizer.className = 'sizer';
    element.append(this.sizer);
    element.tabIndex = 0;
    element.setAttribute('role', 'listbox');
    element.setAttribute('aria-label', element.previousElementSibling?.textContent || element.id);
    element.addEventListener('scroll', () => this.draw());
    element.addEventListener('click', (event) => this.click(event));
    element.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  setLines(lines) {
    this.lines = lines;
    this.chosen = 0;
    const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
    this.sizer.style.height = `${lines.length * ROW_HEIGHT}px`;
    this.sizer.style.width = this.options.language ? `${Math.min(longest, 5000) + 12}ch` : '';
    this.element.scrollTop = 0;
    this.redraw();
  }

  redraw() {
    this.sizer.replaceChildren();
    this.rows.clear();
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - ROWS_BEYOND);
    const last = Math.min(this.lines.length, first + Math.ceil(this.element.clientHeight / ROW_HEIGHT) + 2 * ROWS_BEYOND);
    for (const [line, row] of this.rows) {
      if (line <= first || line > last) {
        row.remove();
        this.rows.delete(line);
      }
    }
    for (let line = first + 1; line <= last; line++) {
      if (!this.rows.has(line)) {
        this.rows.set(line, this.addRow(line));
      }
    }
  }

  addRow(line) {
    const row = document.createElement('div');
    const text = this.lines[line - 1];
    row.className = `row ${this.options.describe(line)}`;
    row.id = `${this.element.id}-${line}`;
    row.dataset.line = line;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(line === this.chosen));
    row.style.top = `${(line - 1) * ROW_HEIGHT}px`;
    if (this.options.language) {
      const number = document.createElement('span');
      number.className = 'number';
      number.textContent = line;
      row.append(number);
    }
    if (this.options.language && text.length <= LONGEST_COLOURED) {
      appendHighlighted(row, text, this.options.language);
    } else {
      row.append(text);
    }
    row.title = this.options.language ? '' : text;
    this.sizer.append(row);
    return row;
  }

  // Brings `line` into sight: a third from the top where it is out of sight now.
  reveal(line) {
    const top = (line - 1) * ROW_HEIGHT;
    const seen = top >= this.element.scrollTop && top + ROW_HEIGHT <= this.element.scrollTop + this.element.clientHeight;
    if (!seen) {
      this.element.scrollTop = Math.max(0, top - this.element.clientHeight / 3);
    }
  }

  mark(line) {
    this.chosen = line;
    this.element.setAttribute('aria-activedescendant', line ? `${this.element.id}-${line}` : '');
  }

  click(event) {
    const row = event.target.closest('.row');
    if (row) {
      this.options.choose(Number(row.dataset.line));
    }
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves) || event.altKey || event.ctrlKey || event.metaKey || !this.lines.length) {
      return;
    }
    event.preventDefault();
    const line = Math.min(this.lines.length, Math.max(1, this.chosen + moves[event.key]));
    this.reveal(line);
    this.options.choose(line);
  }
}
