# Synthesis, place and route of one module out of context, in Vivado without a project:
#
#   vivado -mode batch -source fpga/vivado/out_of_context.tcl -tclargs u55c|vu9p weft_nic|weft_nic_cdc [SITE...]
#
# SITE: where the top has its clock buffers, such as BUFGCE_X0Y24, one for each clock in the order of `clocks` below. Without
# them Vivado does not know how clocks come in, and skew is that of no real design.
#
# Written to UG835, UG903 and UG905; the project has no Vivado, so it has not run there. scripts/constraints.py runs it with
# stand-ins that look up every file and module.

set root [file normalize [file join [file dirname [info script]] ../..]]
array set parts {
    u55c xcu55c-fsvh2892-2L-e
    vu9p xcvu9p-flga2104-2L-e
}
array set clocks {
    weft_nic     clk
    weft_nic_cdc {core_clk host_clk mac_rx_clk mac_tx_clk}
}
# Jitter and phase error of the top's clocks in ns. A guess for clocks of an MMCM: write what the top reports.
set uncertainty 0.100
set sites [lassign $argv card top]
set part $parts($card)
if {[llength $sites] ni [list 0 [llength $clocks($top)]]} { error "$top has [llength $clocks($top)] clocks, not [llength $sites]" }

# The NIC's files, in their order, and those of the crossings.
set list [open $root/hdl/verilog/weft_nic.f]
foreach file [split [string trim [read $list]] \n] { read_verilog $root/hdl/verilog/$file }
close $list
read_xdc -mode out_of_context $root/constraints/${top}_ooc.xdc
if {$top eq "weft_nic_cdc"} {
    foreach module {weft_sync weft_reset_sync weft_async_fifo weft_mac_rx weft_cdc_fence weft_nic_cdc} {
        read_verilog $root/fpga/cdc/$module.v
    }
}

synth_design -top $top -part $part -mode out_of_context
if {$top eq "weft_nic_cdc"} { source $root/fpga/cdc/weft_cdc.tcl }

# The clocks as they come in (UG905).
set_system_jitter 0.0
set_clock_uncertainty $uncertainty [all_clocks]
foreach clock $clocks($top) site $sites {
    if {$site ne ""} { set_property HD.CLK_SRC $site [get_ports $clock] }
}

opt_design
place_design
phys_opt_design
route_design

set out $root/build/vivado/${card}_$top
file mkdir $out
write_checkpoint -force $out/$top.dcp
report_utilization -hierarchical -file $out/utilization.txt
report_timing_summary -file $out/timing.txt
report_cdc -details -file $out/cdc.txt
report_bus_skew -file $out/bus_skew.txt
report_methodology -file $out/methodology.txt
