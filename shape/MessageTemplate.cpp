//===- MessageTemplate.cpp - values in messages ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/FunctionMessages.h"

#include <limits>

namespace broadloom {

/// The value that stands for a number that does not fit 64 bits, and its text.
static const std::string kLargest =
    std::to_string(std::numeric_limits<int64_t>::max());
static constexpr const char *kNotFitting = "(beyond 64 bits)";

std::string substitute(std::string_view text, const int64_t *values,
                       size_t count) {
  return substitute(text, count,
                    [&](size_t k) { return std::to_string(values[k]); });
}

std::string substitute(std::string_view text, size_t count,
                       const std::function<std::string(size_t k)> &spell,
                       bool keepEscapes) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      result += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '{') {
      result += keepEscapes ? "{{" : "{";
      ++i;
      continue;
    }
    size_t end = i + 1, k = 0;
    // Limits k long before it could overflow: no guard has so many values.
    while (end < text.size() && text[end] >= '0' && text[end] <= '9' &&
           k < count)
      k = k * 10 + static_cast<size_t>(text[end++] - '0');
    bool mayNotFit = end > i + 1 && end < text.size() && text[end] == '+';
    size_t close = end + mayNotFit;
    if (end == i + 1 || close >= text.size() || text[close] != '}' ||
        k >= count) {
      result += '{';
      continue;
    }
    std::string value = spell(k);
    result += mayNotFit && value == kLargest ? kNotFitting : value;
    i = close;
  }
  return result;
}

std::string listSlots(size_t count) {
  std::vector<std::string> slots;
  for (size_t i = 0; i < count; ++i)
    slots.push_back("{" + std::to_string(i) + "}");
  return joinWithAnd(slots);
}

std::string describeUnequalShapes(size_t count) {
  return "shapes " + listSlots(count) + " must be equal";
}

std::string escapeTemplate(std::string_view text) {
  std::string result;
  for (char c : text)
    result.append(c == '{' ? 2 : 1, c);
  return result;
}

std::string withSite(std::string_view location, std::string_view operation,
                     std::string_view text) {
  std::string result;
  if (!location.empty())
    result.append(location).append(": ");
  if (!operation.empty())
    result.append("'").append(operation).append("': ");
  return result.append(text);
}

} // namespace broadloom
