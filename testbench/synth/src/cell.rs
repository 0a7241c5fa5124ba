//! The cells of the families, and their kinds.

use crate::Error;

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A gate that is not yet in a LUT.
    Gate,
    /// Logic of a LUT.
    Lut,
    /// An inverter: a LUT, unless synthesis can merge it into the next cell.
    Inverter,
    /// Part of a carry chain. The number is the LUTs in the cell.
    Carry(u32),
    /// A multiplexer beside LUTs.
    Mux,
    /// A register.
    Register,
    /// A LUT as a shift register.
    ShiftRegister,
    /// A memory of LUTs, which is read without a clock. The number is its LUTs.
    LutRam(u32),
    /// A block RAM of 36 kbit.
    Ram36,
    /// A block RAM of 18 kbit.
    Ram18,
    /// An UltraRAM.
    UltraRam,
    /// A multiplier block.
    Dsp,
    /// A block that is left out. Such a block has registers at its ports.
    Apart,
    /// A buffer, a constant, or information about the hierarchy.
    Nothing,
}

/// The role of a pin of a register, a memory or a multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Enable,
    Reset,
    Other,
}

impl Kind {
    pub(crate) fn of(cell: &str) -> Result<Kind, Error> {
        Ok(match cell {
            "$_NOT_" | "$_AND_" | "$_NAND_" | "$_OR_" | "$_NOR_" | "$_XOR_" | "$_XNOR_" | "$_ANDNOT_"
            | "$_ORNOT_" | "$_MUX_" => Kind::Gate,
            "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" => Kind::Lut,
            "INV" => Kind::Inverter,
            "CARRY4" | "CARRY8" => Kind::Carry(0),
            "CCU2C" => Kind::Carry(2),
            "MUXF7" | "MUXF8" | "MUXF9" | "PFUMX" | "L6MUX21" => Kind::Mux,
            "FDRE" | "FDSE" | "FDCE" | "FDPE" | "TRELLIS_FF" => Kind::Register,
            "SRL16E" | "SRLC16E" | "SRLC32E" => Kind::ShiftRegister,
            "RAM32X1D" | "RAM64X1D" => Kind::LutRam(2),
            "RAM32M" | "RAM64M" | "RAM128X1D" | "TRELLIS_DPR16X4" => Kind::LutRam(4),
            "RAM32M16" | "RAM64M8" | "RAM256X1D" => Kind::LutRam(8),
            "RAMB36E1" | "RAMB36E2" => Kind::Ram36,
            "RAMB18E1" | "RAMB18E2" | "DP16KD" | "PDPW16KD" => Kind::Ram18,
            "URAM288" => Kind::UltraRam,
            "DSP48E1" | "DSP48E2" | "MULT18X18D" => Kind::Dsp,
            "$scopeinfo" | "IBUF" | "OBUF" | "BUFG" | "VCC" | "GND" => Kind::Nothing,
            _ if cell.starts_with("weft_") => Kind::Apart,
            _ => return Err(Error::UnknownCell(cell.to_owned())),
        })
    }

    /// Whether a path between registers ends at the cell's inputs.
    pub(crate) fn ends(self) -> bool {
        matches!(self, Kind::LutRam(_)) || self.is_clocked()
    }

    /// Whether a path between registers begins at the cell's outputs.
    pub(crate) fn is_clocked(self) -> bool {
        use Kind::{Apart, Dsp, Ram18, Ram36, Register, ShiftRegister, UltraRam};
        matches!(self, Register | ShiftRegister | Ram36 | Ram18 | UltraRam | Dsp | Apart)
    }

    /// The role of a pin of the cell.
    pub(crate) fn role(self, pin: &str) -> Role {
        let begins = |names: &[&str]| names.iter().any(|name| pin.starts_with(name));
        match self {
            Kind::Register if matches!(pin, "R" | "S" | "CLR" | "PRE" | "LSR") => Role::Reset,
            _ if !self.is_clocked() => Role::Other,
            _ if begins(&["CE", "OCE", "EN", "REGCE"]) => Role::Enable,
            _ if begins(&["RST"]) => Role::Reset,
            _ => Role::Other,
        }
    }
}
