// SPDX-License-Identifier: MIT OR Apache-2.0
// weft as the network of ASTRA-sim (docs/ai-simulators.md): a session has the fabric and the order of events, and each rank has a
// Network, which ASTRA-sim asks to send, receive and schedule.
#ifndef WEFT_NETWORK_HH
#define WEFT_NETWORK_HH

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "weft.h"

namespace weft {

struct Late {
    uint64_t answers, window_ps;
    double mean_ps;
    uint64_t most_ps;
};

using Handler = void (*)(void *);

// The fabric of all ranks: rank i is host i. Errors are std::runtime_error with the message of libweft.
class Session {
  public:
    Session(const std::string &setup_file, const std::vector<std::string> &sets = {});
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    int ranks() const { return static_cast<int>(weft_fabric_hosts(fabric.get())); }
    uint64_t now_ps() const { return now; }
    void send(int source, int destination, int tag, uint64_t bytes, Handler handler, void *argument);
    void receive(int source, int destination, int tag, uint64_t bytes, Handler handler, void *argument);
    void schedule(uint64_t delta_ps, Handler handler, void *argument);
    void finished(int rank);

    // Runs until all ranks have finished, or no event is left. Returns whether all have finished.
    bool run();
    // Messages that left late, because their causes were known only at the end of a window.
    Late late() const;
    // Ends the run and returns the JSON of `weft sim`.
    std::string report();

  private:
    // Messages of a source, destination and tag are one stream of bytes, in the order in which they were sent.
    struct Message {
        uint64_t bytes;
        bool has_come;
    };
    struct Want {
        uint64_t until; // bytes of the stream
        Handler handler;
        void *argument;
    };
    struct Stream {
        std::deque<Message> messages; // from the first that has not come
        uint64_t first = 0; // its number
        uint64_t come = 0; // bytes of those before
        uint64_t wanted = 0;
        std::deque<Want> wants;
    };
    struct Under {
        Stream *stream;
        uint64_t number;
        int ends; // that have not been seen
        Handler handler;
        void *argument;
    };
    struct Event {
        uint64_t at_ps, order;
        Handler handler;
        void *argument;
        uint64_t message; // that comes; NONE: the handler is called
        bool operator<(const Event &other) const { return std::tie(other.at_ps, other.order) < std::tie(at_ps, order); }
    };
    struct Free {
        void operator()(weft_fabric *it) const { weft_fabric_free(it); }
    };

    Stream &stream(int source, int destination, int tag) { return streams[{source, destination, tag}]; }
    static constexpr uint64_t NONE = UINT64_MAX;
    void push(uint64_t at_ps, Handler handler, void *argument) { events.push({at_ps, orders++, handler, argument, NONE}); }
    void push(uint64_t at_ps, uint64_t message) { events.push({at_ps, orders++, nullptr, nullptr, message}); }
    void comes(uint64_t message);
    void end(uint64_t message);
    void serve(Stream &stream);
    bool advance(uint64_t until_ps);

    std::unique_ptr<weft_fabric, Free> fabric;
    uint64_t window_ps, now = 0, fabric_ps = 0, orders = 0, next_message = 0, in_fabric = 0;
    int unfinished;
    std::vector<bool> has_finished;
    std::map<std::tuple<int, int, int>, Stream> streams;
    std::unordered_map<uint64_t, Under> under;
    std::priority_queue<Event> events;
};

// The network of one rank.
class Network : public AstraSim::AstraNetworkAPI {
  public:
    // Rates of the dimensions in GB/s, for schedulers that need them.
    Network(Session &session, int rank, std::vector<double> rates = {}) : AstraNetworkAPI(rank), session(session), rates(std::move(rates)) {}

    int sim_send(void *buffer, uint64_t count, int type, int dst, int tag, AstraSim::sim_request *request, Handler handler, void *argument) override;
    int sim_recv(void *buffer, uint64_t count, int type, int src, int tag, AstraSim::sim_request *request, Handler handler, void *argument) override;
    void sim_schedule(AstraSim::timespec_t delta, Handler handler, void *argument) override;
    AstraSim::timespec_t sim_get_time() override;
    double get_BW_at_dimension(int dimension) override;
    void sim_notify_finished() override;

  private:
    Session &session;
    std::vector<double> rates;
};

} // namespace weft

#endif
