// SPDX-License-Identifier: MIT OR Apache-2.0
// The imports of weft_dpi.svh: DPI passes numbers, libweft takes structs.
#include <stdint.h>
#include "weft.h"

const char *weft_dpi_error(void) { return weft_error(); }
unsigned weft_dpi_abi(void) { return weft_abi_version(); }

void *weft_dpi_reps_new(unsigned connections, unsigned depth, unsigned ev_width) { return weft_reps_clocked_new(connections, depth, ev_width); }
void weft_dpi_reps_free(void *reps) { weft_reps_clocked_free(reps); }
int weft_dpi_reps_write(void *reps, unsigned offset, unsigned value) { return weft_reps_clocked_write(reps, offset, value); }

int weft_dpi_reps_clock(void *reps, unsigned char rst, unsigned now, unsigned char event_tvalid, unsigned event_tid, unsigned event_tdata,
                        unsigned char event_tuser, unsigned char decision_tready, unsigned char *event_tready,
                        unsigned char *decision_tvalid, unsigned *decision_tid, unsigned short *decision_tdata,
                        unsigned char *decision_tuser, unsigned *not_open_events) {
    weft_reps_inputs inputs = {.now = now, .event_tid = event_tid, .event_tdata = event_tdata, .rst = rst,
                               .event_tvalid = event_tvalid, .event_tuser = event_tuser, .decision_tready = decision_tready};
    weft_reps_outputs outputs = {0};
    int code = weft_reps_clock(reps, &inputs, &outputs);
    *event_tready = outputs.event_tready;
    *decision_tvalid = outputs.decision_tvalid;
    *decision_tid = outputs.decision_tid;
    *decision_tdata = outputs.decision_tdata;
    *decision_tuser = outputs.decision_tuser;
    *not_open_events = outputs.not_open_events;
    return code;
}

void *weft_dpi_smartt_new(unsigned connections) { return weft_smartt_clocked_new(connections); }
void weft_dpi_smartt_free(void *smartt) { weft_smartt_clocked_free(smartt); }
int weft_dpi_smartt_write(void *smartt, unsigned offset, unsigned value) { return weft_smartt_clocked_write(smartt, offset, value); }

int weft_dpi_smartt_clock(void *smartt, unsigned char rst, unsigned now, unsigned char event_tvalid, unsigned event_tid,
                          uint64_t event_tdata_low, unsigned char event_tdata_high, unsigned short event_tuser,
                          unsigned char window_tready, unsigned char *event_tready, unsigned char *window_tvalid,
                          unsigned *window_tid, unsigned *window_tdata, unsigned char *window_tuser, unsigned *not_open_events) {
    weft_smartt_inputs inputs = {.event_tdata = {event_tdata_low, event_tdata_high}, .now = now, .event_tid = event_tid,
                                 .event_tuser = event_tuser, .rst = rst, .event_tvalid = event_tvalid, .window_tready = window_tready};
    weft_smartt_outputs outputs = {0};
    int code = weft_smartt_clock(smartt, &inputs, &outputs);
    *event_tready = outputs.event_tready;
    *window_tvalid = outputs.window_tvalid;
    *window_tid = outputs.window_tid;
    *window_tdata = outputs.window_tdata;
    *window_tuser = outputs.window_tuser;
    *not_open_events = outputs.not_open_events;
    return code;
}
