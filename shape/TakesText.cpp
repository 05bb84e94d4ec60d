//===- TakesText.cpp - what a function takes, in words --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/TakesText.h"

#include <algorithm>

namespace broadloom {

std::string extentText(ShapeView shape, const std::vector<std::string> &names,
                       size_t axis) {
  if (!shape[axis].isStatic() && axis < names.size() && !names[axis].empty())
    return names[axis];
  return toString(shape[axis]);
}

std::string joinExtents(const std::vector<std::string> &extents) {
  std::string text;
  for (const std::string &extent : extents)
    text += (text.empty() ? "" : "x") + extent;
  return text;
}

std::string namedText(std::string_view name, std::string_view type) {
  std::string text(name);
  return text.append(name.empty() ? "" : ": ").append(type);
}

std::string tensorText(std::string_view shape, std::string_view elementType) {
  std::string text = "tensor<";
  text.append(shape).append(shape.empty() ? "" : "x");
  return text.append(elementType).append(">");
}

std::string tensorText(ShapeView shape, const std::vector<std::string> &names,
                       std::string_view elementType) {
  if (!shape.isRanked())
    return tensorText("*", elementType);
  std::vector<std::string> extents;
  for (size_t axis = 0; axis < shape.rank(); ++axis)
    extents.push_back(extentText(shape, names, axis));
  return tensorText(joinExtents(extents), elementType);
}

std::string countText(size_t count, std::string_view noun) {
  return (count == 0 ? "no" : std::to_string(count)) + " " + std::string(noun) +
         (count == 1 ? "" : "s");
}

std::string listText(const std::vector<std::string> &types,
                     std::string_view noun, size_t limit) {
  std::string text = countText(types.size(), noun);
  size_t shown = std::min(types.size(), limit);
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0 ? ": " : ", ") + types[i];
  if (shown < types.size())
    text += " and " + std::to_string(types.size() - shown) + " more";
  return text;
}

std::string takesText(std::string_view function,
                      const std::vector<std::string> &types) {
  return "'" + std::string(function) + "' takes " + listText(types, "argument");
}

std::string wrongCountText(size_t given, std::string_view function,
                           const std::vector<std::string> &types) {
  return countText(given, "argument") + (given == 1 ? " is" : " are") +
         " given, but " + takesText(function, types);
}

std::string nullArrayText(size_t count) {
  return "the array of " + countText(count, "argument") + " is null";
}

std::string argumentText(int64_t index, std::string_view name) {
  return "argument " +
         (name.empty() ? std::to_string(index) : "'" + std::string(name) + "'");
}

std::string wrongTypeText(std::string_view argument, std::string_view given,
                          std::string_view declared) {
  std::string text(argument);
  text.append(" has element type ").append(given);
  return text.append(" but the function takes ").append(declared);
}

} // namespace broadloom
