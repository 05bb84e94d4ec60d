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

/// An option: its name, what its values are, null for any text, and its setter.
/// `set` returns false for a wrong value.
struct Option {
  const char *name;
  std::string (*values)();
  bool (*set)(CompileOptions &options, StringRef value);
};

bool setFlag(bool &flag, StringRef value) {
  if (value != "on" && value != "off")
    return false;
  flag = value == "on";
  return true;
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
    {"shape-library", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.shapeLibraries.push_back(value.str());
       return !value.empty();
     }},
    {"library", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.libraries.push_back(value.str());
       return !value.empty();
     }},
    {"effects", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.effects.push_back(value.str());
       return !value.empty();
     }},
    {"function", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.only = value.str();
       return true;
     }},
    {"error-limit", listNumbers,
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.errorLimit);
     }},
    {"fill-elided", listNumbers,
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.fillElided.emplace());
     }},
    {"target", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.target = value.str();
       return true;
     }},
    {"cpu", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.cpu = value.str();
       return true;
     }},
    {"symbol", listSymbols,
     [](CompileOptions &options, StringRef value) {
       options.tableSymbol = value.str();
       return codegen::describeWrongTableSymbol(value).empty();
     }},
    {"optimise", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.optimiseCode, value);
     }},
    {"trust-bytecode", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.trustBytecode, value);
     }},
    {"cache", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.useCache, value);
     }},
    {"keep-code", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.keepCode, value);
     }},
    {"check-effects", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.checksEffects, value);
     }},
    {"borrow", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.borrows, value);
     }},
    {"verify-saved", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.verifySaved, value);
     }},
    {"verbose", listOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.verbose, value);
     }},
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
