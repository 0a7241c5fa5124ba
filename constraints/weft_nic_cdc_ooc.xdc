# weft_nic_cdc out of context: NIC and host at 250 MHz, the MAC at 322.265625 MHz.
# fpga/cdc/weft_cdc.tcl is read behind it.

create_clock -name core_clk -period 4.000 [get_ports core_clk]
create_clock -name host_clk -period 4.000 [get_ports host_clk]
create_clock -name mac_rx_clk -period 3.103 [get_ports mac_rx_clk]
create_clock -name mac_tx_clk -period 3.103 [get_ports mac_tx_clk]
