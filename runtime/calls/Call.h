//===- Call.h - one call of a compiled function -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of calls of a compiled function: its outputs, its arena, its
// failure. A caller creates one and reuses it:
//
//   broadloom::CallContext call;
//   call.setFunction(program, "main");
//   if (call.run(arguments, numArguments) != BROADLOOM_OK)
//     report(call.failure().message);
//   else
//     call.takeResult(0, &result);
//
// Invariant: between calls the arena is empty and there are no temporaries;
// what stays for the next call are plans of launches and some small blocks. One
// thread at a time uses a context; several contexts may run the same function
// at once. Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_CALL_H
#define BROADLOOM_RUNTIME_CALLS_CALL_H

#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Descriptors.h"
#include "runtime/calls/Failure.h"
#include "runtime/calls/KeptPanels.h"
#include "runtime/calls/LaunchPlans.h"
#include "runtime/calls/Tensor.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Temporaries.h"
#include "runtime/profile/Profile.h"
#include "runtime/threads/Cancellation.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// BroadloomCall of the C ABI.
struct BroadloomCall {
private:
  /// Why the call has to look up, as bits of Attention; 0 for nothing. It is
  /// first because compiled code reads it there.
  std::atomic<int32_t> attention{0};

public:
  BroadloomCall();
  ~BroadloomCall();
  BroadloomCall(const BroadloomCall &) = delete;
  BroadloomCall &operator=(const BroadloomCall &) = delete;

  /// The most threads of one call, up to 128; 0 stands for OMP_NUM_THREADS if
  /// it is set, else for all cores. Results do not depend on it.
  void setThreads(int32_t threads) noexcept { numThreads = threads; }
  int32_t threads() const noexcept { return numThreads; }

  /// The function that `run` and `computeShapes` call, which must live as long;
  /// forgets the outputs that were set. Returns a status.
  int32_t setFunction(const BroadloomFunction &function) noexcept;
  /// The same with the function `name` of `program`, or, where `name` is empty,
  /// its only function or `main`. Fails if there is no such function, or if the
  /// program was compiled for another version of the runtime or for
  /// instructions that this processor does not have.
  int32_t setFunction(const BroadloomFunctions &program,
                      std::string_view name) noexcept;

  /// The names that messages have for the first arguments of the function; an
  /// empty one is no name. The table of a program has none.
  void setArgumentNames(std::vector<std::string> names) noexcept;
  /// `argument 'img'`, or `argument 0` without a name.
  std::string argumentText(int32_t index) const;

  /// The failure of setFunction without a program.
  int32_t refuseProgram() noexcept;

  /// Calls the function. Checks the number of the arguments and, of each, that
  /// it is a tensor of the element type that the function takes. Arguments are
  /// only read; they may overlap, and need not be aligned. Returns a status;
  /// failure() has the details.
  int32_t run(const BroadloomTensor *const *arguments, int32_t count) noexcept;

  /// Computes the shapes of the results, one each, without running anything
  /// (abi-2). Checks the arguments as `run` does; they need no memory. Results
  /// of an earlier call stay. Returns a status; failure() has the details.
  int32_t computeShapes(const BroadloomTensor *const *arguments, int32_t count,
                        BroadloomShape *results) noexcept;
  /// The same with `shapes` in place of the function's own shape query.
  int32_t computeShapes(BroadloomShapes shapes,
                        const BroadloomTensor *const *arguments, int32_t count,
                        BroadloomShape *results) noexcept;

  /// Sets the types of the results, for entries without a BroadloomFunction.
  /// Forgets the outputs that were set. Returns a status.
  int32_t setResultTypes(const BroadloomElementType *types,
                         int32_t count) noexcept;
  int32_t resultCount() const noexcept { return numSlots; }

  /// Sets the caller's memory for result `index`, for this and later calls, or
  /// null for fresh memory. It must have the result's extents; strides are
  /// free, as long as no two elements share memory. It may overlap arguments.
  /// Returns a status.
  int32_t setOutput(int32_t index, const BroadloomTensor *output) noexcept;

