// Runs a WebAssembly program under Node, given its path and its arguments: with the system interface if the program
// imports it, otherwise with `putchar` and `exit` of the module `env`. Traps of the engine end with the status of the
// corresponding signal of Linux.

const { readFileSync, writeSync } = require("node:fs");

const TRAPPED = 128 + 4;
const STACK_OVERFLOW = 128 + 11;

class Exit {
  constructor(status) {
    this.status = status;
  }
}

// The functions of `env`, and a function that flushes the buffered output.
function host() {
  let bytes = [];
  const flush = () => {
    if (bytes.length > 0) writeSync(1, Uint8Array.from(bytes));
    bytes = [];
  };
  const putchar = (character) => {
    if (bytes.push(character & 255) === 8192) flush();
    return character & 255;
  };
  const exit = (status) => {
    throw new Exit(status);
  };
  return { functions: { putchar, exit }, flush };
}

function run(module, words) {
  if (WebAssembly.Module.imports(module).some((wanted) => wanted.module.startsWith("wasi_"))) {
    const { WASI } = require("node:wasi");
    const wasi = new WASI({ version: "preview1", args: words, env: process.env });
    return wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
  }
  const { functions, flush } = host();
  try {
    return new WebAssembly.Instance(module, { env: functions }).exports._start();
  } finally {
    flush();
  }
}

const words = process.argv.slice(1);
try {
  process.exitCode = run(new WebAssembly.Module(readFileSync(words[0])), words) & 255;
} catch (error) {
  if (error instanceof Exit) {
    process.exitCode = error.status & 255;
  } else {
    console.error(String(error));
    const isTrap = error instanceof WebAssembly.RuntimeError;
    process.exitCode = isTrap ? TRAPPED : error instanceof RangeError ? STACK_OVERFLOW : 1;
  }
}
