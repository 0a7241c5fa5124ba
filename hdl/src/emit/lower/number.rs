//! Numbers as literals of a width. A number that does not fit is refused.

use super::Lowered;
use crate::emit::error::Refusal;
use crate::emit::ir::Expr;
use rust_hdl_core::ast::VerilogLiteral;

/// Bits and value of a literal; its own fields are private.
pub(super) fn literal(l: &VerilogLiteral) -> Lowered<(usize, i128)> {
    let text = format!("{l:x}");
    let (bits, hex) = text.split_once("'h").ok_or(Refusal::NoWidth)?;
    let bits = bits.parse().map_err(|_| Refusal::NoWidth)?;
    let value = i128::from_str_radix(hex, 16).map_err(|_| Refusal::NoWidth)?;
    Ok((bits, value))
}

pub(super) fn number(n: i128, width: usize, what: &'static str) -> Lowered<Expr> {
    let too_wide = Refusal::TooWide { value: n, what, width };
    let Ok(value) = u128::try_from(n) else {
        return Err(too_wide);
    };
    if width < 128 && value >> width != 0 {
        return Err(too_wide);
    }
    Ok(Expr::Literal { width, value })
}

pub(super) fn signed_number(n: i128, width: usize) -> Lowered<Expr> {
    if n >= 0 {
        return number(n, width, "a signed value");
    }
    let lowest = match width {
        0..=127 => -(1_i128 << (width - 1)),
        _ => i128::MIN,
    };
    if n < lowest {
        return Err(Refusal::TooWide { value: n, what: "a signed value", width });
    }
    match width {
        0..=127 => number(n + (1 << width), width, "a signed value"),
        _ => Err(Refusal::NoWidth),
    }
}
