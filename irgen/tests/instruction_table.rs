//! docs/instructions.md equals the text that the tables give.

#[path = "../examples/instruction-table/builtins.rs"]
mod builtins;
#[path = "../examples/instruction-table/page.rs"]
mod page;
#[path = "../examples/instruction-table/syntax.rs"]
mod syntax;

const WRITTEN: &str = include_str!("../../docs/instructions.md");

#[test]
fn the_page_is_fresh() {
    let page = page::page();
    let difference = page.lines().zip(WRITTEN.lines()).find(|(made, written)| made != written);
    let same = page == WRITTEN;
    assert!(
        same,
        "docs/instructions.md is stale: cargo run -p irgen --example instruction-table > docs/instructions.md\n\
         first difference (made, written): {difference:#?}"
    );
}
