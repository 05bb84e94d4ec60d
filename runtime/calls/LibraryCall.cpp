//===- LibraryCall.cpp - exceptions of other libraries --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/Abi.h"
#include "runtime/calls/Call.h"

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
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
    // The end of a thread, which must go on.
    throw;
  } catch (...) {
    return failWithException(call, site, nullptr);
  }
}
