// SPDX-License-Identifier: MIT OR Apache-2.0
// See uvm_pkg.sv.
`define uvm_object_utils(T)
`define uvm_component_utils(T)
`define uvm_fatal(ID, MESSAGE) begin report(ID, MESSAGE); end
`define uvm_error(ID, MESSAGE) begin report(ID, MESSAGE); end
`define uvm_info(ID, MESSAGE, VERBOSITY) begin report(ID, MESSAGE); end
