// SPDX-License-Identifier: MIT OR Apache-2.0
// libweft as a VPI module (docs/verify-your-nic.md), for Icarus and other simulators without DPI:
//
//   handle = $weft_reps_new(connections, depth, ev_width)      below 0: see $weft_error
//   $weft_reps_write(handle, offset, value)                    0, or below 0
//   $weft_reps_clock(handle, rst, now, event_tvalid, event_tid, event_tdata, event_tuser, decision_tready,
//                    event_tready, decision_tvalid, decision_tid, decision_tdata, decision_tuser, not_open_events)
//   $weft_reps_free(handle)
//   $weft_error                                                prints the text of the last error
//
// All but the last are functions. Inputs of $weft_reps_clock come first, then the variables for its outputs.
#include <stdint.h>
#include <string.h>
#include <vpi_user.h>
#include "weft.h"

enum { HANDLES = 256, MOST = 16 };

static weft_reps_clocked *handles[HANDLES];

// The arguments of a call, as handles and as numbers; returns how many there are.
static int arguments(vpiHandle *places, uint32_t *values) {
    vpiHandle call = vpi_handle(vpiSysTfCall, NULL), each = vpi_iterate(vpiArgument, call);
    int count = 0;
    for (vpiHandle one; each && (one = vpi_scan(each));) {
        if (count == MOST) continue;
        s_vpi_value value = {.format = vpiIntVal};
        vpi_get_value(one, &value);
        places[count] = one;
        values[count++] = (uint32_t)value.value.integer;
    }
    return count;
}

static void put(vpiHandle place, uint32_t number) {
    s_vpi_value value = {.format = vpiIntVal, .value.integer = (int)number};
    vpi_put_value(place, &value, NULL, vpiNoDelay);
}

static PLI_INT32 answer(int code) {
    put(vpi_handle(vpiSysTfCall, NULL), (uint32_t)code);
    return 0;
}

// The model of a call with so many arguments; NULL if there is none.
static weft_reps_clocked *model(vpiHandle *places, uint32_t *values, int wanted) {
    int count = arguments(places, values);
    return count == wanted && values[0] < HANDLES ? handles[values[0]] : NULL;
}

static PLI_INT32 reps_new(PLI_BYTE8 *data) {
    (void)data;
    vpiHandle places[MOST];
    uint32_t v[MOST];
    int free = 0;
    while (free < HANDLES && handles[free]) free++;
    if (arguments(places, v) != 3 || free == HANDLES) return answer(WEFT_RANGE);
    handles[free] = weft_reps_clocked_new(v[0], v[1], v[2]);
    return answer(handles[free] ? free : WEFT_RANGE);
}

static PLI_INT32 reps_free(PLI_BYTE8 *data) {
    (void)data;
    vpiHandle places[MOST];
    uint32_t v[MOST];
    weft_reps_clocked *reps = model(places, v, 1);
    if (!reps) return answer(WEFT_NULL);
    weft_reps_clocked_free(reps);
    handles[v[0]] = NULL;
    return answer(WEFT_OK);
}

static PLI_INT32 reps_write(PLI_BYTE8 *data) {
    (void)data;
    vpiHandle places[MOST];
    uint32_t v[MOST];
    weft_reps_clocked *reps = model(places, v, 3);
    return answer(reps ? weft_reps_clocked_write(reps, v[1], v[2]) : WEFT_NULL);
}

static PLI_INT32 reps_clock(PLI_BYTE8 *data) {
    (void)data;
    vpiHandle places[MOST];
    uint32_t v[MOST];
    weft_reps_clocked *reps = model(places, v, 14);
    if (!reps) return answer(WEFT_NULL);
    weft_reps_inputs inputs = {.rst = v[1], .now = v[2], .event_tvalid = v[3], .event_tid = v[4], .event_tdata = v[5],
                               .event_tuser = v[6], .decision_tready = v[7]};
    weft_reps_outputs told = {0};
    int code = weft_reps_clock(reps, &inputs, &told);
    uint32_t outputs[] = {told.event_tready, told.decision_tvalid, told.decision_tid, told.decision_tdata, told.decision_tuser,
                          told.not_open_events};
    for (int i = 0; i < 6; i++) put(places[8 + i], outputs[i]);
    return answer(code);
}

static PLI_INT32 error(PLI_BYTE8 *data) {
    (void)data;
    vpi_printf("%s\n", *weft_error() ? weft_error() : "a call has other arguments than weft_vpi.c says, an unknown bit, or no handle");
    return 0;
}

static void functions(void) {
    static const struct {
        const char *name;
        PLI_INT32 (*call)(PLI_BYTE8 *);
    } all[] = {{"$weft_reps_new", reps_new}, {"$weft_reps_free", reps_free}, {"$weft_reps_write", reps_write}, {"$weft_reps_clock", reps_clock}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        s_vpi_systf_data function = {.type = vpiSysFunc, .sysfunctype = vpiIntFunc, .tfname = (PLI_BYTE8 *)all[i].name, .calltf = all[i].call};
        vpi_register_systf(&function);
    }
    s_vpi_systf_data task = {.type = vpiSysTask, .tfname = (PLI_BYTE8 *)"$weft_error", .calltf = error};
    vpi_register_systf(&task);
}

void (*vlog_startup_routines[])(void) = {functions, NULL};
