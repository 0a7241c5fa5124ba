//! Fields of words by name: the expansions of `field!`, `pack!`, `low!` and `width!`. Positions come from
//! `weft_interface`.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitInt, Result, Token, braced, parse2};
use weft_interface::{Slice, Word};

/// Replaces each `field!(..)`, `pack!(..)`, `low!(..)` and `width!(..)` in `tokens`.
pub(crate) fn replace(tokens: TokenStream) -> Result<TokenStream> {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            out.push(token);
            continue;
        };
        let inner = replace(group.stream())?;
        match called(&out) {
            Some(name) if name == "field" => {
                out.truncate(out.len() - 2);
                out.extend(parse2::<Taken>(inner)?.tokens(name.span()));
            }
            Some(name) if name == "low" => {
                out.truncate(out.len() - 2);
                let slice = parse2::<InPacket>(inner)?.0;
                out.extend(number(slice.low, name.span()).to_token_stream());
            }
            Some(name) if name == "width" => {
                out.truncate(out.len() - 2);
                out.extend(number(word(&parse2(inner)?)?.bits(), name.span()).to_token_stream());
            }
            Some(name) if name == "pack" => {
                out.truncate(out.len() - 2);
                let packed = parse2::<Packed>(inner)?.tokens(name.span())?;
                out.push(Group::new(Delimiter::None, packed).into());
            }
            _ => {
                let mut same = Group::new(group.delimiter(), inner);
                same.set_span(group.span());
                out.push(same.into());
            }
        }
    }
    Ok(out.into_iter().collect())
}

/// The name of the macro whose arguments follow.
fn called(before: &[TokenTree]) -> Option<Ident> {
    match before {
        [.., TokenTree::Ident(name), TokenTree::Punct(bang)] if bang.as_char() == '!' => Some(name.clone()),
        _ => None,
    }
}

/// The word of this name.
pub(crate) fn word(name: &Ident) -> Result<&'static Word> {
    let unknown = || Error::new(name.span(), format!("`weft_interface` has no word `{name}`"));
    Word::named(&name.to_string()).ok_or_else(unknown)
}

