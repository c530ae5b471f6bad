//! Prints docs/instructions.md: `cargo run -p irgen --example instruction-table > docs/instructions.md`.

mod builtins;
mod page;
mod syntax;

fn main() {
    print!("{}", page::page());
}
