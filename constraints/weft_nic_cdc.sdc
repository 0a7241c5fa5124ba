# weft_nic_cdc in plain SDC, for tools that do not know -datapath_only: NIC and host at 250 MHz, the MAC at 322.265625 MHz.
# Between two clocks there are crossings of weft_async_fifo and nothing else, so a limit for all paths between them limits
# those, and the beginning of the reset. It counts the difference of the clocks' latencies as well, which -datapath_only would not.

create_clock -name core_clk -period 4.000 [get_ports core_clk]
create_clock -name host_clk -period 4.000 [get_ports host_clk]
create_clock -name mac_rx_clk -period 3.103 [get_ports mac_rx_clk]
create_clock -name mac_tx_clk -period 3.103 [get_ports mac_tx_clk]

# From, to, and the shorter period: a pointer's limit is a clock of the side that it comes from, that of a word in LUT RAM a clock of
# the side that reads it.
foreach {from to period} {
    core_clk   host_clk   4.000
    host_clk   core_clk   4.000
    mac_rx_clk core_clk   3.103
    core_clk   mac_rx_clk 3.103
    core_clk   mac_tx_clk 3.103
    mac_tx_clk core_clk   3.103
} {
    set_max_delay $period -from [get_clocks $from] -to [get_clocks $to]
    set_false_path -hold -from [get_clocks $from] -to [get_clocks $to]
}
