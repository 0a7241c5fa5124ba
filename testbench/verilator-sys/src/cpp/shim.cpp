// The C side of an instance: one context per model, so that instances share nothing.
#include "Vm.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#if VM_TRACE_FST
#include "verilated_fst_c.h"
using Waves = VerilatedFstC;
#elif VM_TRACE_VCD
#include "verilated_vcd_c.h"
using Waves = VerilatedVcdC;
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Status { RUNNING = 0, FINISHED = 1, STOPPED = 2 };

struct Stop : std::runtime_error {
    using std::runtime_error::runtime_error;
};

thread_local std::string printed;
// How many threads have seen $finish in the evaluation they are in. Only if a thread has, eval() checks
// whether it was its own: a thread-local of a dlopened library costs a call.
std::atomic<unsigned> finishing{0};
thread_local bool finishing_here = false;

// Random reset draws from a generator per thread that any new context reseeds: one construction at a time.
std::mutex construction;

[[noreturn]] void stop(const char* file, int line, const char* what) {
    const std::string place = std::string{file ? file : ""} + ":" + std::to_string(line) + ": ";
    std::string message = place + what;
    // $fatal and assert print their text before they stop, with the file's name but not its directory.
    if (printed.find(place.substr(place.rfind('/') + 1)) != std::string::npos) message = printed;
    printed.clear();
    while (!message.empty() && message.back() == '\n') message.pop_back();
    throw Stop{message};
}

}  // namespace

int vsys_printf(const char* format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = std::vsnprintf(nullptr, 0, format, args);
    va_end(args);
    printed.assign(size > 0 ? size : 0, '\0');
    if (size > 0) std::vsnprintf(&printed[0], size + 1, format, again);
    va_end(again);
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    return size;
}

void vl_finish(const char*, int, const char*) {
    if (!finishing_here) finishing.fetch_add(1, std::memory_order_relaxed);
    finishing_here = true;
}

// Whether $finish was called on this thread since the last call of this function.
static bool finished_here() {
    if (!finishing_here) return false;
    finishing_here = false;
    finishing.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

void vl_stop(const char* file, int line, const char*) { stop(file, line, "$stop"); }
void vl_stop_maybe(const char* file, int line, const char* scope, bool) { vl_stop(file, line, scope); }
void vl_fatal(const char* file, int line, const char*, const char* message) { stop(file, line, message); }

struct Instance {
    // Members are destroyed from the last to the first: waves before model before context.
    VerilatedContext context;
    std::unique_ptr<Vm> model;
#if VM_TRACE
    std::unique_ptr<Waves> waves;
#endif
    int status = RUNNING;
    std::string message;

    Instance(int reset, int seed) {
        // With more than one thread, each context would start a pool of threads.
        context.threads(1);
        context.randReset(reset);
        context.randSeed(seed);
        const char* arguments[] = {"verilator-sys"};
        context.commandArgs(1, arguments);
#if VM_TRACE
        context.traceEverOn(true);
#endif
        model.reset(new Vm{&context, "TOP"});
    }

    // Runs RTL code and catches the errors that stop it.
    template <class Body>
    int guard(Body body) {
        try {
            body();
        } catch (const std::exception& error) {
            status = STOPPED;
            message = error.what();
        }
        finished_here();  // $finish in a final block has no effect.
        return status;
    }
};

EXPORT void vsys_delete(Instance* self) {
    const std::lock_guard<std::mutex> lock{construction};
    Verilated::threadContextp(&self->context);
    if (self->status != STOPPED) self->guard([&] { self->model->final(); });
    delete self;
    // The runtime must not keep a pointer to a context that another thread may free.
    Verilated::threadContextp(nullptr);
}

EXPORT Instance* vsys_new(int reset, int seed) {
    const std::lock_guard<std::mutex> lock{construction};
    Instance* self = nullptr;
    try {
        self = new Instance{reset, seed};
        void vsys_zero_inputs(Vm&);
        vsys_zero_inputs(*self->model);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    Verilated::threadContextp(nullptr);
    return self;
}

EXPORT int vsys_eval(Instance* self) {
    try {
        self->model->eval();
    } catch (const std::exception& error) {
        self->status = STOPPED;
        self->message = error.what();
        finished_here();
        return STOPPED;
    }
    if (VL_LIKELY(finishing.load(std::memory_order_relaxed) == 0) || !finished_here()) return RUNNING;
    self->status = FINISHED;
    return FINISHED;
}

EXPORT const char* vsys_message(Instance* self) { return self->message.c_str(); }

EXPORT void vsys_time(Instance* self, uint64_t time) { self->context.time(time); }

#if VM_TRACE
EXPORT int vsys_waves_open(Instance* self, const char* path) {
    self->waves.reset(new Waves);
    return self->guard([&] {
        self->model->trace(self->waves.get(), 99);
        self->waves->open(path);
        if (!self->waves->isOpen()) throw Stop{"cannot open"};
    });
}

EXPORT int vsys_waves_dump(Instance* self, uint64_t time) {
    return self->guard([&] { self->waves->dump(time); });
}

EXPORT void vsys_waves_flush(Instance* self) { self->waves->flush(); }
#endif

#if VM_COVERAGE
EXPORT int vsys_coverage(Instance* self, const char* path) {
    return self->guard([&] { self->context.coveragep()->write(path); });
}
#endif
