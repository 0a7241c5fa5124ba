//! Facts that only the source contains.
//!
//! The AST that rust-hdl's macros build drops match guards, the `=` of `..=`, attributes, and every
//! `.index()`, `.into()` and `.to_bits()`. Each block is therefore matched, by its fields, with a parsed
//! source, in which the emitter looks these facts up. The source also gives lines for messages, and the
//! comments and documentation of the Verilog. Short forms are expanded first, as `#[clocked]` does.

use super::error::{EmitError, Refusal, Site};
use super::expand::{Clocked, expand};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr, Ident, Member, Pat, Stmt};

/// A Rust file that contains blocks.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Path of the file, for messages and headers.
    pub file: &'static str,
    /// Text of the file.
    pub text: &'static str,
}

/// The files of this crate that contain blocks.
pub const SOURCES: &[Source] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// A block with the facts from its source.
#[derive(Clone, Debug)]
pub(super) struct BlockSource {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) fields: Vec<Field>,
    pub(super) body: Vec<Lines>,
    pub(super) findings: Vec<(usize, Refusal)>,
    /// Module name of a block that has the same name everywhere: a part, or a top.
    pub(super) own_name: Option<String>,
    /// The block's constants are parameters of its module, which several instances share.
    pub(super) has_parameters: bool,
    /// The block is emitted as a top.
    pub(super) is_top: bool,
}

/// A field of a block.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: String,
    /// An array or `Vec`, which may be empty.
    many: bool,
    /// Last name in the field's type, or in its element's type.
    ty: String,
}

/// The lines of a statement and of its parts, in the AST's order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) line: usize,
    pub(super) comments: Vec<String>,
    pub(super) blocks: Vec<Vec<Lines>>,
}

