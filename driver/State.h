//===- State.h - the variables of a program, from call to call --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program with variables (`tosa.variable`) is called with a state, which has
// a value for each of them. Any number of states share one compiled module; one
// state is used by one call at a time. A call that fails changes no variable.
// abi-8
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STATE_H
#define BROADLOOM_DRIVER_STATE_H

#include "driver/CompiledModule.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

class State {
public:
  /// The variables of all functions of `module`, which must outlive the state,
  /// with their first values.
  explicit State(const CompiledModule &module);
  ~State();
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  /// In the order of their first function.
  std::vector<std::string> names() const;
  /// The value of a variable, as long as no call or other function of the state
  /// follows; null where there is none of this name, no memory for it, or a
  /// call is under way.
  const BroadloomTensor *get(std::string_view name) const;
  /// A copy of the value, for the caller to release, also while others call.
  /// Returns a status.
  int32_t copy(std::string_view name, BroadloomTensor &out);
  /// The type of a variable; null where there is none of this name.
  const TensorSignature *type(std::string_view name) const;
  /// Copies `value`, of any strides, into a variable. Returns a status
  /// (runtime/abi/Abi.h).
  int32_t set(std::string_view name, const BroadloomTensor &value);
  /// The same of several variables, `values[i]` into `names[i]`: either all of
  /// them change or none.
  int32_t set(const std::vector<std::string_view> &names,
              const std::vector<const BroadloomTensor *> &values);
  /// Gives all variables their first values. Returns a status.
  int32_t reset();
  /// What went wrong last, as one line.
  const std::string &message() const;

private:
  friend class Invocation;
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STATE_H