  /// Lets result `index` of the next call be in the memory of an argument, if
  /// the function has it so: `argument`, or null for none. It shares no memory
  /// with other arguments.
  void allowInPlace(int32_t index, const BroadloomTensor *argument) noexcept;
  /// Whether the last call has written result `index` there. It then cannot be
  /// taken, and the argument is changed even if the call failed.
  bool isInPlace(int32_t index) const noexcept;

  /// Calls `entry` without checking the arguments. Where other code may be at
  /// the same address, setResultTypes has to be called first.
  int32_t run(BroadloomEntry entry, const BroadloomTensor *const *arguments,
              int32_t count) noexcept;

  /// Moves result `index` of the last successful call to the caller, who
  /// releases it. A result in the caller's own memory becomes a tensor that
  /// borrows it. Each result can be taken once. Returns a status.
  int32_t takeResult(int32_t index, BroadloomTensor *out) noexcept;

  const broadloom::Failure &failure() const noexcept { return failed; }

  /// Cancels the current call, from any thread (abi-6): it fails with
  /// BROADLOOM_CANCELLED before its next launch or its next tensor, or in a
  /// loop of its own. Does nothing if no call is running.
  void cancel() noexcept { draw(Cancelled); }

  /// Sets what a call does where `pause` was called: it is cancelled if
  /// `function` returns true. Null for nothing.
  void onPause(int32_t (*function)(void *context), void *context) noexcept {
    pausing = function;
    pausingContext = context;
  }
  /// Makes the current call pause, from any thread, where it could be
  /// cancelled.
  void pause() noexcept { draw(Pause); }

  /// Whether memory that a call has allocated, and neither freed nor returned,
  /// makes it fail (mem-6).
  void setFindsLeaks(bool wanted) noexcept { findsLeaks = wanted; }

  /// Element-wise scalar operations of the last call.
  int64_t operations() const noexcept { return done.operations; }

  /// Sets the profile that later calls write to, which must outlive them; null
  /// for none.
  void setProfile(broadloom::Profile *wanted) noexcept { profiler = wanted; }

  /// Sets where weights stay that are laid out once, for programs of one owner,
  /// which must outlive later calls; null for nowhere.
  void setKeptPanels(broadloom::KeptPanels *panels) noexcept { kept = panels; }

  // The following members are for the runtime's own functions, during a call.

  broadloom::Arena &arena() noexcept { return memory; }
  broadloom::Temporaries &temporaries() noexcept { return buffers; }
  broadloom::LaunchPlans &plans() noexcept { return launchPlans; }
  /// Panels that stay with the module; null where there are none, or arguments
  /// are not where the caller has them.
  broadloom::KeptPanels *keptPanels() noexcept {
    if (hasMovedArguments)
      return nullptr;
    if (kept && !readsKept) {
      panelTime = kept->enter();
      readsKept = true;
    }
    return kept;
  }
  /// KeptPanels::enter of this call, behind keptPanels().
  uint64_t keptPanelTime() const noexcept { return panelTime; }
  /// The address of the step that launches a program now, or null.
  const void *step() const noexcept { return currentStep; }
  void setStep(const void *address) noexcept { currentStep = address; }
  /// The memory that offsets in slots are about, a tensor of bytes.
  void setPlannedMemory(const BroadloomDescriptor &memory) noexcept {
    plannedMemory = static_cast<char *>(memory.aligned);
    plannedBytes = memory.dims[0];
  }

  broadloom::Profile *profile() noexcept { return profiler; }
  /// The work of the call so far; bytes only with a profile.
  const broadloom::Work &work() const noexcept { return done; }
  void countOperations(int64_t count) noexcept { done.operations += count; }
  void countMultiplyAdds(int64_t count) noexcept { done.multiplyAdds += count; }
  void countReduced(int64_t count) noexcept { done.reducedElements += count; }
  void countTouched(int64_t count) noexcept { done.bytes += count; }

  /// Fails if the call was cancelled.
  int32_t checkCancelled() noexcept {
    return attention.load(std::memory_order_relaxed) ? attend()
                                                     : int32_t(BROADLOOM_OK);
  }

  /// The same for threads that help the call: they may end early, and the
  /// call's own thread then fails.
  bool isCancelled() const noexcept {
    return attention.load(std::memory_order_relaxed) & Cancelled;
  }

