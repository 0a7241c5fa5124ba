//! The short forms in which blocks are written: [`macro@clocked`] for `update`, [`macro@BlockDefault`] for the
//! struct. `docs/emitter.md` shows them in use.

mod default;
mod expand;
mod named;
#[cfg(test)]
mod tests;
mod word;

use proc_macro::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// Above `#[hdl_gen]`: lets an `update` describe in one line which value a register loads, and which wires
/// two parts share.
///
/// | short form | stands for |
/// | --- | --- |
/// | `self.x.reg = value;` | `clk`, `rst`, `en` and `d` of a `Reg` |
/// | `self.x.pipe = value;`, `self.x.delay = value;` | `clk`, `en` and `d` of a `Pipe`, a `Delay` |
/// | `self.x.mul = (a, b);`, `self.x.div = (num, den);` | `clk`, `en` and the operands |
/// | `self.x.read = address;` | `clk`, `re`, `raddr` and `oe` of a memory |
/// | `self.x.write = when(enable, (address, word));` | `we`, `waddr` and `wdata` of a memory |
/// | `wire!(self.a.* <- self.b.*: p, q);` | `self.a.p.next = self.b.p.val();`, and the same for `q` |
/// | `self.x.next = if c { a } else { b };` | `b`, then `a` over it |
/// | `stream!(self.a.in_* <- self.b.out_*: tdata);` | the same for `tvalid` and `tdata`; `tready` in the opposite direction |
/// | `stream!(..: tdata as Word in self.x);` | the same for the fields of the word, one by one through the local `x` |
/// | `field!(value, Word.field)` | the bits of a field of a word of `weft_interface`; `Word.first..=last`: of several |
/// | `pack!(Word { field: value, .. })` | a word from all its fields, in their order; `[low, high]`: from equal parts |
/// | `field!(value, Ack.Seth.cack_psn in 0..64)` | a field of a header, of a value that has these bytes of a packet |
/// | `low!(Ack.Seth.cack_psn in 0..64)` | the lowest bit of that field |
/// | `width!(Word)` | the bits of a word |
/// | `enable!(signal);` | nothing in place of the line; for the registers below, this signal replaces the enable of `#[clocked]` |
///
/// Clock and reset are the block's `clk` and `rst`. Enabled is a register always, or with the signal that
/// `#[clocked(en = signal)]` names, or by a condition of its own: `self.x.reg = when(condition, value);`.
#[proc_macro_attribute]
pub fn clocked(args: TokenStream, item: TokenStream) -> TokenStream {
    let clocked = parse_macro_input!(args as expand::Clocked);
    let mut function = parse_macro_input!(item as ItemFn);
    match expand::expand(&clocked, &mut function.block, &mut |_, _| ()) {
        Ok(()) => function.into_token_stream().into(),
        // With an empty body, the compiler has no further messages about the short forms.
        Err(error) => {
            let error = error.to_compile_error();
            let signature = &function.sig;
            quote!(#error #[hdl_gen] #signature {}).into()
        }
    }
}

/// `Default` of a block: each field gets `Default::default()`, or the value of its attribute.
///
/// | attribute | of | means |
/// | --- | --- | --- |
/// | `#[new(arguments)]` | a field | `new(arguments)` of its type |
/// | `#[default(value)]` | a field | that value |
/// | `#[given(name: Type)]` | the struct | `new(name: Type)` instead of `Default`; values may use `name` |
/// | `#[requires(condition)]` | the struct | does not compile for generics that violate it |
/// | `#[named]` | the struct | nothing in place of the line; the name of its module is that of its file, `weft_<block>_<file>` |
#[proc_macro_derive(BlockDefault, attributes(new, default, requires, given, named))]
pub fn block_default(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    default::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A struct of bits with generics, with fields as `LogicStruct` has them. Registers of it begin as zeros.
#[proc_macro_derive(LogicWord)]
pub fn logic_word(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    word::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
