//===- Inspect.cpp - broadloom inspect ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/inspect/InspectJson.h"
#include "driver/report/TerminalText.h"
#include "shape/TakesText.h"
#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/Terminal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace broadloom;
using namespace broadloom::report;
using namespace broadloom::tool;
using llvm::raw_ostream;

static void writeAttributes(const AttributeTexts &attributes, size_t indent,
                            raw_ostream &out) {
  for (const auto &[name, text] : attributes)
    out.indent(indent) << cleanText(name) << " = " << cleanText(text) << '\n';
}

static void writeValues(llvm::StringRef verb, llvm::StringRef noun,
                        const std::vector<InspectedValue> &values,
                        raw_ostream &out) {
  std::vector<std::string> texts;
  for (const InspectedValue &value : values)
    texts.push_back(cleanText(value.text()));
  out << "  " << verb << ' '
      << listText(texts, noun, std::numeric_limits<size_t>::max()) << '\n';
  for (size_t i = 0; i < values.size(); ++i)
    if (!values[i].attributes.empty()) {
      out << "    "
          << (noun == "argument"
                  ? argumentText(int64_t(i), cleanText(values[i].name))
                  : (noun + " " + llvm::Twine(i)).str())
          << ":\n";
      writeAttributes(values[i].attributes, 6, out);
    }
}

static void writeOperations(const OperationCounts &operations, size_t indent,
                            raw_ostream &out) {
  for (const auto &[name, count] : operations)
    out.indent(indent) << llvm::formatv("{0,6}  {1}\n", count, cleanText(name));
}

static size_t countAll(const OperationCounts &operations) {
  size_t total = 0;
  for (const auto &[name, count] : operations)
    total += count;
  return total;
}

static void writeSignature(const InspectedFunction &function,
                           raw_ostream &out) {
  out << '\n'
      << (function.isPublic ? "" : "private ") << "function "
      << cleanText(function.name) << '\n';
  writeValues("takes", "argument", function.arguments, out);
  writeValues("gives", "result", function.results, out);
}

/// A line for each node, with what it gives.
static void writeNodes(const std::vector<InspectedNode> &nodes,
                       raw_ostream &out) {
  if (nodes.empty())
    return;
  constexpr size_t widest = 40;
  size_t width = 0;
  for (const InspectedNode &node : nodes)
    width = std::max(width, std::min(node.operation.size(), widest));
  out << "  from " << countText(nodes.size(), "node") << " of its source\n";
  for (const InspectedNode &node : nodes)
    out << "    " << llvm::left_justify(cleanText(node.operation), width)
        << "  " << cleanText(llvm::join(node.results, ", ")) << '\n';
}

static void writeFunction(const InspectedFunction &function, raw_ostream &out) {
  writeSignature(function, out);
  if (!function.attributes.empty()) {
    out << "  attributes:\n";
    writeAttributes(function.attributes, 4, out);
  }
  if (!function.hasBody) {
    out << "  has no body\n";
    return;
  }
  out << "  has " << countText(countAll(function.operations), "operation")
      << '\n';
  writeOperations(function.operations, 2, out);
  writeNodes(function.nodes, out);
}

static void writeText(const InspectedFile &file, const std::string &name,
                      raw_ostream &out) {
  out << cleanText(name) << ": " << formName(file.form);
  if (!file.producer.empty())
    out << ", written by " << cleanText(file.producer);
  out << '\n';
  writeAttributes(file.attributes, 2, out);
  for (const CompiledProgram &program : file.compiled) {
    out << "\nprogram " << cleanText(program.symbol)
        << "\n  version of the runtime's interface: " << program.abiVersion
        << "\n  instruction sets: "
        << (program.instructionSets.empty()
                ? "none beyond the basic ones"
                : cleanText(program.instructionSets))
        << '\n';
    for (const InspectedFunction &function : program.functions)
      writeSignature(function, out);
  }
  for (const InspectedFunction &function : file.functions)
    writeFunction(function, out);
  if (!file.operations.empty()) {
    out << "\noutside functions\n";
    writeOperations(file.operations, 2, out);
  }
  if (file.compiled.empty() && !file.isAccepted)
    out << "\ncompiling would refuse this program: 'broadloom check "
        << cleanText(name) << "' tells why\n";
}

int broadloom::tool::inspectProgram(const Options &options) {
  Compiler compiler(options.compile);
  InspectedFile file;
  bool isGood = [&] {
    Progress progress("reading " + nameFile(options.file),
                      options.compile.verbose);
    return compiler.inspect(Source::file(options.file), file);
  }();
  printDiagnostics(compiler.diagnostics());
  if (!isGood)
    return rejected(compiler);
  if (options.json) {
    llvm::json::OStream json(llvm::outs(), 2);
    writeJson(file, options.file, json);
    llvm::outs() << '\n';
  } else {
    writeText(file, options.file, llvm::outs());
  }
  return kDone;
}