  /// Either of them, for the call's own thread or another one.
  bool endsEarly(bool isOwn) noexcept {
    return isOwn ? checkCancelled() != BROADLOOM_OK : isCancelled();
  }
  broadloom::Cancellation cancellation() noexcept {
    return {this, [](void *call, bool isOwn) {
              return static_cast<BroadloomCall *>(call)->endsEarly(isOwn);
            }};
  }

  /// Notes that this thread calls a function of another library for the call,
  /// at `site`, and that it has come back.
  void enterLibrary(const BroadloomGuardSite *site) noexcept;
  void leaveLibrary() noexcept;
  /// Where the call is in a function of another library; null if it is in none.
  /// Any thread may ask while the call runs.
  const BroadloomGuardSite *getLibrarySite() const noexcept;

  /// Notes that the call lends memory to other libraries.
  void noteLentMemory() noexcept {
    hasLentMemory.store(true, std::memory_order_relaxed);
  }

  /// Notes that the call has allocated the memory of `block`.
  void addBlock(BroadloomBlock &block) noexcept {
    block.before = lastBlock;
    lastBlock = &block;
  }

  /// Sets the location in the user's program that a lack of memory is reported
  /// at from now on; null or empty for none.
  void setPlace(const char *location) noexcept { place = location; }

  /// Records a failure, unless there is one already; returns `status`.
  /// `makeText` returns the text of the message, in lower case without a full
  /// stop. It is called here, so that nothing is thrown if there is no memory
  /// for the text: the message is then "out of memory".
  template <typename MakeText>
  auto fail(int32_t status, MakeText makeText,
            const BroadloomGuardSite *site = nullptr,
            const int64_t *values = nullptr, int32_t numValues = 0,
            int32_t axis = -1) noexcept
      -> std::enable_if_t<std::is_invocable_v<MakeText>, int32_t> {
    auto make = [](const void *text) -> std::string {
      return (*static_cast<const MakeText *>(text))();
    };
    return failWith(status, make, &makeText, site, values, numValues, axis);
  }
  int32_t fail(int32_t status, const char *text) noexcept {
    return fail(status, [=] { return std::string(text); });
  }
  /// Records that memory ran out, for the call itself, or for a tensor or an
  /// array: so messages call memory of the program (mem-1).
  int32_t failMemory() noexcept {
    return fail(BROADLOOM_OUT_OF_MEMORY, "there is no memory for a call");
  }
  int32_t failMemory(const int64_t *extents, int64_t rank, int64_t elementBytes,
                     bool isMemory = false) noexcept;

