//===- Wire.h - messages between the fuzzer and its runner ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is its length as 32 bits and then as many bytes. Numbers are in the
// machine's own order, since both ends run on one machine; a string or an array
// is its length as 32 bits and then its bytes or elements.
//
// Both ends are this project's own: a message that is too short ends the
// runner.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_RUNNER_WIRE_H
#define BROADLOOM_TEST_FUZZ_RUNNER_WIRE_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace broadloom::fuzz {

/// Takes a message apart from its beginning.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  template <typename T> T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view bytes() { return take(number<uint32_t>()); }
  template <typename T> std::vector<T> numbers() {
    std::vector<T> values(number<uint32_t>());
    for (T &value : values)
      value = number<T>();
    return values;
  }

private:
  std::string_view take(size_t count) {
    if (count > rest.size())
      std::abort();
    std::string_view taken = rest.substr(0, count);
    rest.remove_prefix(count);
    return taken;
  }

  std::string_view rest;
};

/// Puts a message together.
class Writer {
public:
  template <typename T> void number(T value) {
    message.append(reinterpret_cast<const char *>(&value), sizeof(T));
  }
  void bytes(std::string_view text) {
    number(static_cast<uint32_t>(text.size()));
    message.append(text);
  }
  template <typename T> void numbers(const T *values, size_t count) {
    number(static_cast<uint32_t>(count));
    message.append(reinterpret_cast<const char *>(values), count * sizeof(T));
  }
  const std::string &text() const { return message; }

private:
  std::string message;
};

/// Reads all of `count` bytes; false at the end of the input.
inline bool readAll(int file, char *to, size_t count) {
  while (count) {
    ssize_t got = ::read(file, to, count);
    if (got <= 0)
      return false;
    to += got;
    count -= static_cast<size_t>(got);
  }
  return true;
}

/// The next message; false at the end of the input.
inline bool receive(int file, std::string &message) {
  uint32_t length = 0;
  if (!readAll(file, reinterpret_cast<char *>(&length), sizeof(length)))
    return false;
  message.resize(length);
  return readAll(file, message.data(), length);
}

inline bool send(int file, const std::string &message) {
  auto length = static_cast<uint32_t>(message.size());
  std::string all(reinterpret_cast<const char *>(&length), sizeof(length));
  all += message;
  for (size_t done = 0; done < all.size();) {
    ssize_t put = ::write(file, all.data() + done, all.size() - done);
    if (put <= 0)
      return false;
    done += static_cast<size_t>(put);
  }
  return true;
}

} // namespace broadloom::fuzz

#endif // BROADLOOM_TEST_FUZZ_RUNNER_WIRE_H
