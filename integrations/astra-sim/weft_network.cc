// SPDX-License-Identifier: MIT OR Apache-2.0
#include "weft_network.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace weft {

namespace {

[[noreturn]] void fail() { throw std::runtime_error(weft_error()); }

void check(int32_t code) {
    if (code < 0) fail();
}

weft_fabric *open(const std::string &file, const std::vector<std::string> &sets) {
    std::vector<const char *> keys = {"workload.kind=none"};
    for (const std::string &set : sets) keys.push_back(set.c_str());
    weft_fabric *fabric = weft_fabric_read(file.c_str(), keys.data(), keys.size());
    if (!fabric) fail();
    return fabric;
}

uint64_t to_ps(const AstraSim::timespec_t &time) {
    double ps = static_cast<double>(time.time_val);
    switch (time.time_res) {
    case AstraSim::SE: ps *= 1e12; break;
    case AstraSim::MS: ps *= 1e9; break;
    case AstraSim::US: ps *= 1e6; break;
    case AstraSim::NS: ps *= 1e3; break;
    case AstraSim::FS: ps /= 1e3; break;
    }
    return static_cast<uint64_t>(std::llround(std::max(ps, 0.0)));
}

} // namespace

Session::Session(const std::string &setup_file, const std::vector<std::string> &sets)
    : fabric(open(setup_file, sets)), window_ps(weft_fabric_window_ps(fabric.get())), unfinished(ranks()), has_finished(ranks(), false) {}

void Session::schedule(uint64_t delta_ps, Handler handler, void *argument) { push(now + delta_ps, handler, argument); }

void Session::send(int source, int destination, int tag, uint64_t bytes, Handler handler, void *argument) {
    Stream &to = stream(source, destination, tag);
    uint64_t message = next_message++;
    int ends = 1;
    if (source == destination) {
        push(now, handler, argument);
        push(now, message);
    } else {
        // A message without payload still is a packet.
        check(weft_fabric_send(fabric.get(), source, destination, std::max<uint64_t>(bytes, 1), now, message));
        in_fabric += ends = 2;
    }
    under[message] = {&to, to.first + to.messages.size(), ends, handler, argument};
    to.messages.push_back({bytes, false});
}

void Session::receive(int source, int destination, int tag, uint64_t bytes, Handler handler, void *argument) {
    Stream &from = stream(source, destination, tag);
    from.wanted += bytes;
    from.wants.push_back({from.wanted, handler, argument});
    serve(from);
}

void Session::comes(uint64_t message) {
    const Under &found = under.at(message);
    Stream &it = *found.stream;
    it.messages.at(found.number - it.first).has_come = true;
    end(message);
    for (; !it.messages.empty() && it.messages.front().has_come; it.first++) {
        it.come += it.messages.front().bytes;
        it.messages.pop_front();
    }
    serve(it);
}

void Session::end(uint64_t message) {
    if (--under.at(message).ends == 0) under.erase(message);
}

void Session::serve(Stream &it) {
    for (; !it.wants.empty() && it.wants.front().until <= it.come; it.wants.pop_front())
        push(now, it.wants.front().handler, it.wants.front().argument);
}

void Session::finished(int rank) {
    if (!has_finished.at(rank)) unfinished--;
    has_finished[rank] = true;
}

// Runs the fabric up to a time. Returns whether flows have ended before.
bool Session::advance(uint64_t until_ps) {
    weft_done done[256];
    size_t count;
    int32_t code = weft_fabric_advance(fabric.get(), until_ps, done, 256, &count);
    check(code);
    for (size_t at = 0; at < count; at++) {
        in_fabric--;
        if (done[at].is_sender) {
            const Under &it = under.at(done[at].user);
            push(done[at].at_ps, it.handler, it.argument);
            end(done[at].user);
        } else {
            push(done[at].at_ps, done[at].user);
        }
    }
    fabric_ps = weft_fabric_now_ps(fabric.get());
    return code == WEFT_ONE;
}

bool Session::run() {
    while (unfinished > 0) {
        uint64_t next = events.empty() ? WEFT_NEVER : events.top().at_ps;
        // All that ends in the fabric by the next event goes first.
        if (in_fabric > 0 && next >= fabric_ps && advance(next)) continue;
        if (events.empty()) break;
        Event event = events.top();
        events.pop();
        now = event.at_ps;
        if (event.message != NONE) comes(event.message);
        else if (event.handler) event.handler(event.argument);
    }
    return unfinished == 0;
}

Late Session::late() const {
    weft_late it;
    check(weft_fabric_late(fabric.get(), &it));
    double mean_ps = it.flows ? static_cast<double>(it.sum_ps) / static_cast<double>(it.flows) : 0;
    return {it.flows, window_ps, mean_ps, it.most_ps};
}

std::string Session::report() {
    const char *json;
    size_t bytes;
    check(weft_fabric_report(fabric.get(), &json, &bytes));
    return std::string(json, bytes);
}

int Network::sim_send(void *, uint64_t count, int, int dst, int tag, AstraSim::sim_request *, Handler handler, void *argument) {
    session.send(rank, dst, tag, count, handler, argument);
    return 0;
}

int Network::sim_recv(void *, uint64_t count, int, int src, int tag, AstraSim::sim_request *, Handler handler, void *argument) {
    session.receive(src, rank, tag, count, handler, argument);
    return 0;
}

void Network::sim_schedule(AstraSim::timespec_t delta, Handler handler, void *argument) { session.schedule(to_ps(delta), handler, argument); }

AstraSim::timespec_t Network::sim_get_time() {
    AstraSim::timespec_t time;
    time.time_res = AstraSim::NS;
    time.time_val = static_cast<double>(session.now_ps()) / 1e3;
    return time;
}

double Network::get_BW_at_dimension(int dimension) {
    size_t at = static_cast<size_t>(dimension);
    return dimension >= 0 && at < rates.size() ? rates[at] : -1;
}

void Network::sim_notify_finished() { session.finished(rank); }

} // namespace weft
