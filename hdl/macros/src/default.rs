//! `Default` of a block.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Field, Fields, PatType, Result, Token, Type};

/// The implementation of `Default` for the struct `input`, or its `new`.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a block is a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(input.span(), "the fields of a block have names"));
    };
    let name = &input.ident;
    let mut requires = Vec::new();
    for attribute in named(&input.attrs, "requires") {
        let condition: Expr = attribute.parse_args()?;
        let message = format!("{name} requires {}", text(&condition));
        requires.push(quote!(const { assert!(#condition, #message) };));
    }
    let mut values = Vec::new();
    for field in &fields.named {
        let (field_name, value) = (&field.ident, value(field)?);
        values.push(quote!(#field_name: #value));
    }
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let block = quote!(#(#requires)* #name { #(#values),* });
    if let Some(attribute) = named(&input.attrs, "given").next() {
        let given = attribute.parse_args_with(Punctuated::<PatType, Token![,]>::parse_terminated)?;
        return Ok(quote! {
            #[automatically_derived]
            impl #generics #name #arguments #bounds {
                /// A new block.
                pub fn new(#given) -> Self { #block }
            }
        });
    }
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::core::default::Default for #name #arguments #bounds {
            fn default() -> Self { #block }
        }
    })
}

/// The initial value of `field`.
fn value(field: &Field) -> Result<TokenStream> {
    let mut values = Vec::new();
    for attribute in named(&field.attrs, "new") {
        let arguments = &attribute.meta.require_list()?.tokens;
        let ty = &field.ty;
        values.push(quote!(<#ty>::new(#arguments)));
    }
    for attribute in named(&field.attrs, "default") {
        let value: Expr = attribute.parse_args()?;
        values.push(quote!(#value));
    }
    match (values.pop(), values.is_empty()) {
        (Some(value), true) => Ok(value),
        (Some(_), false) => Err(Error::new(field.span(), "a field has one value")),
        // Rust has no `Default` for arrays of any length.
        (None, _) if matches!(field.ty, Type::Array(_)) => {
            Ok(quote!(::core::array::from_fn(|_| ::core::default::Default::default())))
        }
        (None, _) => Ok(quote!(::core::default::Default::default())),
    }
}

fn named<'a>(attributes: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a Attribute> {
    attributes.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// The source of `condition`, as written if it is available.
fn text(condition: &Expr) -> String {
    condition.span().source_text().unwrap_or_else(|| quote!(#condition).to_string())
}
