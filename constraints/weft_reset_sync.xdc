# Of weft_reset_sync, for every instance:
#
#   read_xdc -ref weft_reset_sync weft_reset_sync.xdc
#
# The reset begins without a clock; its end goes through the registers.

set_false_path -to [get_pins {stage_reg[*]/PRE}]
set_property ASYNC_REG TRUE [get_cells {stage_reg[*]}]
