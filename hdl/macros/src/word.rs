//! A struct of bits with generics. The derive of rust-hdl makes the same of a struct without.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Result, parse_quote};

/// `Synth` of the struct `input`, and width and offset of its fields.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a word is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(input.span(), "the fields of a word have names"));
    };
    let name = &input.ident;
    let (names, types): (Vec<_>, Vec<_>) =
        fields.named.iter().filter_map(|it| Some((it.ident.as_ref()?, &it.ty))).unzip();
    let widths = names.iter().map(|it| format_ident!("get_my_width_{it}"));
    let offsets = names.iter().map(|it| format_ident!("get_my_offset_{it}"));
    let before = (0..types.len()).map(|at| {
        let before = &types[..at];
        quote!(0_usize #(+ <#before as Synth>::BITS)*)
    });
    let mut with_width = input.generics.clone();
    with_width.params.push(parse_quote!(const BITS: usize));
    let (with_width, ..) = with_width.split_for_impl();
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let places: Vec<_> = offsets.clone().collect();
    Ok(quote! {
        #[automatically_derived]
        impl #generics #name #arguments #bounds {
            #(
                pub fn #widths(&self) -> usize { <#types as Synth>::BITS }
                pub fn #offsets(&self) -> usize { #before }
            )*
        }

        #[automatically_derived]
        impl #with_width From<#name #arguments> for Bits<BITS> #bounds {
            /// The bits of the word, which has at most as many.
            fn from(word: #name #arguments) -> Self {
                assert!(BITS >= <#name #arguments as Synth>::BITS, "a word that is wider");
                let mut bits = Bits::<BITS>::default();
                #(
                    let literal = format!("{:x}", word.#names.verilog());
                    let digits = literal.rsplit('h').next().unwrap_or_default();
                    let field = u64::from_str_radix(digits, 16).expect("a field of at most 64 bits");
                    bits = bits | (Bits::<BITS>::from(field) << word.#places() as u64);
                )*
                bits
            }
        }

        #[automatically_derived]
        impl #generics Synth for #name #arguments #bounds {
            const BITS: usize = 0_usize #(+ <#types as Synth>::BITS)*;

            fn descriptor() -> TypeDescriptor {
                let fields = vec![#(Box::new(TypeField {
                    fieldname: stringify!(#names).to_string(),
                    kind: <#types as Synth>::descriptor(),
                })),*];
                TypeDescriptor { name: stringify!(#name).to_string(), kind: TypeKind::Composite(fields) }
            }

            fn vcd(self) -> VCDValue {
                VCDValue::Composite(vec![#(Box::new(self.#names.vcd())),*])
            }

            fn verilog(self) -> VerilogLiteral {
                assert!(self == Self::default(), "a word with generics begins as zeros");
                0_u64.into()
            }
        }
    })
}
