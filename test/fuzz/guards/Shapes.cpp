//===- Shapes.cpp - shapes, and what types say of them --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/guards/Shapes.h"

#include <algorithm>

using namespace broadloom::guards;

bool Pattern::matches(const Extents &shape) const {
  if (!ranked)
    return true;
  if (shape.size() != extents.size())
    return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (extents[i] != kAny && extents[i] != shape[i])
      return false;
  return true;
}

std::string Pattern::type(const std::string &element) const {
  std::string text = "tensor<";
  if (!ranked)
    text += "*x";
  for (int64_t extent : extents)
    text += (extent == kAny ? "?" : std::to_string(extent)) + "x";
  return text + element + ">";
}

Pattern broadloom::guards::openPattern(size_t rank) {
  return {true, Extents(rank, kAny)};
}

Pattern broadloom::guards::unrankedPattern() { return {false, {}}; }

std::string broadloom::guards::toText(const Extents &extents) {
  if (extents.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

int64_t broadloom::guards::countElements(const Extents &extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

std::optional<Extents>
broadloom::guards::broadcast(const std::vector<Extents> &shapes) {
  size_t rank = 0;
  for (const Extents &shape : shapes)
    rank = std::max(rank, shape.size());
  Extents result;
  for (size_t axis = 0; axis < rank; ++axis) {
    // A shorter shape has 1 on the axes that it lacks.
    std::vector<int64_t> here;
    for (const Extents &shape : shapes) {
      size_t missing = rank - shape.size();
      here.push_back(axis < missing ? 1 : shape[axis - missing]);
    }
    auto fits = [&](int64_t extent) {
      return std::all_of(here.begin(), here.end(),
                         [&](int64_t e) { return e == 1 || e == extent; });
    };
    auto extent = std::find_if(here.begin(), here.end(), fits);
    if (extent == here.end())
      return std::nullopt;
    result.push_back(*extent);
  }
  return result;
}
