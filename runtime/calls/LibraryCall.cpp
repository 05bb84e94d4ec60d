//===- LibraryCall.cpp - exceptions of other libraries --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Abi.h"
#include "runtime/calls/Call.h"
#include "runtime/calls/LentMemory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <typeinfo>

using namespace broadloom;

/// The type of the exception that is being handled, as C++ writes it.
static std::string nameException() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (!type)
    return "of another language";
  std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr), &std::free);
  return std::string("of type ") + (name ? name.get() : type->name());
}

/// A message is one line.
static std::string asLine(const char *text) {
  constexpr size_t kLongest = 1000;
  std::string line;
  for (; text && *text && line.size() < kLongest; ++text)
    line += static_cast<unsigned char>(*text) < ' ' ? ' ' : *text;
  return line;
}

/// Records the exception that is being handled.
static int32_t failWithException(BroadloomCall *call,
                                 const BroadloomGuardSite *site,
                                 const char *what) {
  return call->fail(
      BROADLOOM_GUARD_FAILED,
      [=] {
        return "the library's function threw an exception " + nameException() +
               (what ? ": " + asLine(what) : std::string()) +
               "; memory that the call writes to has what was written until "
               "then";
      },
      site);
}

static size_t getThreadNumber() {
  static std::atomic<size_t> numThreads{0};
  thread_local const size_t number = numThreads.fetch_add(1);
  return number;
}

/// Adds to how many threads of a slot are in a library.
void BroadloomCall::addLibraryDepth(int64_t by,
                                    const BroadloomGuardSite *site) noexcept {
  constexpr size_t shared = kNumLibrarySites - 1;
  size_t number = getThreadNumber();
  LibrarySite &slot = librarySites[std::min(number, shared)];
  if (site)
    slot.site.store(site, std::memory_order_relaxed);
  if (number < shared)
    slot.depth.store(slot.depth.load(std::memory_order_relaxed) + by,
                     std::memory_order_release);
  else
    slot.depth.fetch_add(by, std::memory_order_release);
}

void BroadloomCall::enterLibrary(const BroadloomGuardSite *site) noexcept {
  addLibraryDepth(1, site);
}

void BroadloomCall::leaveLibrary() noexcept { addLibraryDepth(-1, nullptr); }

const BroadloomGuardSite *BroadloomCall::getLibrarySite() const noexcept {
  for (const LibrarySite &slot : librarySites)
    if (slot.depth.load(std::memory_order_acquire) > 0)
      return slot.site.load(std::memory_order_relaxed);
  return nullptr;
}

namespace {

/// Notes that the call is in a library while it lives.
class InLibrary {
public:
  InLibrary(BroadloomCall *call, const BroadloomGuardSite *site) : call(call) {
    call->enterLibrary(site);
  }
  ~InLibrary() { call->leaveLibrary(); }
  InLibrary(const InLibrary &) = delete;
  InLibrary &operator=(const InLibrary &) = delete;

private:
  BroadloomCall *call;
};

} // namespace

int32_t broadloomCallLibrary(BroadloomCall *call,
                             const BroadloomGuardSite *site,
                             BroadloomLibraryCaller caller, void *block) {
  InLibrary inLibrary(call, site);
  try {
    caller(block);
    return BROADLOOM_OK;
  } catch (const std::exception &exception) {
    return failWithException(call, site, exception.what());
  } catch (abi::__forced_unwind &) {
    // The end of a thread cannot be kept from going on: the runtime, whose
    // functions do not throw, ends the process.
    throw;
  } catch (...) {
    return failWithException(call, site, nullptr);
  }
}

int32_t broadloomCallLibraryOnCopies(BroadloomCall *call,
                                     const BroadloomGuardSite *site,
                                     BroadloomLibraryCaller caller, void *block,
                                     const BroadloomLentArgument *arguments,
                                     int32_t count) {
  call->noteLentMemory();
  try {
    LentMemory lent(site, block, arguments, count);
    int32_t status = broadloomCallLibrary(call, site, caller, block);
    std::string fault = lent.takeBack();
    if (status != BROADLOOM_OK || fault.empty())
      return status;
    return call->fail(BROADLOOM_GUARD_FAILED, [&] { return fault; }, site);
  } catch (const std::bad_alloc &) {
    return call->failMemory();
  }
}
