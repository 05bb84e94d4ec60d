//===- LentMemory.cpp - copies that libraries get -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LentMemory.h"

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Slot.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <dirent.h>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

using namespace broadloom;

/// Copies are kept up to this number, and up to so many bytes that they take in
/// all; the last one of a program's call, at least until the call ends.
static constexpr size_t kMostKept = 64;
static constexpr int64_t kMostKeptBytes = int64_t(64) << 20;
/// The bytes of zones: words of these are floats of any size.
static constexpr int kFirstZone = 0x3d, kNumZones = 7;
static constexpr auto kMostAlignment = uintptr_t(kMemoryAlignment);
/// How long a call waits for threads that a function has left.
static constexpr auto kLongestWait = std::chrono::milliseconds(100);

static int64_t countThreads() {
  int64_t count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks)
    return 0;
  while (const dirent *entry = readdir(tasks))
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

//===----------------------------------------------------------------------===//
// Copies that are kept
//===----------------------------------------------------------------------===//

namespace {

/// The copies of this process that have been taken back.
class KeptCopies {
public:
  void add(std::unique_ptr<LentBlock> block);
  /// Fails under the function of a copy to which something was done, and keeps
  /// no more than it may.
  int32_t check(BroadloomCall *call);
  /// Whether there are threads that a function has left.
  bool areThreadsLeft();
  void forgetThreads();

private:
  /// What was found of a copy that is dropped.
  struct Fault {
    std::string operation, location, text;
  };

  /// Drops the first copies while they are too many, but for the last `least`.
  void drop(size_t least);

  std::mutex mutex;
  std::deque<std::unique_ptr<LentBlock>> blocks;
  std::optional<Fault> dropped;
  int64_t bytes = 0;
};

} // namespace

void KeptCopies::add(std::unique_ptr<LentBlock> block) {
  std::lock_guard<std::mutex> lock(mutex);
  bytes += block->size();
  blocks.push_back(std::move(block));
  drop(1);
}

void KeptCopies::drop(size_t least) {
  while (blocks.size() > least &&
         (blocks.size() > kMostKept || bytes > kMostKeptBytes)) {
    LentBlock &first = *blocks.front();
    std::string text = first.findLateFault();
    if (!text.empty() && !dropped)
      dropped = {first.operation, first.location, std::move(text)};
    bytes -= first.size();
    blocks.pop_front();
  }
}

static int32_t failLate(BroadloomCall *call, const std::string &operation,
                        const std::string &location, const std::string &text) {
  BroadloomGuardSite site = {};
  site.operation = operation.c_str();
  site.location = location.c_str();
  return call->fail(BROADLOOM_GUARD_FAILED, [&] { return text; }, &site);
}

int32_t KeptCopies::check(BroadloomCall *call) {
  std::lock_guard<std::mutex> lock(mutex);
  drop(0);
  if (dropped) {
    Fault fault = *std::exchange(dropped, std::nullopt);
    return failLate(call, fault.operation, fault.location, fault.text);
  }
  for (auto it = blocks.begin(); it != blocks.end(); ++it) {
    std::string text = (*it)->findLateFault();
    if (text.empty())
      continue;
    int32_t status = failLate(call, (*it)->operation, (*it)->location, text);
    if ((*it)->isFreed()) {
      bytes -= (*it)->size();
      blocks.erase(it);
    }
    return status;
  }
  return BROADLOOM_OK;
}

bool KeptCopies::areThreadsLeft() {
  std::lock_guard<std::mutex> lock(mutex);
  int64_t before = 0;
  for (const auto &block : blocks)
    before = std::max(before, block->threadsBefore);
  return before != 0 && countThreads() > before;
}

void KeptCopies::forgetThreads() {
  std::lock_guard<std::mutex> lock(mutex);
  for (const auto &block : blocks)
    block->threadsBefore = 0;
}

/// Never destroyed, because a library's thread may outlive everything.
static KeptCopies &keptCopies() {
  static auto *copies = new KeptCopies;
  return *copies;
}

