//===- Suggest.cpp - what a mistyped word was meant to be -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/Suggest.h"

#include <algorithm>

using llvm::StringRef;

StringRef broadloom::tool::findNearest(StringRef word,
                                       llvm::ArrayRef<StringRef> known) {
  StringRef nearest;
  unsigned least = std::max<unsigned>(1, (word.size() + 1) / 3) + 1;
  for (StringRef candidate : known) {
    unsigned distance = word.size() >= 3 && candidate.starts_with(word)
                            ? 0
                            : word.edit_distance(candidate);
    if (distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

llvm::StringRef
broadloom::tool::findMistakenHelp(llvm::ArrayRef<const char *> words,
                                  const llvm::cl::SubCommand &command) {
  for (llvm::StringRef word : words.drop_front()) {
    if (word == "--")
      break;
    llvm::StringRef name = word.ltrim('-').split('=').first;
    if (word.starts_with("-") && name.size() > 1 && name[0] == 'h' &&
        !name.starts_with("help") && !command.OptionsMap.contains(name))
      return word;
  }
  return {};
}

std::string
broadloom::tool::withOwnHints(llvm::StringRef errors,
                              llvm::ArrayRef<llvm::StringRef> known) {
  std::string kept;
  for (llvm::StringRef rest = errors; !rest.empty();) {
    auto [text, after] = rest.split('\n');
    rest = after;
    if (text.contains("Did you mean '") ||
        text.starts_with("Can specify at most"))
      continue;
    if (text.contains("Too many positional arguments")) {
      kept += "broadloom: error: more than one program is given; a value "
              "belongs to its option, such as --input=VALUE\n";
      continue;
    }
    kept += text.str() + "\n";
    auto [before, argument] = text.split("Unknown command line argument '");
    if (!argument.consume_front("-"))
      continue;
    argument = argument.ltrim('-').rsplit("'.  Try").first;
    auto [name, value] = argument.split('=');
    llvm::StringRef nearest = findNearest(name, known);
    if (!nearest.empty())
      kept += before.str() + "Did you mean '--" + nearest.str() +
              (value.empty() ? "" : "=" + value.str()) + "'?\n";
  }
  return kept;
}
