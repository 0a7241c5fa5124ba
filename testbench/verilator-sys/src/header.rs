//! Reads the ports of the top from the header that Verilator generates: its parameters are resolved there, and the
//! format is the same from 5.006 to 5.052.

use std::fmt;

use crate::error::Error;

/// Direction of a port, seen from the RTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The testbench drives the port.
    In,
    /// The RTL drives the port.
    Out,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::In => "in",
            Self::Out => "out",
        })
    }
}

/// A port of Verilator's header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderPort {
    /// The member of the C++ class.
    pub(crate) member: String,
    pub(crate) name: String,
    pub(crate) direction: Direction,
    pub(crate) width: u32,
}

/// Finds lines such as `VL_INW(&s_tdata,511,0,16);`.
pub(crate) fn ports(header: &str) -> Result<Vec<HeaderPort>, Error> {
    let mut ports = Vec::new();
    for line in header.lines().map(str::trim) {
        let Some((kind, rest)) = line.strip_prefix("VL_").and_then(|line| line.split_once('(')) else {
            continue;
        };
        let Some(direction) = direction(kind) else { continue };
        let Some(arguments) = rest.strip_suffix(");") else { continue };
        if let Some(array) = arguments.strip_prefix("(&") {
            let port = name(array.split(')').next().unwrap_or(array));
            return Err(Error::PortUnsupported { port, what: "an array" });
        }
        let mut arguments = arguments.trim_start_matches('&').split(',');
        let member = arguments.next().unwrap_or_default().to_owned();
        let port = name(&member);
        let mut bound = || arguments.next()?.trim().parse::<i64>().ok();
        let (Some(direction), Some(left), Some(right)) = (direction, bound(), bound()) else {
            return Err(Error::PortUnsupported { port, what: "inout" });
        };
        let width = u32::try_from(left.abs_diff(right) + 1).unwrap_or(u32::MAX);
        ports.push(HeaderPort { member, name: port, direction, width });
    }
    Ok(ports)
}

/// `IN8`, `INW`, `OUT`, ... The inner `None` is an inout.
fn direction(kind: &str) -> Option<Option<Direction>> {
    let is_size = |size: &str| matches!(size, "" | "8" | "16" | "64" | "W");
    if let Some(size) = kind.strip_prefix("INOUT") {
        return is_size(size).then_some(None);
    }
    let (direction, size) = match kind.strip_prefix("IN") {
        Some(size) => (Direction::In, size),
        None => (Direction::Out, kind.strip_prefix("OUT")?),
    };
    is_size(size).then_some(Some(direction))
}

/// Undoes Verilator's spelling of names that C++ could not have: `a___05Fb` is `a__b`, `__SYM__new` is `new`.
fn name(member: &str) -> String {
    let member = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut name = String::new();
    let mut rest = member;
    while let Some(at) = rest.find("__0") {
        let code = rest.get(at + 3..at + 5).and_then(|code| u8::from_str_radix(code, 16).ok());
        let Some(code) = code else {
            name.push_str(&rest[..at + 3]);
            rest = &rest[at + 3..];
            continue;
        };
        name.push_str(&rest[..at]);
        name.push(char::from(code));
        rest = &rest[at + 5..];
    }
    name + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_kind_of_port() {
        let header = "
            VL_IN8(&clk,0,0);
            VL_IN16(&a___05Fb,8,0);
            VL_IN(&__SYM__new,0,31);
            VL_OUT64(&now,47,0);
            VL_OUTW(&m_tdata,519,8,16);
            VL_UNCOPYABLE(Vm);";
        let ports = ports(header).unwrap();
        let seen: Vec<_> = ports.iter().map(|p| (p.name.as_str(), p.direction, p.width)).collect();
        use Direction::{In, Out};
        assert_eq!(
            seen,
            [("clk", In, 1), ("a__b", In, 9), ("new", In, 32), ("now", Out, 48), ("m_tdata", Out, 512)]
        );
        assert_eq!(ports[1].member, "a___05Fb");
    }

    #[test]
    fn refuses_what_is_not_a_vector() {
        assert!(matches!(
            ports("VL_IN8((&ar)[2],3,0);"),
            Err(Error::PortUnsupported { what: "an array", .. })
        ));
        assert!(matches!(ports("VL_INOUT8(&z,5,0);"), Err(Error::PortUnsupported { what: "inout", .. })));
    }
}
