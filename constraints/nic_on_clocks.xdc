# fpga/example/nic_on_clocks.v in a shell: NIC and host at 250 MHz, the MAC at 322.265625 MHz.
# Where a MAC, a PCIe core or an MMCM makes a clock, their constraints define it and its line here goes.
# fpga/cdc/weft_cdc.tcl is read behind it.

create_clock -name clk -period 4.000 [get_ports clk]
create_clock -name core_clk -period 4.000 [get_ports core_clk]
create_clock -name mac_clk -period 3.103 [get_ports mac_clk]
