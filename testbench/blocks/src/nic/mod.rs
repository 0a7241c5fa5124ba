//! The `weft_nic` under test.

mod ports;

pub use ports::Dut;

use verilator_sys::Build;
use weft_bench::{Block, build};
use weft_hdl::emit::EmitError;
use weft_params::NicParams;

/// The Verilog as Verilator builds it.
pub fn verilator(params: &NicParams) -> Result<Build, EmitError> {
    Ok(build(Dut::<64>::TOP, &weft_hdl::block::nic::emit(params)?))
}
