//! The types of rust-hdl values, reduced to widths and signs.

use rust_hdl_core::prelude::*;
use std::fmt;

/// Type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Clock,
    Bits(usize),
    Signed(usize),
    /// Name and variants.
    Enum(String, Vec<String>),
    /// Name and fields, the first at bit 0.
    Struct(String, Vec<(String, Ty)>),
}

impl Ty {
    pub(super) fn of(descriptor: &TypeDescriptor) -> Ty {
        match &descriptor.kind {
            TypeKind::Bits(_) if descriptor.name == "clock" => Ty::Clock,
            TypeKind::Bits(_) if descriptor.name == "Bit" => Ty::Bool,
            TypeKind::Bits(n) => Ty::Bits(*n),
            TypeKind::Signed(n) => Ty::Signed(*n),
            TypeKind::Enum(labels) => Ty::Enum(
                descriptor.name.clone(),
                labels.iter().map(|l| l.rsplit("::").next().unwrap_or(l).to_string()).collect(),
            ),
            TypeKind::Composite(fields) => Ty::Struct(
                descriptor.name.clone(),
                fields.iter().map(|f| (f.fieldname.clone(), Ty::of(&f.kind))).collect(),
            ),
        }
    }

    pub(super) fn width(&self) -> usize {
        match self {
            Ty::Bool | Ty::Clock => 1,
            Ty::Bits(n) | Ty::Signed(n) => *n,
            Ty::Enum(_, variants) => clog2(variants.len()),
            Ty::Struct(_, fields) => fields.iter().map(|(_, ty)| ty.width()).sum(),
        }
    }

    /// The direct field of a struct at `offset` with `width` bits.
    pub(super) fn field(&self, offset: usize, width: usize) -> Option<&Ty> {
        let Ty::Struct(_, fields) = self else {
            return None;
        };
        let mut at = 0;
        fields.iter().map(|(_, ty)| ty).find(|ty| {
            let hit = at == offset && ty.width() == width;
            at += ty.width();
            hit
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => write!(f, "bool"),
            Ty::Clock => write!(f, "Clock"),
            Ty::Bits(n) => write!(f, "Bits<{n}>"),
            Ty::Signed(n) => write!(f, "Signed<{n}>"),
            Ty::Enum(name, _) | Ty::Struct(name, _) => write!(f, "{name}"),
        }
    }
}
