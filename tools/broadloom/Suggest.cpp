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
broadloom::tool::findMissingValue(llvm::ArrayRef<const char *> words,
                                  const llvm::cl::SubCommand &command) {
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    StringRef word = words[i], next = words[i + 1];
    if (word == "--")
      break;
    auto option = command.OptionsMap.find(word.ltrim('-'));
    if (!word.starts_with("-") || option == command.OptionsMap.end() ||
        option->second->getValueExpectedFlag() != llvm::cl::ValueRequired)
      continue;
    if (next.starts_with("--") &&
        command.OptionsMap.contains(next.ltrim('-').split('=').first))
      return ("'" + word + "' has no value, but the option '" + next +
              "' behind it; where that is its value, write '" + word + "=" +
              next + "'")
          .str();
    // Its value, whatever it is.
    ++i;
  }
  return "";
}

std::string broadloom::tool::nameHelp(llvm::StringRef command) {
  return ("'broadloom help" + llvm::Twine(command.empty() ? "" : " ") +
          command + "'")
      .str();
}

/// The error about an option that the command does not have.
static std::string describeUnknown(StringRef option,
                                   llvm::ArrayRef<StringRef> known,
                                   StringRef command) {
  std::string text =
      "broadloom: error: there is no option '" + option.str() + "'";
  text +=
      command.empty() ? " without a command" : " of '" + command.str() + "'";
  auto [name, value] = option.ltrim('-').split('=');
  StringRef nearest = broadloom::tool::findNearest(name, known);
  if (!nearest.empty())
    text += "; did you mean '--" + nearest.str() +
            (value.empty() ? "" : "=" + value.str()) + "'?";
  return text + "\n";
}

std::string broadloom::tool::withOwnHints(llvm::StringRef errors,
                                          llvm::ArrayRef<llvm::StringRef> known,
                                          llvm::StringRef command) {
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
    auto [before, argument] = text.split("Unknown command line argument '");
    if (!argument.starts_with("-"))
      kept += text.str() + "\n";
    else
      kept += describeUnknown(argument.rsplit("'.  Try").first, known, command);
  }
  return kept + "broadloom: note: " + nameHelp(command) + " lists the " +
         (command.empty() ? "commands" : "options") + "\n";
}