  /// Memory for a row-major tensor of `count` elements, as for
  /// broadloomAllocate.
  int32_t makeMemory(BroadloomDescriptor &descriptor,
                     const broadloom::Target &target, int64_t elementBytes,
                     int64_t rank, const int64_t *extents,
                     int64_t count) noexcept;
  /// Points a view to a descriptor that is equal to its own and lives as long
  /// as the call.
  int32_t keepDescriptor(BroadloomView &view) noexcept {
    return descriptors.keep(view) ? int32_t(BROADLOOM_OK) : failMemory();
  }
  /// Space for the descriptor of a result of `rank` axes, if `result` has none;
  /// the launch returns it (broadloomLaunch).
  int32_t makeDescriptor(BroadloomView &result, int64_t rank) noexcept;
  /// Space and memory for a launch's row-major result.
  int32_t makeResult(BroadloomView &result, const broadloom::Target &target,
                     int64_t elementBytes, int64_t rank, const int64_t *extents,
                     char *&data) noexcept;
  /// Takes over function result `index`, as for broadloomReturn.
  int32_t returnResult(int32_t index, int64_t elementBytes,
                       const BroadloomView &view) noexcept;

private:
  struct Slot;
  /// `makeText` returns the text for `context`.
  int32_t failWith(int32_t status, std::string (*makeText)(const void *),
                   const void *context, const BroadloomGuardSite *site,
                   const int64_t *values, int32_t numValues,
                   int32_t axis) noexcept;
  int32_t checkArguments(const BroadloomTensor *const *arguments, int32_t count,
                         bool needsMemory) noexcept;
  int32_t checkOutputs() noexcept;
  int32_t checkOutputsApart() noexcept;
  void findOverlaps(const BroadloomTensor *const *arguments,
                    int32_t count) noexcept;
  int32_t checkOutput(int32_t index, const int64_t *extents,
                      int64_t rank) noexcept;
  bool useDestination(BroadloomDescriptor &descriptor,
                      const BroadloomView &destination, int64_t elementBytes,
                      int64_t rank, const int64_t *extents,
                      int64_t count) noexcept;
  bool takeInPlace(BroadloomDescriptor &descriptor,
                   const broadloom::Target &target, int64_t elementBytes,
                   int64_t rank, const int64_t *extents,
                   int64_t count) noexcept;
  int32_t makeBuffer(int32_t slot, int64_t elementBytes, int64_t rank,
                     const int64_t *extents, int64_t count,
                     char *&data) noexcept;
  int32_t runUnprofiled(BroadloomEntry entry,
                        const BroadloomTensor *const *arguments,
                        int32_t count) noexcept;
  int32_t makeViews(const BroadloomTensor *const *arguments, int32_t count,
                    BroadloomView *&views) noexcept;
  int32_t copyInto(Slot &slot, const char *from, const int64_t *extents,
                   const int64_t *strides, int64_t rank) noexcept;
  /// Makes the copy to the output that was deferred to the end of the call.
  int32_t copyPending(Slot &slot) noexcept;
  int32_t finish() noexcept;
  enum Attention : int32_t { Cancelled = 1, Pause = 2 };
  void draw(Attention why) noexcept {
    attention.fetch_or(why, std::memory_order_relaxed);
  }
  int32_t attend() noexcept;
  bool worksOnMemory() const noexcept;
  int32_t checkLeaks() noexcept;
  void keepReturned(const void *block) noexcept;
  void forgetResults() noexcept;
  void forgetFailure() noexcept;

  const BroadloomFunction *function = nullptr;
  std::vector<std::string> names;
  broadloom::Arena memory;
  broadloom::Descriptors descriptors;
  broadloom::Temporaries buffers;
  broadloom::LaunchPlans launchPlans;
  broadloom::KeptPanels *kept = nullptr;
  /// Whether this call reads copies of arguments that are not aligned.
  bool hasMovedArguments = false;
  /// Whether this call has entered `kept`.
  bool readsKept = false;
  uint64_t panelTime = 0;
  const void *currentStep = nullptr;
  char *plannedMemory = nullptr;
  int64_t plannedBytes = 0;
  /// The entry of the last call, whose launches the plans are for.
  BroadloomEntry planned = nullptr;
  broadloom::Failure failed;
  const char *place = nullptr;
  std::unique_ptr<Slot[]> slots;
  int32_t numSlots = 0;
  int32_t numThreads = 0;
  broadloom::Work done;
  broadloom::Profile *profiler = nullptr;
  int32_t numOutputs = 0;
  /// Whether the outputs have been checked since they were set.
  bool outputsChecked = false;
  bool findsLeaks = false;
  int32_t (*pausing)(void *) = nullptr;
  void *pausingContext = nullptr;
  /// The block of the memory that the call has allocated last.
  BroadloomBlock *lastBlock = nullptr;
  /// One for each of the first threads, 64 bytes apart; the others share the
  /// last one. Of these, the function that was called last is known,
  /// until none of them is in a library.
  struct LibrarySite {
    std::atomic<const BroadloomGuardSite *> site{nullptr};
    /// How many threads are in a library.
    std::atomic<int64_t> depth{0};
    char rest[48];
  };
  static constexpr size_t kNumLibrarySites = 16;
  LibrarySite librarySites[kNumLibrarySites];
  void addLibraryDepth(int64_t by, const BroadloomGuardSite *site) noexcept;
  std::atomic<bool> hasLentMemory{false};
};

namespace broadloom {
using CallContext = ::BroadloomCall;

/// Whether elements of two tensors may be in the same memory.
bool shareMemory(const BroadloomTensor &a, const BroadloomTensor &b);
} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_CALL_H
