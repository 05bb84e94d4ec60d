//===- ReadMessage.cpp - what an error about shapes says ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/ReadMessage.h"

#include "shape/Message.h"

#include <charconv>

using namespace broadloom;

namespace {

/// Reads a text from its beginning.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool skip(std::string_view expected) {
    if (rest.substr(0, expected.size()) != expected)
      return false;
    rest.remove_prefix(expected.size());
    return true;
  }
  std::string_view word() {
    std::string_view found = rest.substr(0, rest.find_first_of(" :;)"));
    rest.remove_prefix(found.size());
    return found;
  }
  /// A number; -1 for `?` or a name.
  int64_t extent() {
    std::string_view text = word();
    int64_t value = -1;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    bool isNumber = error == std::errc() && end == text.data() + text.size();
    return isNumber ? value : -1;
  }

private:
  std::string_view rest;
};

} // namespace

std::optional<SpokenConflict>
broadloom::readConflict(std::string_view message) {
  size_t at = message.find(kNotBroadcastable);
  if (at == message.npos)
    return std::nullopt;
  Reader reader(message.substr(at + kNotBroadcastable.size()));
  SpokenConflict conflict;
  if (!reader.skip(" along axis "))
    return std::nullopt;
  conflict.axis = reader.extent();
  if (!reader.skip(": extents "))
    return std::nullopt;
  conflict.extents.push_back(reader.extent());
  if (!reader.skip(" and "))
    return std::nullopt;
  conflict.extents.push_back(reader.extent());
  if (!reader.skip(" (operand shapes "))
    return std::nullopt;
  conflict.operands.emplace_back(reader.word());
  if (!reader.skip(" and "))
    return std::nullopt;
  conflict.operands.emplace_back(reader.word());
  return conflict;
}

std::string_view broadloom::takeOperation(std::string_view &message) {
  if (message.empty() || message.front() != '\'')
    return {};
  size_t end = message.find('\'', 1);
  if (end == message.npos)
    return {};
  std::string_view name = message.substr(1, end - 1);
  std::string_view rest = message.substr(end + 1);
  for (std::string_view separator : {" op ", ": "})
    if (rest.substr(0, separator.size()) == separator) {
      message = rest.substr(separator.size());
      return name;
    }
  return {};
}
