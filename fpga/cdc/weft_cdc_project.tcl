# Adds weft_cdc.tcl to the open project of Vivado: read by implementation, behind all files that create clocks.

set weft_cdc [file join [file dirname [file normalize [info script]]] weft_cdc.tcl]
add_files -fileset constrs_1 -norecurse $weft_cdc
set_property USED_IN_SYNTHESIS false [get_files $weft_cdc]
set_property PROCESSING_ORDER LATE [get_files $weft_cdc]
