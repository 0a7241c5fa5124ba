//! Words with named fields at the ports of a top, for its header.

use super::error::EmitError;
use super::source::{Source, docs, unparsed, without_links};
use super::tree::Node;
use super::ty::Ty;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A struct of bits, described by its source.
#[derive(Clone, Debug)]
pub(super) struct Word {
    name: String,
    /// Name, first line of documentation and bits of each field, the lowest first; bits that a parameter gives are 0.
    fields: Vec<(String, String, usize)>,
}

/// The words of `weft_interface`.
pub(super) fn described_words() -> Vec<Word> {
    let field = |field: &weft_interface::Field| {
        let doc = field.doc.first().copied().unwrap_or_default();
        (field.name.to_owned(), without_links(doc.trim()), field.bits as usize)
    };
    let word = |word: &weft_interface::Word| Word {
        name: word.name.to_owned(),
        fields: word.fields.iter().map(field).collect(),
    };
    weft_interface::WORDS.iter().map(word).collect()
}

type Key = (&'static str, usize);

static PARSED: LazyLock<Mutex<HashMap<Key, Arc<Vec<Word>>>>> = LazyLock::new(Mutex::default);

/// The words of a file.
pub(super) fn words(source: &Source) -> Result<Arc<Vec<Word>>, EmitError> {
    let key = (source.file, source.text.as_ptr() as usize);
    let parsed = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(words) = parsed().get(&key) {
        return Ok(words.clone());
    }
    let mut words = Vec::new();
    if source.text.contains("LogicStruct)]") {
        let file = syn::parse_file(source.text).map_err(unparsed(source))?;
        for item in file.items {
            if let syn::Item::Struct(item) = item {
                words.push(Word {
                    name: item.ident.to_string(),
                    fields: item.fields.iter().filter_map(field).collect(),
                });
            }
        }
    }
    let words = Arc::new(words);
    parsed().insert(key, words.clone());
    Ok(words)
}

fn field(field: &syn::Field) -> Option<(String, String, usize)> {
    let doc = docs(&field.attrs).into_iter().next().unwrap_or_default();
    Some((field.ident.as_ref()?.to_string(), doc, bits(&field.ty)))
}

/// The bits of `Bit` and of `Bits<N>`.
fn bits(ty: &syn::Type) -> usize {
    let syn::Type::Path(path) = ty else {
        return 0;
    };
    let Some(last) = path.path.segments.last() else {
        return 0;
    };
    match &last.arguments {
        syn::PathArguments::AngleBracketed(of) if last.ident == "Bits" => match of.args.first() {
            Some(syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(number),
                ..
            }))) => number.base10_parse().unwrap_or(0),
            _ => 0,
        },
        _ => usize::from(last.ident == "Bit"),
    }
}

/// Lines of a header: for each port of several fields, a line for each field. A port has fields if it is a
/// struct, or if its documentation names a word of the same width.
pub(super) fn lines(node: &Node, words: &[Word], doc_of: impl Fn(&str) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for port in node.ports.iter().filter(|port| port.path.contains("_axis_")) {
        let doc = doc_of(&port.path);
        let Some(fields) = (match &port.ty {
            Ty::Struct(name, fields) => Some(described(name, fields, words)),
            ty => words
                .iter()
                .filter(|word| doc.contains(&format!("`{}`", word.name)))
                .map(|word| word.fields.clone())
                .find(|fields| fields.iter().map(|(.., bits)| bits).sum::<usize>() == ty.width()),
        }) else {
            continue;
        };
        lines.push(format!("Fields of {}:", port.path));
        let names = fields.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let mut at = 0;
        for (name, doc, bits) in fields {
            let range = if bits == 1 { at.to_string() } else { format!("{}:{at}", at + bits - 1) };
            lines.push(format!("  {range:>7}  {name:names$}  {doc}").trim_end().into());
            at += bits;
        }
        lines.push(String::new());
    }
    lines.pop();
    lines
}

/// The fields of a struct, with the documentation of its source.
fn described(name: &str, fields: &[(String, Ty)], words: &[Word]) -> Vec<(String, String, usize)> {
    let names = |word: &Word| word.fields.iter().map(|(name, ..)| name.clone()).collect::<Vec<_>>();
    let own: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    let word = words.iter().find(|word| word.name == name && names(word) == own);
    let doc = |i: usize| word.map(|word| word.fields[i].1.clone()).unwrap_or_default();
    fields.iter().enumerate().map(|(i, (name, ty))| (name.clone(), doc(i), ty.width())).collect()
}
