//! Round trips of symbols: `cargo run --release -p sil --example symbols < names`, a symbol a line, writes those that
//! come back differently from the remangler, or that are not read at all, and how many there are of each.

use std::io::{self, BufRead, Write};

use sil::symbols::Symbol;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (mut read, mut unread, mut different) = (0u32, 0u32, 0u32);
    for line in io::stdin().lock().lines() {
        let symbol = line?;
        let Some(demangled) = Symbol::demangle(&symbol) else {
            unread += 1;
            writeln!(out, "not read: {symbol}")?;
            continue;
        };
        read += 1;
        let remangled = demangled.remangle();
        if remangled.as_deref() != Some(&symbol) {
            different += 1;
            writeln!(out, "{symbol}\n  {}", remangled.as_deref().unwrap_or("not written"))?;
        }
    }
    writeln!(out, "{read} read, {unread} not read, {different} different")
}
