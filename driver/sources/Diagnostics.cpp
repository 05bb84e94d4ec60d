//===- Diagnostics.cpp - what is said of a program ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/Diagnostics.h"

#include "dialect/LocationText.h"
#include "driver/passes/RunPasses.h"
#include "shape/ReadMessage.h"

#include "mlir/IR/Location.h"

using namespace mlir;
using namespace broadloom;

DiagnosticCollector::DiagnosticCollector(llvm::SourceMgr &sources,
                                         MLIRContext *context,
                                         Diagnostics &into, unsigned limit)
    : SourceMgrDiagnosticHandler(sources, context, stream), stream(into.text),
      list(into.list), limit(limit),
      filter(context,
             [this](Diagnostic &diagnostic) { return handle(diagnostic); }) {}

DiagnosticCollector::~DiagnosticCollector() {
  if (limit != 0 && numErrors > limit)
    stream << "note: " << numErrors - limit << " more "
           << (numErrors - limit == 1 ? "error is" : "errors are")
           << " not shown; --error-limit=0 shows all\n";
}

static StringRef getSeverityName(DiagnosticSeverity severity) {
  return severity == DiagnosticSeverity::Error     ? "error"
         : severity == DiagnosticSeverity::Warning ? "warning"
         : severity == DiagnosticSeverity::Remark  ? "remark"
                                                   : "note";
}

/// The same diagnostic with the names of its location before its text.
static void addNames(const Diagnostic &from, const std::string &names,
                     Diagnostic &to) {
  to << names << ": " << from.str();
  for (const Diagnostic &note : from.getNotes())
    to.attachNote(note.getLocation()) << note.str();
}

LogicalResult DiagnosticCollector::handleNote(const Diagnostic &note) {
  if (!hasFileWithoutLine(note.getLocation()))
    return failure();
  stream << getLocationText(note.getLocation()) << ": note: " << note.str()
         << '\n';
  return success();
}

static ProgramDiagnostic::Severity getSeverity(DiagnosticSeverity severity) {
  using Severity = ProgramDiagnostic::Severity;
  return severity == DiagnosticSeverity::Error     ? Severity::Error
         : severity == DiagnosticSeverity::Warning ? Severity::Warning
         : severity == DiagnosticSeverity::Remark  ? Severity::Remark
                                                   : Severity::Note;
}

/// Fills in what `message`, which may begin with the operation, says.
static void setMessage(ProgramDiagnostic &diagnostic, std::string_view message,
                       bool checksShapes) {
  diagnostic.operation = takeOperation(message);
  diagnostic.message = message;
  diagnostic.isAboutShapes =
      diagnostic.severity == ProgramDiagnostic::Severity::Error &&
      (checksShapes || readConflict(message));
}

void DiagnosticCollector::add(const Diagnostic &diagnostic) {
  ProgramDiagnostic &added = list.emplace_back();
  added.severity = getSeverity(diagnostic.getSeverity());
  added.location = getLocationText(diagnostic.getLocation());
  setMessage(added, diagnostic.str(), isCheckingShapes());
}

std::vector<ProgramDiagnostic> broadloom::readDiagnostics(StringRef text) {
  std::vector<ProgramDiagnostic> list;
  constexpr DiagnosticSeverity severities[] = {
      DiagnosticSeverity::Error, DiagnosticSeverity::Warning,
      DiagnosticSeverity::Remark, DiagnosticSeverity::Note};
  SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    for (DiagnosticSeverity severity : severities) {
      std::string word = (getSeverityName(severity) + ": ").str();
      size_t at = line.starts_with(word) ? 0 : line.find(": " + word);
      if (at == StringRef::npos)
        continue;
      ProgramDiagnostic &added = list.emplace_back();
      added.severity = getSeverity(severity);
      added.location = line.take_front(at).str();
      StringRef rest = line.drop_front(at).split(word).second;
      setMessage(added, rest, /*checksShapes=*/false);
      break;
    }
  return list;
}

/// Where MLIR's reader advises a flag of MLIR's tools for dialects that are not
/// known: what to do here. Empty for anything else.
static std::string adviseOnDialects(StringRef message) {
  auto [fact, advice] = message.split(". If this is intended, please ");
  if (!advice.contains("-allow-unregistered-dialect"))
    return "";
  if (fact.contains("dialect 'tf'"))
    return (fact + "; its operations are what the converter of TensorFlow Lite "
                   "models had no TOSA for, such as IF: make the model without "
                   "them")
        .str();
  return (fact + "; define the dialect with 'irdl.dialect' in a text, and give "
                 "that with --shape-library")
      .str();
}

LogicalResult DiagnosticCollector::handle(Diagnostic &diagnostic) {
  if (std::string text = adviseOnDialects(diagnostic.str()); !text.empty()) {
    Diagnostic advised(diagnostic.getLocation(), diagnostic.getSeverity());
    advised << text;
    for (const Diagnostic &note : diagnostic.getNotes())
      advised.attachNote(note.getLocation()) << note.str();
    if (failed(handle(advised)))
      emitDiagnostic(advised);
    return success();
  }
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
      ++numErrors > limit && limit != 0)
    return success();
  Location loc = diagnostic.getLocation();
  add(diagnostic);
  for (const Diagnostic &note : diagnostic.getNotes())
    add(note);
  std::string names = getNamesText(loc), file;
  if (hasFileWithoutLine(loc))
    file = getFileLocationText(loc);
  if (names.empty() && file.empty())
    return failure();
  if (!file.empty() || getFileLocationText(loc).empty()) {
    // MLIR would write the location out as it is written in a program, or the
    // line and column that it has not.
    stream << file << (file.empty() ? "" : ": ")
           << getSeverityName(diagnostic.getSeverity()) << ": " << names
           << (names.empty() ? "" : ": ") << diagnostic.str() << '\n';
    for (Diagnostic &note : diagnostic.getNotes())
      if (failed(handleNote(note)))
        emitDiagnostic(note.getLocation(), note.str(), note.getSeverity());
    return success();
  }
  Diagnostic named(loc, diagnostic.getSeverity());
  addNames(diagnostic, names, named);
  emitDiagnostic(named);
  return success();
}
