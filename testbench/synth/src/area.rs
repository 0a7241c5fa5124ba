//! Resources of a netlist.

use crate::cell::Kind;
use crate::{Error, Module};
use serde::{Deserialize, Serialize};

/// Cells of a netlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Number of LUTs, including those used as shift registers, as memories or in carry chains.
    pub lut: u32,
    /// Number of LUTs used as shift registers.
    pub srl: u32,
    /// Number of LUTs used as memories.
    pub lut_ram: u32,
    /// Registers of one bit.
    pub ff: u32,
    /// Number of cells of carry chains.
    pub carry: u32,
    /// Number of multiplexers beside LUTs.
    pub mux: u32,
    /// Block RAMs of 36 kbit.
    pub ram36: u32,
    /// Block RAMs of 18 kbit.
    pub ram18: u32,
    /// UltraRAMs.
    pub uram: u32,
    /// Multiplier blocks.
    pub dsp: u32,
}

impl Area {
    /// Counts the cells of a flat module.
    pub fn of(module: &Module) -> Result<Self, Error> {
        let mut area = Area::default();
        for cell in module.cells.values() {
            match Kind::of(&cell.kind)? {
                Kind::Gate => return Err(Error::UnknownCell(cell.kind.clone())),
                Kind::Lut | Kind::Inverter => area.lut += 1,
                Kind::Carry(luts) => {
                    area.carry += 1;
                    area.lut += luts;
                }
                Kind::Mux => area.mux += 1,
                Kind::Register => area.ff += 1,
                Kind::ShiftRegister => {
                    area.srl += 1;
                    area.lut += 1;
                }
                Kind::LutRam(luts) => {
                    area.lut_ram += luts;
                    area.lut += luts;
                }
                Kind::Ram36 => area.ram36 += 1,
                Kind::Ram18 => area.ram18 += 1,
                Kind::UltraRam => area.uram += 1,
                Kind::Dsp => area.dsp += 1,
                Kind::Apart | Kind::Nothing => {}
            }
        }
        Ok(area)
    }

    /// Block RAM in halves of 36 kbit.
    pub fn ram_halves(&self) -> u32 {
        2 * self.ram36 + self.ram18
    }
}

impl std::ops::Add for Area {
    type Output = Area;

    fn add(self, other: Area) -> Area {
        Area {
            lut: self.lut + other.lut,
            srl: self.srl + other.srl,
            lut_ram: self.lut_ram + other.lut_ram,
            ff: self.ff + other.ff,
            carry: self.carry + other.carry,
            mux: self.mux + other.mux,
            ram36: self.ram36 + other.ram36,
            ram18: self.ram18 + other.ram18,
            uram: self.uram + other.uram,
            dsp: self.dsp + other.dsp,
        }
    }
}
