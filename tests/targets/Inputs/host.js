// Calls a library: host.js LIBRARY. Works in Node and, with the bytes as `library`, in a browser.

function call(bytes) {
  const said = [];
  const module = new WebAssembly.Module(bytes);
  said.push("exports " + WebAssembly.Module.exports(module).map((given) => given.name).sort().join(" "));
  said.push("imports " + WebAssembly.Module.imports(module).map((wanted) => `${wanted.module}.${wanted.name}`).sort().join(" "));
  const host = { log: (number) => said.push("logged " + number) };
  const { exports } = new WebAssembly.Instance(module, { host });
  exports._initialize();
  said.push("twice " + exports.twice(21));
  said.push("count " + exports.count());
  said.push("count " + exports.count());
  exports.report(7);
  return said;
}

if (typeof process === "object") {
  const bytes = require("node:fs").readFileSync(process.argv[2]);
  console.log(call(bytes).join("\n"));
}
