//! Reads the bodies of a module in parallel, with one thread per core. The result and the diagnostics do not depend on
//! the number of threads.

use sil_ir::context::{Name, SignatureId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{Body, FunctionId, GlobalId, Module};
use sil_ir::parallel;
use sil_ir::source::FileId;
use sil_ir::types::TypeQueries;

use super::argument_labels::ArgumentLabels;
use super::body::BodyReader;
use super::cursor::Cursor;
use super::lexer::Token;
use super::reader::{GenericScope, Reader};
use super::symbols::Symbols;

/// A body that is read after all declarations: the byte range from after its opening brace to the end of its entity.
pub(super) struct PendingBody {
    pub(super) owner: Owner,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The owner of a body.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Function { id: FunctionId, name: Name, signature: Option<SignatureId> },
    Global(GlobalId),
}

impl Owner {
    /// Stores the body in its owner.
    pub(super) fn take(self, body: Body, module: &mut Module) {
        match self {
            Owner::Function { id, .. } => module.functions[id].body = Some(body),
            Owner::Global(id) => module.globals[id].initializer = Some(Box::new(body)),
        }
    }
}

/// A body and the diagnostics of reading it.
pub(super) struct ReadBody {
    pub(super) body: Body,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// The amount of text that a thread takes at a time, in bytes: small enough to balance the work, and large enough to
/// amortise reading the same types again.
const PORTION: u32 = 1 << 18;

/// Reads `bodies` of `text` and returns them in the same order.
pub(super) fn read_bodies<'a>(
    bodies: &[PendingBody],
    text: &'a str,
    file: FileId,
    queries: &TypeQueries<'a>,
    symbols: &Symbols,
    labels: &ArgumentLabels<'_, 'a>,
) -> impl Iterator<Item = (Owner, ReadBody)> + use<> {
    let read_portion = |portion: &&[PendingBody]| -> Vec<(Owner, ReadBody)> {
        let mut reader = Reader::new(queries.context, queries.declarations, Cursor::new(text, file));
        let read = portion.iter().map(|body| {
            reader.cursor = Cursor::within(text, file, body.start, body.end);
            (body.owner, body.owner.read(&mut reader, queries, symbols, labels))
        });
        read.collect()
    };
    parallel::map(&portions(bodies), read_portion).into_iter().flatten()
}

/// Cuts a list of bodies into pieces with about as much text each.
fn portions(bodies: &[PendingBody]) -> Vec<&[PendingBody]> {
    let mut portions = Vec::new();
    let mut rest = bodies;
    while let Some(first) = rest.first() {
        let count = rest.partition_point(|body| body.end <= first.start.saturating_add(PORTION)).max(1);
        let (portion, others) = rest.split_at(count);
        portions.push(portion);
        rest = others;
    }
    portions
}

impl Owner {
    /// Reads the body at the position of `reader`.
    fn read<'a>(
        self,
        reader: &mut Reader<'a>,
        queries: &TypeQueries<'a>,
        symbols: &Symbols,
        labels: &ArgumentLabels<'_, 'a>,
    ) -> ReadBody {
        let body = match self {
            Owner::Function { name, signature, .. } => {
                let generics = signature.map(|signature| GenericScope::of(reader.context, signature));
                reader.set_generics(generics.unwrap_or_default());
                let mut body = BodyReader::new(reader, queries, symbols, Some(name), signature).blocks();
                labels.tell(name, &mut body);
                body
            }
            Owner::Global(_) => {
                reader.set_generics(GenericScope::default());
                BodyReader::new(reader, queries, symbols, None, None).initializer()
            }
        };
        if reader.diagnostics.is_empty() && !reader.cursor.at(Token::End) {
            let error = reader.cursor.expected("the end of the entity");
            reader.diagnostics.push(*error);
        }
        ReadBody { body, diagnostics: std::mem::take(&mut reader.diagnostics) }
    }
}
