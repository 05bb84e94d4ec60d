//===- CApiOptions.cpp - options by their names ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/TableSymbol.h"
#include "driver/CApiImpl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace broadloom;
using llvm::StringRef;

namespace {

/// An option: its name, its values if these are words, and its setter. `set`
/// returns false for a wrong value.
struct Option {
  const char *name;
  const char *values;
  bool (*set)(CompileOptions &options, StringRef value);
};

bool setFlag(bool &flag, StringRef value) {
  if (value != "on" && value != "off")
    return false;
  flag = value == "on";
  return true;
}

bool setStrategy(CompileOptions &options, StringRef value) {
  options.strategy = value == "rfc" ? Strategy::Rfc : Strategy::Default;
  return value == "rfc" || value == "default";
}

bool setDynamicToStatic(CompileOptions &options, StringRef value) {
  options.dynamicToStatic =
      value == "forbid" ? DynamicToStatic::Forbid : DynamicToStatic::Allow;
  return value == "forbid" || value == "allow";
}

constexpr const char *kOnOff = "on and off";

const Option kOptions[] = {
    {"strategy", "default and rfc", setStrategy},
    {"dynamic-to-static", "allow and forbid", setDynamicToStatic},
    {"shape-library", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.shapeLibraries.push_back(value.str());
       return !value.empty();
     }},
    {"function", nullptr,
     [](CompileOptions &options, StringRef value) {
       options.only = value.str();
       return true;
     }},
    {"error-limit", "numbers from 0 on",
     [](CompileOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.errorLimit);
     }},
    {"fill-elided", "numbers from 0 on",
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
    {"symbol",
     "identifiers of C that neither compiled code, the runtime nor the C "
     "library has",
     [](CompileOptions &options, StringRef value) {
       options.tableSymbol = value.str();
       return codegen::describeWrongTableSymbol(value).empty();
     }},
    {"optimise", kOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.optimiseCode, value);
     }},
    {"trust-bytecode", kOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.trustBytecode, value);
     }},
    {"cache", kOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.useCache, value);
     }},
    {"keep-code", kOnOff,
     [](CompileOptions &options, StringRef value) {
       return setFlag(options.keepCode, value);
     }},
    {"verbose", kOnOff,
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
           (option.values ? std::string("; there are ") + option.values : "");
  }
  std::string names;
  for (const Option &option : kOptions)
    names += (names.empty() ? "" : ", ") + std::string(option.name);
  return "there is no option '" + std::string(name) + "'; there are: " + names;
}

std::optional<Emit> broadloom::findForm(std::string_view name) {
  return llvm::StringSwitch<std::optional<Emit>>(name)
      .Case("loom", Emit::Loom)
      .Case("linalg", Emit::Linalg)
      .Case("llvm", Emit::LLVM)
      .Case("asm", Emit::Assembly)
      .Case("obj", Emit::Object)
      .Case("shape-library", Emit::ShapeLibrary)
      .Case("tosa", Emit::Tosa)
      .Default(std::nullopt);
}
