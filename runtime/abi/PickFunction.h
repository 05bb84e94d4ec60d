//===- PickFunction.h - which function is meant -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule that selects a function of a program if a user gives no name.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_PICKFUNCTION_H
#define BROADLOOM_RUNTIME_ABI_PICKFUNCTION_H

#include <string_view>

namespace broadloom {

/// The function of that name; for an empty name the only function, or `main`.
/// `Range` holds structs with a field `name`. Null if there is no such
/// function, or several that could be meant.
template <typename Range>
auto pickFunction(Range &functions, std::string_view name)
    -> decltype(&*functions.begin()) {
  if (name.empty()) {
    if (functions.size() == 1)
      return &*functions.begin();
    name = "main";
  }
  for (auto &function : functions)
    if (std::string_view(function.name) == name)
      return &function;
  return nullptr;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_PICKFUNCTION_H
