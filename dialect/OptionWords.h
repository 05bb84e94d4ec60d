//===- OptionWords.h - values of options as words ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for each option whose values are words: command lines, passes,
// pipelines, the C interface and their messages read it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_OPTIONWORDS_H
#define BROADLOOM_DIALECT_OPTIONWORDS_H

#include "shape/Message.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace broadloom {

/// A value, its word, and what a command line's help says of it.
template <typename T> struct OptionWord {
  T value;
  const char *word;
  const char *text;
};

/// The value of a word; nothing if the table does not have it.
template <typename T, size_t count>
std::optional<T> findOptionWord(const OptionWord<T> (&words)[count],
                                llvm::StringRef word) {
  for (const OptionWord<T> &it : words)
    if (word == it.word)
      return it.value;
  return std::nullopt;
}

/// `allow and forbid`
template <typename T, size_t count>
std::string listOptionWords(const OptionWord<T> (&words)[count]) {
  std::vector<std::string> texts;
  for (const OptionWord<T> &it : words)
    texts.push_back(it.word);
  return joinWithAnd(texts);
}

template <typename T, size_t... i>
llvm::cl::ValuesClass makeOptionValues(const OptionWord<T> *words,
                                       std::index_sequence<i...>) {
  return llvm::cl::values(
      clEnumValN(words[i].value, words[i].word, words[i].text)...);
}

/// The values of an option of LLVM's command line.
template <typename T, size_t count>
llvm::cl::ValuesClass getOptionValues(const OptionWord<T> (&words)[count]) {
  return makeOptionValues(words, std::make_index_sequence<count>());
}

} // namespace broadloom

#endif // BROADLOOM_DIALECT_OPTIONWORDS_H
