// SPDX-License-Identifier: MIT OR Apache-2.0
// libweft in SystemVerilog (docs/libweft.md): handles are `chandle`s, functions return 0, or less than 0 with weft_dpi_error.
// Some simulators need imports in each scope that calls them: include this file there.

import "DPI-C" function string weft_dpi_error();
import "DPI-C" function int unsigned weft_dpi_abi();

import "DPI-C" function chandle weft_dpi_reps_new(input int unsigned connections, input int unsigned depth, input int unsigned ev_width);
import "DPI-C" function void weft_dpi_reps_free(input chandle reps);
import "DPI-C" function int weft_dpi_reps_write(input chandle reps, input int unsigned offset, input int unsigned value);
// Every port of weft_reps: runs a rising edge with these inputs, then returns the outputs after it.
import "DPI-C" function int weft_dpi_reps_clock(
    input  chandle            reps,
    input  bit                rst,
    input  int unsigned       now,
    input  bit                event_tvalid,
    input  int unsigned       event_tid,
    input  int unsigned       event_tdata,
    input  byte unsigned      event_tuser,
    input  bit                decision_tready,
    output bit                event_tready,
    output bit                decision_tvalid,
    output int unsigned       decision_tid,
    output shortint unsigned  decision_tdata,
    output byte unsigned      decision_tuser,
    output int unsigned       not_open_events);

import "DPI-C" function chandle weft_dpi_smartt_new(input int unsigned connections);
import "DPI-C" function void weft_dpi_smartt_free(input chandle smartt);
import "DPI-C" function int weft_dpi_smartt_write(input chandle smartt, input int unsigned offset, input int unsigned value);
// Every port of weft_smartt.
import "DPI-C" function int weft_dpi_smartt_clock(
    input  chandle            smartt,
    input  bit                rst,
    input  int unsigned       now,
    input  bit                event_tvalid,
    input  int unsigned       event_tid,
    input  longint unsigned   event_tdata_low,
    input  byte unsigned      event_tdata_high,
    input  shortint unsigned  event_tuser,
    input  bit                window_tready,
    output bit                event_tready,
    output bit                window_tvalid,
    output int unsigned       window_tid,
    output int unsigned       window_tdata,
    output byte unsigned      window_tuser,
    output int unsigned       not_open_events);
