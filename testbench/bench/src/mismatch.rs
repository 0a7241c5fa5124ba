//! A port on which model and RTL differ.

use std::fmt;

/// The first difference between the model and the RTL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Clocks since the start of the run.
    pub cycle: u64,
    /// The first port that differs.
    pub port: &'static str,
    /// The value of the port in the model, lowest word first.
    pub model: Vec<u64>,
    /// The value of the port in the RTL, lowest word first.
    pub rtl: Vec<u64>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, port, model, rtl } = self;
        write!(f, "mismatch in cycle {cycle} on {port}: model {}, RTL {}", hex(model), hex(rtl))
    }
}

/// The value of a port as a hexadecimal number.
pub fn hex(words: &[u64]) -> String {
    let mut words = words.iter().rev().skip_while(|word| **word == 0);
    let first = words.next().map_or("0x0".to_owned(), |word| format!("{word:#x}"));
    words.fold(first, |text, word| text + &format!("{word:016x}"))
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn values_are_shown_as_numbers() {
        assert_eq!([hex(&[0]), hex(&[0x1F]), hex(&[5, 0])], ["0x0", "0x1f", "0x5"]);
        assert_eq!(hex(&[0xAB, 0x1, 0]), "0x100000000000000ab");
    }
}
