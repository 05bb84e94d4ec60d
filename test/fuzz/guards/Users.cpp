//===- Users.cpp - operations of a user's own -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Case.h"

using namespace broadloom::guards;

/// Operations of a text that a user gives (sf-5).
void broadloom::guards::addUsers(std::vector<Case> &cases) {
  Case it;
  it.library = BROADLOOM_USER_OPERATIONS;
  // The text's IRDL takes no tensors of unknown rank.
  it.name = "mine.scale_rows";
  it.arguments = {{"f32", {2}}, {"f32", {1}}};
  it.results = {"f32"};
  it.body = "%r = \"mine.scale_rows\"(%0, %1) : ($0, $1) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    if (inputs.shapes[0].size() != 2 || inputs.shapes[1].size() != 1 ||
        inputs.shapes[0][0] != inputs.shapes[1][0])
      return std::nullopt;
    return {{inputs.shapes[0]}};
  };
  cases.push_back(it);

  it.name = "mine.soft_clip";
  it.arguments = {{"f32", {0, 1, 2, 3}}};
  it.body = "%r = \"mine.soft_clip\"(%0) {limit = 1.0 : f32} : ($0) -> $r0";
  it.judge = [](const Inputs &inputs) -> Verdict {
    return {{inputs.shapes[0]}};
  };
  cases.push_back(it);
}