int32_t broadloom::checkLentMemory(BroadloomCall *call) noexcept try {
  KeptCopies &copies = keptCopies();
  auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (copies.areThreadsLeft() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  copies.forgetThreads();
  return copies.check(call);
} catch (const std::exception &) {
  return call->failMemory();
}

//===----------------------------------------------------------------------===//
// One call
//===----------------------------------------------------------------------===//

namespace {

/// The bytes that an argument's elements are among.
struct Span {
  char *begin, *end;
  BroadloomDescriptor *descriptor;
  const BroadloomLentArgument *argument;
};

} // namespace

static Span findSpan(void *block, const BroadloomLentArgument &argument) {
  auto *descriptor = reinterpret_cast<BroadloomDescriptor *>(
      static_cast<char *>(block) + argument.offset);
  BroadloomView view = {argument.rank, descriptor};
  MemoryRange range = memoryRange(view, argument.elementBytes);
  if (!range.first)
    range.first = range.end = elementsOf(view, argument.elementBytes);
  return {const_cast<char *>(range.first), const_cast<char *>(range.end),
          descriptor, &argument};
}

static LentView makeView(const Span &span, const char *begin) {
  LentView view;
  view.name = span.argument->name;
  view.begin = span.begin - begin;
  view.end = span.end - begin;
  view.elementBytes = span.argument->elementBytes;
  view.isWritten = span.argument->isWritten != 0;
  const int64_t *extents = span.descriptor->dims;
  view.extents.assign(extents, extents + span.argument->rank);
  for (int32_t axis = 0; axis < span.argument->rank; ++axis)
    view.strides.push_back(extents[span.argument->rank + axis] *
                           view.elementBytes);
  return view;
}

/// The largest power of two, up to that of a cache line, that divides `number`.
static uintptr_t findAlignment(uintptr_t number) {
  return std::min(number == 0 ? kMostAlignment : number & (0 - number),
                  kMostAlignment);
}

/// How far behind the beginning of a page a copy begins, so that addresses in
/// it are aligned as those in the memory from `begin` on. It is 0 where it can
/// be, since what is freed is a block then.
static int64_t findLead(const Span *first, const Span *last, char *begin) {
  auto from = reinterpret_cast<uintptr_t>(begin);
  bool isAligned = std::all_of(first, last, [&](const Span &span) {
    BroadloomView view = {span.argument->rank, span.descriptor};
    auto at = reinterpret_cast<uintptr_t>(
        elementsOf(view, span.argument->elementBytes));
    return findAlignment(at) <= findAlignment(at - from);
  });
  return isAligned ? 0 : int64_t(from % kMostAlignment);
}

LentMemory::LentMemory(const BroadloomGuardSite *site, void *block,
                       const BroadloomLentArgument *arguments, int32_t count)
    : threadsBefore(countThreads()) {
  // Another one for each call, so that what a function reads there makes a
  // second call differ from the first one.
  static std::atomic<unsigned> number{0};
  char zone = char(kFirstZone + int(number.fetch_add(1) % kNumZones));
  std::vector<Span> spans;
  for (int32_t i = 0; i < count; ++i)
    spans.push_back(findSpan(block, arguments[i]));
  std::sort(spans.begin(), spans.end(),
            [](const Span &a, const Span &b) { return a.begin < b.begin; });
  for (size_t first = 0, next; first < spans.size(); first = next) {
    char *begin = spans[first].begin, *end = spans[first].end;
    for (next = first + 1; next < spans.size() && spans[next].begin < end;
         ++next)
      end = std::max(end, spans[next].end);
    std::vector<LentView> views;
    for (size_t i = first; i < next; ++i)
      views.push_back(makeView(spans[i], begin));
    auto lent = std::make_unique<LentBlock>(
        begin, end - begin, std::move(views),
        findLead(&spans[first], spans.data() + next, begin), zone);
    lent->operation = site->operation;
    lent->location = site->location;
    for (size_t i = first; i < next; ++i) {
      auto *&data = spans[i].descriptor->aligned;
      data = lent->data() + (static_cast<char *>(data) - begin);
    }
    blocks.push_back(std::move(lent));
  }
}

std::string LentMemory::takeBack() {
  std::string first;
  bool leavesThreads = countThreads() > threadsBefore;
  for (std::unique_ptr<LentBlock> &block : blocks) {
    std::string fault = block->takeBack();
    if (first.empty())
      first = fault;
    block->threadsBefore = leavesThreads ? threadsBefore : 0;
    // What was freed has nothing more to tell.
    if (!block->isFreed())
      keptCopies().add(std::move(block));
  }
  blocks.clear();
  return first;
}
