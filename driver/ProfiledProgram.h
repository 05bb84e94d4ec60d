//===- ProfiledProgram.h - what a profile is about --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PROFILEDPROGRAM_H
#define BROADLOOM_DRIVER_PROFILEDPROGRAM_H

#include "runtime/profile/SiteKind.h"

#include <string>
#include <vector>

namespace broadloom {

/// The sites of a program that was compiled with CompileOptions::profile.
struct ProfiledProgram {
  /// An operation of the program that a site computes.
  struct Operation {
    std::string name;
    /// `file:line:column`, and the names of the location
    /// (dialect/LocationText.h); empty where there are none.
    std::string location, names;
    /// The line of `text` that it begins on; 0 for none.
    unsigned line = 0;
  };

  struct Site {
    /// The function that it is in.
    std::string function;
    SiteKind kind = SiteKind::Map;
    /// In the program's order.
    std::vector<Operation> operations;
  };

  /// Indexed by the numbers of sites in Profile.
  std::vector<Site> sites;

  /// See CheckedProgram.
  std::string text;
  bool isSource = false;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PROFILEDPROGRAM_H
