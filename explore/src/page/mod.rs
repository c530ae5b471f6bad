//! The page: one HTML file with its style, its program and its data inside. Nothing is fetched when it is opened.

use serde::Serialize;

use crate::provenance::Listing;
use crate::{Exploration, Finding, Function, Variant, assembly, llvm_ir};

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
const PROGRAM: [&str; 3] = [include_str!("highlight.js"), include_str!("listing.js"), include_str!("page.js")];

/// Makes the page of a module: HTML, complete in itself.
pub fn page(exploration: &Exploration) -> String {
    let mut html = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    html.push_str(&format!(
        "<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{BODY}",
        escaped(&exploration.title)
    ));
    embed(&mut html, "module", &ModuleData::of(exploration));
    for (index, variant) in exploration.variants.iter().enumerate() {
        embed(&mut html, &format!("variant-{index}"), &VariantData::of(variant));
    }
    let graphs: Vec<&str> = exploration.functions.iter().map(|function| function.graph.as_str()).collect();
    embed(&mut html, "graphs", &graphs);
    html.push_str("<script>\n'use strict';\n");
    for part in PROGRAM {
        html.push_str(part);
    }
    html.push_str("</script>\n</body>\n</html>\n");
    html
}

/// The data that the page has from its start.
#[derive(Serialize)]
struct ModuleData<'a> {
    title: &'a str,
    sil: &'a str,
    functions: &'a [Function],
    findings: &'a [Finding],
    variants: Vec<&'a str>,
}

impl<'a> ModuleData<'a> {
    fn of(exploration: &'a Exploration) -> Self {
        Self {
            title: &exploration.title,
            sil: &exploration.sil,
            functions: &exploration.functions,
            findings: &exploration.findings,
            variants: exploration.variants.iter().map(|variant| variant.name.as_str()).collect(),
        }
    }
}

/// The data that the page reads when a tab is opened.
#[derive(Serialize)]
struct VariantData {
    ir: Listing,
    assembly: Listing,
}

impl VariantData {
    fn of(variant: &Variant) -> Self {
        Self { ir: llvm_ir::read(&variant.llvm_ir), assembly: assembly::read(&variant.assembly) }
    }
}

/// Embeds data as JSON that cannot end the element which it stands in.
fn embed(html: &mut String, id: &str, data: &impl Serialize) {
    #[expect(clippy::expect_used, reason = "strings, numbers and lists of them always have a JSON form")]
    let json = serde_json::to_string(data).expect("data has a JSON form");
    html.push_str(&format!(
        "<script type=\"application/json\" id=\"{id}\">{}</script>\n",
        json.replace('<', "\\u003c")
    ));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exploration(sil: &str) -> Exploration {
        Exploration {
            title: "a<b>.sil".to_owned(),
            sil: sil.to_owned(),
            functions: Vec::new(),
            findings: Vec::new(),
            variants: vec![Variant { name: "-O0".to_owned(), llvm_ir: String::new(), assembly: String::new() }],
        }
    }

    #[test]
    fn text_of_the_module_cannot_leave_its_element() {
        let html = page(&exploration("// </script><b>&"));
        assert!(html.contains(r"\u003c/script>\u003cb>&"));
        assert!(html.contains("<title>a&lt;b>.sil</title>"));
    }

    #[test]
    fn nothing_is_fetched() {
        let html = page(&exploration("sil_stage canonical"));
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains(" src="));
    }

    #[test]
    fn each_variant_has_data_of_its_own() {
        assert!(page(&exploration("")).contains("id=\"variant-0\""));
    }
}
