//! Turns the grammar of types into its parser, and lists the known declarations with the names that each piece of them
//! uses.

#[path = "known/index.rs"]
mod index;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    index::write()?;
    lalrpop::Configuration::new().use_cargo_dir_conventions().emit_rerun_directives(true).process()
}
