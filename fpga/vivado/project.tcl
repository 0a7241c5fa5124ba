# A project with the example of three clocks, fpga/example/nic_on_clocks.v, as a start for a design of one's own:
#
#   vivado -mode batch -source fpga/vivado/project.tcl -tclargs u55c|vu9p
#
# It synthesises, and reports crossings and timing of the netlist with the constraints of implementation. It has no pins, so it
# does not become a bitstream. Written to UG835 and UG903; the project has no Vivado, so it has not run there.
# scripts/constraints.py runs it with stand-ins that look up every file and module.

set root [file normalize [file join [file dirname [info script]] ../..]]
array set parts {
    u55c xcu55c-fsvh2892-2L-e
    vu9p xcvu9p-flga2104-2L-e
}
lassign $argv card
set out $root/build/vivado/project_$card
create_project -force weft $out -part $parts($card)

set list [open $root/hdl/verilog/weft_nic.f]
foreach file [split [string trim [read $list]] \n] { add_files -norecurse $root/hdl/verilog/$file }
close $list
foreach module {weft_sync weft_reset_sync weft_async_fifo weft_mac_rx weft_cdc_fence weft_nic_cdc} {
    add_files -norecurse $root/fpga/cdc/$module.v
}
add_files -norecurse [list $root/fpga/example/host_memory.v $root/fpga/example/nic_on_clocks.v]
set_property top nic_on_clocks [current_fileset]

add_files -fileset constrs_1 -norecurse $root/constraints/nic_on_clocks.xdc
source $root/fpga/cdc/weft_cdc_project.tcl
update_compile_order -fileset sources_1

launch_runs synth_1
wait_on_run synth_1
if {[get_property PROGRESS [get_runs synth_1]] ne "100%"} { error "synthesis failed" }
open_run synth_1
report_cdc -details -file $out/cdc.txt
report_timing_summary -file $out/timing.txt
