# Of weft_async_fifo, for every instance:
#
#   read_xdc -ref weft_async_fifo weft_async_fifo.xdc
#
# before synthesis. Afterwards a module may have another name for each set of parameters; UG903 says how to find them by ORIG_REF_NAME.
#
# A pointer's bits may be apart by less than a clock of the side that they come from, and what is told
# later must not arrive earlier. No set_clock_groups between the two clocks: it would win over this.

set s_clock [get_clocks -of_objects [get_ports s_clk]]
set m_clock [get_clocks -of_objects [get_ports m_clk]]
set s_period [get_property PERIOD $s_clock]
set m_period [get_property PERIOD $m_clock]
set skew [expr {min($s_period, $m_period)}]

# Pointers.
set_max_delay -datapath_only -from [get_cells {s_gray_reg[*]}] -to [get_cells {sync_written/meta_reg*}] $s_period
set_bus_skew -from [get_cells {s_gray_reg[*]}] -to [get_cells {sync_written/meta_reg*}] $skew
set_max_delay -datapath_only -from [get_cells {m_gray_reg[*]}] -to [get_cells {sync_taken/meta_reg*}] $m_period
set_bus_skew -from [get_cells {m_gray_reg[*]}] -to [get_cells {sync_taken/meta_reg*}] $skew

# The count of frames, of queues that store them whole.
set_max_delay -quiet -datapath_only -from [get_cells -quiet {s_frames_gray_reg[*]}] -to [get_cells -quiet {g_frame.sync_frames/meta_reg*}] $s_period
set_bus_skew -quiet -from [get_cells -quiet {s_frames_gray_reg[*]}] -to [get_cells -quiet {g_frame.sync_frames/meta_reg*}] $skew

# The clear.
set_max_delay -datapath_only -from [get_cells s_clear_reg] -to [get_cells {sync_clear/meta_reg*}] $s_period
set_max_delay -datapath_only -from [get_cells m_ask_reg] -to [get_cells {sync_ask/meta_reg*}] $m_period
set_max_delay -datapath_only -from [get_cells m_ack_reg] -to [get_cells {sync_ack/meta_reg*}] $m_period

# Words in LUT RAM, written two clocks or more before they are read. A block RAM has no such path.
set_max_delay -quiet -datapath_only -from $s_clock -to [get_cells -quiet {m_ram_reg[*]}] $m_period

# As in the Verilog.
set_property ASYNC_REG TRUE [get_cells {sync_*/meta_reg* sync_*/stable_reg*}]