impl BlockSource {
    /// Whether an instance with `fields` may be this block.
    pub(super) fn fits(&self, fields: &[String]) -> bool {
        let mut rest = fields.iter().peekable();
        for field in &self.fields {
            if rest.peek().is_some_and(|f| **f == field.name) {
                rest.next();
            } else if !field.many {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Documentation of the field that `path` belongs to.
    pub(super) fn doc_of(&self, path: &str) -> String {
        self.fields.iter().find(|f| f.name == path).map(|f| f.doc.clone()).unwrap_or_default()
    }
}

/// A file, by its name and the address of its text, which is static.
type Key = (&'static str, usize);

/// Cache of parsed sources: a design is emitted block by block, and tests emit many.
static PARSED: LazyLock<Mutex<HashMap<Key, Vec<Arc<BlockSource>>>>> = LazyLock::new(Mutex::default);

/// All blocks of `source`.
pub(super) fn blocks(source: &Source) -> Result<Vec<Arc<BlockSource>>, EmitError> {
    let key = (source.file, source.text.as_ptr() as usize);
    let parsed = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(blocks) = parsed().get(&key) {
        return Ok(blocks.clone());
    }
    let blocks: Vec<_> = parse(source)?.into_iter().map(Arc::new).collect();
    parsed().insert(key, blocks.clone());
    Ok(blocks)
}

/// Error for a file that is not Rust.
pub(super) fn unparsed(source: &Source) -> impl Fn(syn::Error) -> EmitError {
    let file = source.file;
    move |e| EmitError::Parse { file: format!("{file}:{}", e.span().start().line), message: e.to_string() }
}

fn parse(source: &Source) -> Result<Vec<BlockSource>, EmitError> {
    let unparsed = unparsed(source);
    let file = syn::parse_file(source.text).map_err(&unparsed)?;
    let text: Vec<&str> = source.text.lines().collect();
    let mut structs = Vec::new();
    let mut updates = Vec::new();
    walk_items(&file.items, &mut structs, &mut updates);
    // `<block>/top.rs` is the generated top of a block; its `emit` is in `<block>.rs`.
    let path = Path::new(source.file);
    let is_top = path.file_stem().is_some_and(|stem| stem == "top");
    let named = if is_top { path.parent() } else { Some(path) };
    let stem = named.and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
    let emits = |item: &syn::Item| matches!(item, syn::Item::Fn(function) if function.sig.ident == "emit");
    // The path gives the names of modules in `part/`.
    let part = source.file.strip_suffix(".rs").and_then(|file| file.split_once("/src/part/"));
    let is_emitted = part.is_none() && (is_top || file.items.iter().any(emits));
    let own_name = match part {
        Some((_, part)) => Some(format!("weft_{}", part.replace('/', "_"))),
        None => is_emitted.then(|| format!("weft_{stem}")),
    };
    let mut found = Vec::new();
    for (owner, update) in updates {
        let Some(item) = structs.iter().find(|s| s.ident == owner) else {
            continue;
        };
        let fields: Vec<Field> = item.fields.iter().filter_map(field).collect();
        let mut check = Check {
            fields: fields.iter().map(|f| f.name.clone()).collect(),
            loops: Vec::new(),
            findings: Vec::new(),
        };
        let mut body = update.block.clone();
        let mut loads = |field: &Ident, word: &Ident| check.load(field, word, &fields);
        expand_short(&update.attrs, &mut body, &mut loads).map_err(&unparsed)?;
        check.visit_block(&body);
        check.block(&body);
        let has_parameters = item.attrs.iter().any(|attr| attr.path().is_ident("named"));
        found.push(BlockSource {
            file: source.file.into(),
            line: item.ident.span().start().line,
            name: owner,
            doc: about(docs(&item.attrs)),
            fields,
            body: lines_of_block(&body, &text, 0),
            findings: check.findings,
            is_top: is_emitted,
            has_parameters,
            own_name: own_name.clone().or_else(|| {
                let folder = has_parameters.then(|| path.parent().and_then(Path::file_name)).flatten()?;
                Some(format!("weft_{}_{stem}", folder.to_string_lossy()))
            }),
        });
    }
    Ok(found)
}

/// Expands the short forms in `body` if its function has the attribute `clocked`.
fn expand_short(
    attrs: &[syn::Attribute],
    body: &mut syn::Block,
    loads: &mut dyn FnMut(&Ident, &Ident),
) -> syn::Result<()> {
    let Some(attr) = attrs.iter().find(|a| last_is(a.path(), "clocked")) else {
        return Ok(());
    };
    let clocked = match &attr.meta {
        syn::Meta::Path(_) => Clocked::default(),
        _ => attr.parse_args()?,
    };
    expand(&clocked, body, loads)
}

/// Checks every block of the sources, whether a design uses it or not.
pub fn check_sources(sources: &[Source]) -> Result<(), EmitError> {
    for source in sources {
        for block in blocks(source)? {
            if let Some((line, refusal)) = block.findings.first().cloned() {
                return Err(EmitError::Refused {
                    site: Box::new(Site { module: block.name.clone(), file: block.file.clone(), line }),
                    refusal,
                });
            }
        }
    }
    Ok(())
}

fn walk_items<'a>(
    items: &'a [syn::Item],
    structs: &mut Vec<&'a syn::ItemStruct>,
    updates: &mut Vec<(String, &'a syn::ImplItemFn)>,
) {
    for item in items {
        match item {
            syn::Item::Struct(s) => structs.push(s),
            syn::Item::Mod(m) => {
                if let Some((_, items)) = &m.content {
                    walk_items(items, structs, updates);
                }
            }
            // Blocks inside functions: tests and doc examples.
            syn::Item::Fn(f) => {
                for stmt in &f.block.stmts {
                    if let Stmt::Item(item) = stmt {
                        walk_items(std::slice::from_ref(item), structs, updates);
                    }
                }
            }
            syn::Item::Impl(i) => {
                let syn::Type::Path(path) = &*i.self_ty else {
                    continue;
                };
                let Some(owner) = path.path.segments.last() else {
                    continue;
                };
                for item in &i.items {
                    if let syn::ImplItem::Fn(f) = item
                        && f.attrs.iter().any(|a| last_is(a.path(), "hdl_gen"))
                    {
                        updates.push((owner.ident.to_string(), f));
                    }
                }
            }
            _ => {}
        }
    }
}

fn last_is(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|s| s.ident == name)
}

fn field(field: &syn::Field) -> Option<Field> {
    let name = field.ident.as_ref()?.to_string();
    // Fields that rust-hdl skips.
    if name.starts_with('_') {
        return None;
    }
    let (many, ty) = match &field.ty {
        syn::Type::Array(array) => (true, &*array.elem),
        syn::Type::Path(p) => (last_is(&p.path, "Vec"), &field.ty),
        ty => (false, ty),
    };
    let ty = match ty {
        syn::Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    };
    let doc = docs(&field.attrs).into_iter().next().unwrap_or_default();
    Some(Field { name, doc, many, ty })
}

/// Documentation lines.
pub(super) fn docs(attrs: &[syn::Attribute]) -> Vec<String> {
    attrs
        .iter()
        .filter_map(|a| match &a.meta {
            syn::Meta::NameValue(nv) if nv.path.is_ident("doc") => match &nv.value {
                Expr::Lit(lit) => match &lit.lit {
                    syn::Lit::Str(s) => Some(without_links(s.value().trim())),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Text of a documentation before its first heading: the lines below `# Parameters` are for Rust only.
fn about(mut lines: Vec<String>) -> Vec<String> {
    let end = lines.iter().position(|l| l.starts_with('#')).unwrap_or(lines.len());
    lines.truncate(end);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Replaces `[name](target)` and `[name]` by `name`, because a link has no meaning in a Verilog comment.
pub(super) fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("[`") {
        let Some((name, tail)) = tail.split_once("`]") else {
            break;
        };
        out += &format!("{head}`{name}`");
        rest = match tail.strip_prefix('(').and_then(|t| t.split_once(')')) {
            Some((_, tail)) => tail,
            None => tail,
        };
    }
    out + rest
}

/// Lines of the statements in `block`, which is inside a block on line `above`.
fn lines_of_block(block: &syn::Block, text: &[&str], above: usize) -> Vec<Lines> {
    let mut all = Vec::new();
    let mut before = above;
    for stmt in &block.stmts {
        let line = stmt.span().start().line;
        match stmt {
            Stmt::Expr(e, _) => all.push(lines_of(e, text, before)),
            Stmt::Macro(m) => all.push(leaf(m.span().start().line, text, before)),
            _ => continue,
        }
        before = line;
    }
    all
}

/// Lines of the statement on `line`. A short form covers no line from `before` on, and has its comments once.
fn leaf(line: usize, text: &[&str], before: usize) -> Lines {
    if line <= before {
        return Lines { line, ..Lines::default() };
    }
    let mut comments: Vec<String> = text[..line.saturating_sub(1).min(text.len())]
        .iter()
        .rev()
        .map_while(|l| l.trim().strip_prefix("//"))
        .map(|l| l.trim().to_string())
        .collect();
    comments.reverse();
    Lines { line, comments, blocks: Vec::new() }
}

fn lines_of(e: &Expr, text: &[&str], before: usize) -> Lines {
    let line = e.span().start().line;
    let mut lines = leaf(line, text, before);
    let body = |e: &Expr| match e {
        Expr::Block(b) => lines_of_block(&b.block, text, line),
        other => vec![lines_of(other, text, line)],
    };
    match e {
        Expr::If(e) => {
            lines.blocks.push(lines_of_block(&e.then_branch, text, line));
            if let Some((_, otherwise)) = &e.else_branch {
                lines.blocks.push(body(otherwise));
            }
        }
        Expr::Match(e) => lines.blocks = e.arms.iter().map(|arm| body(&arm.body)).collect(),
        Expr::ForLoop(e) => lines.blocks.push(lines_of_block(&e.body, text, line)),
        _ => {}
    }
    lines
}

/// The position of an expression, which decides the allowed expressions.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Whole right side of an assignment, or a function's argument.
    Value,
    /// Argument of `get_bit`, `get_bits`, `replace_bit`; side of a comparison; match subject.
    Index,
    /// Side of a comparison.
    Compared,
    /// Operand of arithmetic.
    Operand,
    /// Receiver of a method.
    Receiver,
}

struct Check {
    fields: Vec<String>,
    loops: Vec<String>,
    findings: Vec<(usize, Refusal)>,
}

impl<'ast> Visit<'ast> for Check {
    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        if !attr.path().is_ident("doc") && !attr.path().is_ident("allow") {
            self.refuse(attr, Refusal::Attribute);
        }
    }
}

impl Check {
    fn refuse(&mut self, at: &impl Spanned, refusal: Refusal) {
        self.findings.push((at.span().start().line, refusal));
    }

    /// Checks the word of a short form, which names the primitive. rustc sees only the primitive's ports.
    fn load(&mut self, field: &Ident, word: &Ident, fields: &[Field]) {
        let wanted = match word.to_string().as_str() {
            "reg" => "Reg",
            "pipe" => "Pipe",
            "delay" => "Delay",
            _ => return,
        };
        if let Some(field) = fields.iter().find(|f| field == &f.name && f.ty != wanted) {
            let refusal = Refusal::WrongWord { word: word.to_string(), ty: field.ty.clone() };
            self.refuse(word, refusal);
        }
    }

    fn block(&mut self, block: &syn::Block) {
        for stmt in &block.stmts {
            // Macros among the statements become comments; other expressions that are no statements do not
            // compile.
            if let Stmt::Expr(e, _) = stmt {
                self.statement(e);
            }
        }
    }

    fn statement(&mut self, e: &Expr) {
        match e {
            Expr::Assign(e) => {
                self.expr(&e.right, Place::Value);
            }
            Expr::If(e) => {
                self.expr(&e.cond, Place::Value);
                self.block(&e.then_branch);
                if let Some((_, otherwise)) = &e.else_branch {
                    self.statement(otherwise);
                }
            }
            Expr::Block(e) => self.block(&e.block),
            Expr::Match(e) => {
                self.expr(&e.expr, Place::Index);
                for arm in &e.arms {
                    if let Some((_, guard)) = &arm.guard {
                        self.refuse(guard, Refusal::MatchGuard);
                    }
                    if let Pat::Ident(p) = &arm.pat {
                        self.refuse(p, Refusal::UnknownName(p.ident.to_string()));
                    }
                    self.statement(&arm.body);
                }
            }
            Expr::ForLoop(e) => {
                if let Expr::Range(range) = &*e.expr
                    && matches!(range.limits, syn::RangeLimits::Closed(_))
                {
                    self.refuse(range, Refusal::InclusiveRange);
                }
                let name = match &*e.pat {
                    Pat::Ident(p) => p.ident.to_string(),
                    _ => String::new(),
                };
                if self.fields.contains(&name) {
                    self.refuse(&e.pat, Refusal::LoopShadowsField(name.clone()));
                }
                self.loops.push(name);
                self.block(&e.body);
                self.loops.pop();
            }
            Expr::Call(e) => {
                let name = call_name(&e.func);
                if !matches!(name.as_str(), "link" | "join") {
                    self.refuse(e, Refusal::UnsupportedCall(name));
                }
            }
            Expr::MethodCall(e) => {
                self.refuse(e, Refusal::UnsupportedCall(e.method.to_string()));
            }
            // The macro refuses all other forms.
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr, place: Place) {
        match e {
            Expr::Paren(e) => self.expr(&e.expr, place),
            Expr::Path(e) => {
                if let Some(name) = e.path.get_ident()
                    && !self.loops.iter().any(|l| name == l)
                {
                    self.refuse(e, Refusal::UnknownName(name.to_string()));
                }
            }
            Expr::Unary(e) => {
                if sized_constant(&e.expr) && !typed(&e.expr) {
                    self.refuse(e, Refusal::LostWidth("to_bits"));
                }
                self.expr(&e.expr, Place::Operand);
            }
            Expr::Binary(e) => {
                let place = match e.op {
                    BinOp::Eq(_)
                    | BinOp::Ne(_)
                    | BinOp::Lt(_)
                    | BinOp::Le(_)
                    | BinOp::Gt(_)
                    | BinOp::Ge(_) => Place::Compared,
                    _ => Place::Operand,
                };
                // The AST would compute with plain numbers where Rust wraps.
                let one_sized = sized_constant(&e.left) || sized_constant(&e.right);
                if one_sized && !typed(&e.left) && !typed(&e.right) {
                    self.refuse(e, Refusal::LostWidth("to_bits"));
                }
                self.expr(&e.left, place);
                self.expr(&e.right, place);
            }
            Expr::Call(e) => {
                match call_name(&e.func).as_str() {
                    "bit_cast" | "bits" | "from" | "signed_cast" | "unsigned_cast" => {}
                    name => self.refuse(e, Refusal::UnsupportedCall(name.into())),
                }
                for arg in &e.args {
                    self.expr(arg, Place::Value);
                }
            }
            Expr::MethodCall(e) => self.method(e, place),
            // The macro refuses all other forms.
            _ => {}
        }
    }

    fn method(&mut self, e: &syn::ExprMethodCall, place: Place) {
        match e.method.to_string().as_str() {
            "val" => {}
            "index" => {
                if !matches!(place, Place::Index | Place::Compared) {
                    self.refuse(&e.method, Refusal::MisplacedIndex);
                }
                self.expr(&e.receiver, Place::Receiver);
            }
            "into" => {
                if matches!(place, Place::Operand | Place::Receiver) {
                    self.refuse(&e.method, Refusal::LostWidth("into"));
                }
                self.expr(&e.receiver, Place::Value);
            }
            "to_bits" | "to_signed_bits" => {
                if typed(&e.receiver) || place == Place::Receiver {
                    self.refuse(&e.method, Refusal::LostWidth("to_bits"));
                }
                self.expr(&e.receiver, Place::Value);
            }
            "get_bit" | "get_bits" | "replace_bit" => {
                self.expr(&e.receiver, Place::Receiver);
                for (i, arg) in e.args.iter().enumerate() {
                    self.expr(arg, if i == 0 { Place::Index } else { Place::Value });
                }
            }
            "all" | "any" | "xor" => self.expr(&e.receiver, Place::Receiver),
            name => self.refuse(&e.method, Refusal::UnsupportedCall(name.into())),
        }
    }
}

/// The last name of a called path.
fn call_name(func: &Expr) -> String {
    match func {
        Expr::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// Whether `e` is `.to_bits()` or `.into()` of a number: a constant with a width in Rust and none in the AST.
fn sized_constant(e: &Expr) -> bool {
    match e {
        Expr::Paren(e) => sized_constant(&e.expr),
        Expr::Unary(e) => sized_constant(&e.expr),
        Expr::Binary(e) => sized_constant(&e.left) || sized_constant(&e.right),
        Expr::MethodCall(e) => {
            ["to_bits", "to_signed_bits", "into"].contains(&e.method.to_string().as_str())
                && !typed(&e.receiver)
        }
        _ => false,
    }
}

/// Whether the AST has the type of `e`: the expression reads a field of the block, or casts.
fn typed(e: &Expr) -> bool {
    match e {
        Expr::Paren(e) => typed(&e.expr),
        Expr::Unary(e) => typed(&e.expr),
        Expr::Binary(e) => typed(&e.left) || typed(&e.right),
        Expr::MethodCall(e) => typed(&e.receiver) || e.args.iter().any(typed),
        Expr::Call(_) => true,
        Expr::Field(e) => matches!(e.member, Member::Named(_)),
        Expr::Index(e) => typed(&e.expr),
        _ => false,
    }
}
