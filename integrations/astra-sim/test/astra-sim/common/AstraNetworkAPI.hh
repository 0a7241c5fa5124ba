// SPDX-License-Identifier: MIT OR Apache-2.0
// The functions of ASTRA-sim's network API, in words of our own, so that the adapter is compiled and tested without ASTRA-sim.
#ifndef WEFT_TEST_ASTRA_NETWORK_API_HH
#define WEFT_TEST_ASTRA_NETWORK_API_HH

#include <cstdint>

namespace AstraSim {

enum time_type_e { SE, MS, US, NS, FS };

struct timespec_t {
    time_type_e time_res;
    long double time_val;
};

struct sim_request {
    uint32_t tag;
};

class AstraNetworkAPI {
  public:
    explicit AstraNetworkAPI(int rank) : rank(rank) {}
    virtual ~AstraNetworkAPI() = default;

    virtual int sim_send(void *buffer, uint64_t count, int type, int dst, int tag, sim_request *request, void (*msg_handler)(void *), void *fun_arg) = 0;
    virtual int sim_recv(void *buffer, uint64_t count, int type, int src, int tag, sim_request *request, void (*msg_handler)(void *), void *fun_arg) = 0;
    virtual void sim_schedule(timespec_t delta, void (*fun_ptr)(void *), void *fun_arg) = 0;
    virtual timespec_t sim_get_time() = 0;
    virtual double get_BW_at_dimension(int) { return -1; }
    virtual void sim_notify_finished() {}

    int rank;
};

} // namespace AstraSim

#endif
