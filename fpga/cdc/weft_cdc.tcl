# Constraints of every weft_async_fifo and weft_reset_sync of a design, for Vivado, behind what creates the clocks:
#
#   source weft_cdc.tcl             without a project, after synth_design
#   source weft_cdc_project.tcl     in a project: adds this file, for implementation
#
# Synthesis gives a module another name for each set of parameters and for each instance, so `read_xdc -ref` and SCOPED_TO_REF
# do not find them all (UG903). ORIG_REF_NAME is the name in the source; a cell whose module kept its name may have none.
#
# A pointer's bits may be apart by less than a clock of the side that they come from, and what is told later must not arrive
# earlier. A limit begins at the clock, not at registers: of two that always have the same value, such as a pointer's top bit in
# binary and in Gray code, synthesis keeps one. No set_clock_groups between the clocks: it would win over this.

set fifos [get_cells -quiet -hierarchical -filter {ORIG_REF_NAME == weft_async_fifo || REF_NAME == weft_async_fifo}]
if {![llength $fifos]} { send_msg_id {weft_cdc 1-1} {CRITICAL WARNING} "weft_cdc.tcl finds no weft_async_fifo" }

foreach fifo $fifos {
    set s_clock [get_clocks -of_objects [get_pins $fifo/s_clear_reg/C]]
    set m_clock [get_clocks -of_objects [get_pins $fifo/m_ask_reg/C]]
    if {![llength $s_clock] || ![llength $m_clock]} { error "weft_cdc.tcl: $fifo has no clock yet" }
    set s_period [get_property -min PERIOD $s_clock]
    set m_period [get_property -min PERIOD $m_clock]
    set skew [expr {min($s_period, $m_period)}]

    # Pointers, and the count of frames in queues that store them whole.
    set written [get_cells $fifo/sync_written/meta_reg*]
    set taken [get_cells $fifo/sync_taken/meta_reg*]
    set frames [get_cells -quiet $fifo/g_frame.sync_frames/meta_reg*]
    set_max_delay -datapath_only -from $s_clock -to $written $s_period
    set_max_delay -datapath_only -from $m_clock -to $taken $m_period
    set_bus_skew -from [get_cells [list $fifo/s_gray_reg* $fifo/s_count_reg*]] -to $written $skew
    set_bus_skew -from [get_cells [list $fifo/m_gray_reg* $fifo/m_count_reg*]] -to $taken $skew
    if {[llength $frames]} {
        set_max_delay -datapath_only -from $s_clock -to $frames $s_period
        set_bus_skew -from [get_cells $fifo/s_frames_gray_reg*] -to $frames $skew
    }

    # The clear.
    set_max_delay -datapath_only -from $s_clock -to [get_cells $fifo/sync_clear/meta_reg*] $s_period
    set_max_delay -datapath_only -from $m_clock -to [get_cells $fifo/sync_ask/meta_reg*] $m_period
    set_max_delay -datapath_only -from $m_clock -to [get_cells $fifo/sync_ack/meta_reg*] $m_period

    # Words in LUT RAM: a word and its pointer change at one edge, and the side that reads loads the word two of its clocks after
    # it caught the pointer. A block RAM has no such path.
    set words [get_cells -quiet $fifo/m_ram_reg\[*\]]
    if {[llength $words]} { set_max_delay -datapath_only -from $s_clock -to $words $m_period }
}

# A reset begins without a clock; its end goes through the registers.
foreach reset [get_cells -quiet -hierarchical -filter {ORIG_REF_NAME == weft_reset_sync || REF_NAME == weft_reset_sync}] {
    set_false_path -to [get_pins [list $reset/stage_reg*/PRE $reset/spread_reg*/PRE]]
}
