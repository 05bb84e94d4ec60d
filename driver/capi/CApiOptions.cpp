//===- CApiOptions.cpp - options by their names ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/TableSymbol.h"
#include "dialect/PolicyValues.h"
#include "driver/capi/Handles.h"
#include "driver/passes/StrategyValues.h"
#include "driver/steps/EmittedForms.h"

#include "llvm/ADT/StringExtras.h"

using namespace broadloom;
using llvm::StringRef;

namespace {

using Setter = bool (*)(CompileOptions &options, StringRef value);

/// An option: its name, what its values are, null for any text, and its setter.
/// `set` returns false for a wrong value.
struct Option {
  const char *name;
  std::string (*values)();
  Setter set;
};

template <bool CompileOptions::*flag>
constexpr Setter setFlag = [](CompileOptions &options, StringRef value) {
  options.*flag = value == "on";
  return value == "on" || value == "off";
};

template <std::vector<std::string> CompileOptions::*files>
constexpr Setter addFile = [](CompileOptions &options, StringRef value) {
  (options.*files).push_back(value.str());
  return !value.empty();
};

template <auto text>
constexpr Setter setText = [](CompileOptions &options, StringRef value) {
  options.*text = value.str();
  return true;
};

/// "DEVICE INODE SIZE TIME PATH".
bool addConstantFile(CompileOptions &options, StringRef value) {
  StampedFile file;
  for (uint64_t *number : {&file.stamp.device, &file.stamp.inode,
                           &file.stamp.size, &file.stamp.time}) {
    auto [word, rest] = value.split(' ');
    if (word.getAsInteger(10, *number))
      return false;
    value = rest;
  }
  file.path = value.str();
  options.constantFiles.push_back(file);
  return !file.path.empty();
}

template <typename T> bool setFound(T &field, std::optional<T> found) {
  field = found.value_or(field);
  return found.has_value();
}

template <const auto &words> std::string listWords() {
  return listOptionWords(words);
}
std::string listOnOff() { return "on and off"; }
std::string listNumbers() { return "numbers from 0 on"; }
std::string listStampedFiles() {
  return "a device, an inode, a size, a time in nanoseconds and a path, with "
         "spaces between them";
}
std::string listSymbols() {
  return "identifiers of C that neither compiled code, the runtime nor the C "
         "library has";
}

const Option kOptions[] = {
    {"strategy", listWords<kStrategyWords>,
     [](CompileOptions &options, StringRef value) {
       return setFound(options.strategy, findOptionWord(kStrategyWords, value));
     }},
    {"dynamic-to-static", listWords<kPolicyWords>,
     [](CompileOptions &options, StringRef value) {
       return setFound(options.dynamicToStatic,
                       findOptionWord(kPolicyWords, value));
     }},
    {"shape-library", nullptr, addFile<&CompileOptions::shapeLibraries>},
    {"library", nullptr, addFile<&CompileOptions::libraries>},
    {"effects", nullptr, addFile<&CompileOptions::effects>},
    {"constant-file", listStampedFiles, addConstantFile},
    {"schedule", nullptr, setText<&CompileOptions::schedule>},
    {"function", nullptr, setText<&CompileOptions::only>},
    {"error-limit", listNumbers,
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.errorLimit);
     }},
    {"compile-threads", listNumbers,
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.compileThreads);
     }},
    {"fill-elided", listNumbers,
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.fillElided.emplace());
     }},
    {"target", nullptr, setText<&CompileOptions::target>},
    {"cpu", nullptr, setText<&CompileOptions::cpu>},
    {"symbol", listSymbols,
     [](CompileOptions &options, StringRef value) {
       options.tableSymbol = value.str();
       return codegen::describeWrongTableSymbol(value).empty();
     }},
    {"optimise", listOnOff, setFlag<&CompileOptions::optimiseCode>},
    {"trust-bytecode", listOnOff, setFlag<&CompileOptions::trustBytecode>},
    {"cache", listOnOff, setFlag<&CompileOptions::useCache>},
    {"keep-code", listOnOff, setFlag<&CompileOptions::keepCode>},
    {"check-effects", listOnOff, setFlag<&CompileOptions::checksEffects>},
    {"borrow", listOnOff, setFlag<&CompileOptions::borrows>},
    {"verify-saved", listOnOff, setFlag<&CompileOptions::verifySaved>},
    {"verbose", listOnOff, setFlag<&CompileOptions::verbose>},
};

} // namespace

std::string broadloom::setOption(CompileOptions &options, std::string_view name,
                                 std::string_view value) {
  for (const Option &option : kOptions) {
    if (option.name != name)
      continue;
    CompileOptions changed = options;
    if (option.set(changed, value)) {
      options = std::move(changed);
      return "";
    }
    return "option " + std::string(name) + " has no value '" +
           std::string(value) + "'" +
           (option.values ? "; there are " + option.values() : "");
  }
  std::string names;
  for (const Option &option : kOptions)
    names += (names.empty() ? "" : ", ") + std::string(option.name);
  return "there is no option '" + std::string(name) + "'; there are: " + names;
}

std::optional<Emit> broadloom::findForm(std::string_view name) {
  for (const Form &form : kForms)
    if (form.name == StringRef(name) && !form.isLinked)
      return form.emit;
  return std::nullopt;
}
