//===- VariableValues.h - what State and Invocation share -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_CALLS_VARIABLEVALUES_H
#define BROADLOOM_DRIVER_CALLS_VARIABLEVALUES_H

#include "driver/State.h"

#include <atomic>

namespace broadloom {

struct State::Impl {
  struct Entry {
    /// The signature in one of the functions that use the variable; all are
    /// equal.
    const VariableSignature *variable;
    BroadloomTensor value;
    /// Whether memory could be allocated for the value.
    bool isThere = false;
    /// Whether a call that failed has left it half written.
    bool isLost = false;

    /// Takes over a value.
    void give(const BroadloomTensor &given) {
      broadloomTensorRelease(&value);
      value = given;
      isThere = true;
      isLost = false;
    }
  };

  ~Impl();
  Entry *find(std::string_view name);
  int32_t reset(Entry &entry);
  /// `to` becomes a row-major tensor of its own with the elements of `from`.
  int32_t copy(std::string_view name, const BroadloomTensor &from,
               BroadloomTensor &to);
  /// The same for the value of a variable: an error if it does not fit the
  /// variable's type.
  int32_t copyFitting(std::string_view name, const BroadloomTensor &from,
                      BroadloomTensor &to);
  int32_t refuse(int32_t status, std::string text) {
    message = std::move(text);
    return status;
  }
  int32_t refuseMemory(int32_t status, std::string_view name) {
    return refuse(status, "there is no memory for the variable '" +
                              std::string(name) + "'");
  }
  /// Why there is no value of `entry`.
  static std::string describeMissing(const Entry &entry) {
    return entry.isLost ? "the variable '" + entry.variable->name +
                              "' is lost: a call has failed that was writing "
                              "it; reset it, or set it"
                        : std::string("there is no memory for the variables");
  }
  int32_t refuseName(std::string_view name) {
    return refuse(BROADLOOM_INVALID_ARGUMENT,
                  "the program has no variable '" + std::string(name) + "'");
  }

  /// Locks the state. Fails while a call is running; otherwise the caller must
  /// release it.
  int32_t take() {
    if (!isBusy.exchange(true))
      return BROADLOOM_OK;
    return refuse(BROADLOOM_INVALID_ARGUMENT,
                  "the state is in use by a call; wait for its end");
  }

  std::vector<Entry> entries;
  std::string message;
  /// Whether a call is running.
  std::atomic<bool> isBusy{false};
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_CALLS_VARIABLEVALUES_H
