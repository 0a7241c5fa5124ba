# weft_nic out of context: 250 MHz. For a 100G MAC with frames of every size at the full rate write 3.103 (322.265625 MHz).

create_clock -name clk -period 4.000 [get_ports clk]
