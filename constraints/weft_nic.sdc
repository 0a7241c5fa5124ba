# weft_nic: one clock, 250 MHz.

create_clock -name clk -period 4.000 [get_ports clk]