/// Some bits of a value; a single bit is a `Bit`.
pub(crate) fn bits_of(value: &Expr, Slice { low, bits }: Slice, span: Span) -> TokenStream {
    let (low, width) = (number(low, span), number(bits, span));
    match bits {
        1 => quote_spanned!(span=> #value.get_bit(#low)),
        _ => quote_spanned!(span=> #value.get_bits::<#width>(#low)),
    }
}

fn number(value: u32, span: Span) -> LitInt {
    LitInt::new(&value.to_string(), span)
}

/// `value, Word.field` or `value, Word.first..=last`; or `value, Packet.Header.field in 0..64`, where `value`
/// has these bytes of the packet, counted from UDP's header, with the first byte highest. Without `.field` it
/// is the whole header.
struct Taken {
    value: Expr,
    slice: Slice,
}

impl Taken {
    fn tokens(&self, span: Span) -> TokenStream {
        bits_of(&self.value, self.slice, span)
    }
}

impl Parse for Taken {
    fn parse(input: ParseStream) -> Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let name: Ident = input.parse()?;
        if weft_interface::PACKETS.iter().any(|(packet, _)| name == packet) {
            return Ok(Taken { value, slice: in_packet(&name, input)? });
        }
        let word = word(&name)?;
        input.parse::<Token![.]>()?;
        let slice_of = |field: Ident| {
            let unknown = || Error::new(field.span(), format!("`{}` has no field `{field}`", word.name));
            word.slice(&field.to_string()).ok_or_else(unknown)
        };
        let first = slice_of(input.parse()?)?;
        if !input.peek(Token![..=]) {
            return Ok(Taken { value, slice: first });
        }
        let to: Token![..=] = input.parse()?;
        let last = slice_of(input.parse()?)?;
        match (last.low + last.bits).checked_sub(first.low) {
            Some(bits) if last.low > first.low => Ok(Taken { value, slice: Slice { low: first.low, bits } }),
            _ => Err(Error::new(to.spans[0], "the first field of a range is below the last one")),
        }
    }
}

/// `Packet.Header.field in from..to`.
struct InPacket(Slice);

impl Parse for InPacket {
    fn parse(input: ParseStream) -> Result<Self> {
        let packet = input.parse()?;
        in_packet(&packet, input).map(InPacket)
    }
}

/// `.Header.field in from..to`, behind the name of a packet.
fn in_packet(packet: &Ident, input: ParseStream) -> Result<Slice> {
    input.parse::<Token![.]>()?;
    let header: Ident = input.parse()?;
    let mut field = None;
    if input.parse::<Option<Token![.]>>()?.is_some() {
        field = Some(Ident::parse_any(input)?.to_string());
    }
    input.parse::<Token![in]>()?;
    let from: LitInt = input.parse()?;
    input.parse::<Token![..]>()?;
    let (from, to) = (from.base10_parse()?, input.parse::<LitInt>()?.base10_parse()?);
    let (name, place) = (packet.to_string(), header.to_string());
    weft_interface::in_packet(&name, &place, field.as_deref(), from, to).ok_or_else(|| {
        let field = field.map(|field| format!(".{field}")).unwrap_or_default();
        Error::new(header.span(), format!("`{name}.{place}{field}` is not in bytes {from}..{to}"))
    })
}

/// `Word { field: value, field: [low part, high part], .. }`: all fields, in the word's order.
struct Packed {
    word: &'static Word,
    values: Vec<(Ident, Expr)>,
}

impl Parse for Packed {
    fn parse(input: ParseStream) -> Result<Self> {
        let name: Ident = input.parse()?;
        let word = word(&name)?;
        let inner;
        braced!(inner in input);
        let field = |input: ParseStream| {
            let name: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            Ok((name, input.parse()?))
        };
        let values = Punctuated::<_, Token![,]>::parse_terminated_with(&inner, field)?;
        Ok(Packed { word, values: values.into_iter().collect() })
    }
}

impl Packed {
    fn tokens(&self, span: Span) -> Result<TokenStream> {
        let mut values = self.values.iter();
        let mut sum = TokenStream::new();
        for (field, Slice { low, bits }) in self.word.slices() {
            let missing = || format!("`{}` of `{}` comes next here", field.name, self.word.name);
            let (name, value) = values.next().ok_or_else(|| Error::new(span, missing()))?;
            if name != field.name {
                return Err(Error::new(name.span(), missing()));
            }
            let parts = match value {
                Expr::Array(parts) => parts.elems.iter().collect(),
                value => vec![value],
            };
            let each = bits / parts.len() as u32;
            if each * parts.len() as u32 != bits {
                let message = format!("{bits} bits are not {} equal parts", parts.len());
                return Err(Error::new(name.span(), message));
            }
            for (part, at) in parts.into_iter().zip((low..).step_by(each as usize)) {
                let part = shifted(part, at, each, self.word.bits(), span);
                sum = if sum.is_empty() { part } else { quote_spanned!(span=> #sum | #part) };
            }
        }
        match values.next() {
            Some((name, _)) => {
                Err(Error::new(name.span(), format!("`{}` has no further field", self.word.name)))
            }
            None => Ok(sum),
        }
    }
}

/// `value`, of a number of bits, in a number of `width` bits at bit `low`.
fn shifted(value: &Expr, low: u32, bits: u32, width: u32, span: Span) -> TokenStream {
    let plain = matches!(value, Expr::MethodCall(_) | Expr::Paren(_) | Expr::Path(_) | Expr::Macro(_));
    let value = match bits {
        1 if plain => quote_spanned!(span=> #value.into()),
        1 => quote_spanned!(span=> (#value).into()),
        _ => value.to_token_stream(),
    };
    let (low_bit, bits, width) = (number(low, span), number(bits, span), number(width, span));
    let cast = quote_spanned!(span=> bit_cast::<#width, #bits>(#value));
    if low == 0 { cast } else { quote_spanned!(span=> (#cast << #low_bit)) }
}
