//===- Analysis.cpp - what an editor shows of a text ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/lsp/Analysis.h"
#include "driver/Compiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace broadloom;
using llvm::StringRef;
using llvm::lsp::Diagnostic;
using llvm::lsp::DiagnosticSeverity;

namespace {

/// One program of a text, and its position.
struct Chunk {
  StringRef text;
  int firstLine = 0;
};

/// Analyses one program or shape library.
class ChunkAnalysis {
public:
  ChunkAnalysis(const llvm::lsp::URIForFile &uri, Chunk chunk,
                const lsp::AnalysisOptions &options,
                std::vector<Diagnostic> &found)
      : uri(uri), options(options), found(found), firstLine(chunk.firstLine),
        text(chunk.text) {
    text.split(lines, '\n');
  }

  void run();

private:
  /// The range in the document of the word at `file:line:column` of the chunk;
  /// the first character of the chunk if the location is in another file.
  llvm::lsp::Range locate(StringRef location) const;
  /// Adds the compiler's diagnostics.
  void tell(const std::vector<ProgramDiagnostic> &told);
  /// Adds hints for the checks at run time.
  void tellRunTimeChecks(const infer::GuardReport &report);

  const llvm::lsp::URIForFile &uri;
  const lsp::AnalysisOptions &options;
  std::vector<Diagnostic> &found;
  int firstLine;
  StringRef text;
  llvm::SmallVector<StringRef> lines;
};

} // namespace

/// The number of 16-bit units in which LSP counts the characters of `bytes`.
static int countUnits(StringRef bytes) {
  int units = 0;
  for (unsigned char c : bytes)
    units += (c & 0xC0) != 0x80 ? 1 + (c >= 0xF0) : 0;
  return units;
}

/// Takes a word: an operation's name with its dialect, which may be in
/// quotation marks, or `%name`.
static StringRef takeWord(StringRef rest) {
  if (rest.starts_with("\"")) {
    size_t end = rest.find('"', 1);
    return end == StringRef::npos ? rest : rest.take_front(end + 1);
  }
  size_t begin = rest.starts_with("%") || rest.starts_with("@") ? 1 : 0;
  size_t length = begin;
  while (length < rest.size() && (llvm::isAlnum(rest[length]) ||
                                  StringRef("_.$-").contains(rest[length])))
    ++length;
  return rest.take_front(std::max<size_t>(length, 1));
}

llvm::lsp::Range ChunkAnalysis::locate(StringRef location) const {
  unsigned line = 0, column = 0;
  // Names may follow the location.
  if (location.consume_front(uri.file()) && location.consume_front(":") &&
      !location.consumeInteger(10, line) && location.consume_front(":"))
    location.consumeInteger(10, column);
  if (line == 0 || line > lines.size())
    return {{firstLine, 0}, {firstLine, 0}};
  StringRef content = lines[line - 1];
  size_t offset = std::min<size_t>(column ? column - 1 : 0, content.size());
  int number = firstLine + int(line) - 1;
  int begin = countUnits(content.take_front(offset));
  int length = countUnits(takeWord(content.drop_front(offset)));
  return {{number, begin}, {number, begin + length}};
}

void ChunkAnalysis::tell(const std::vector<ProgramDiagnostic> &told) {
  for (const ProgramDiagnostic &each : told) {
    using Severity = ProgramDiagnostic::Severity;
    llvm::lsp::Range range = locate(each.location);
    if (each.severity == Severity::Note && !found.empty()) {
      if (!found.back().relatedInformation)
        found.back().relatedInformation.emplace();
      found.back().relatedInformation->emplace_back(
          llvm::lsp::Location(uri, range), each.message);
      continue;
    }
    Diagnostic diagnostic;
    diagnostic.range = range;
    diagnostic.source = "broadloom";
    diagnostic.message = each.message;
    diagnostic.severity =
        each.severity == Severity::Error     ? DiagnosticSeverity::Error
        : each.severity == Severity::Warning ? DiagnosticSeverity::Warning
                                             : DiagnosticSeverity::Information;
    found.push_back(std::move(diagnostic));
  }
}

void ChunkAnalysis::tellRunTimeChecks(const infer::GuardReport &report) {
  for (const infer::GuardReport::Row &row : report.rows) {
    if (row.status != infer::GuardStatus::RunTime)
      continue;
    Diagnostic diagnostic;
    diagnostic.range = locate(row.location);
    diagnostic.source = "broadloom";
    diagnostic.severity = DiagnosticSeverity::Hint;
    diagnostic.message = "checked at run time: " + row.constraint;
    if (!row.reason.empty())
      diagnostic.message += "; " + row.reason;
    found.push_back(std::move(diagnostic));
  }
}

/// Whether the text is a library, not a program.
static bool isLibrary(StringRef text) {
  return text.contains("irdl.dialect") || text.contains("loom.implements") ||
         text.contains("shape.function_library");
}

void ChunkAnalysis::run() {
  CompileOptions compile;
  bool library = isLibrary(text);
  for (const std::string &path : options.shapeLibraries)
    if (!library || path != uri.file())
      compile.shapeLibraries.push_back(path);
  Compiler compiler(compile);
  if (library) {
    (void)compiler.checkLibrary(Source::text(text, uri.file()));
    return tell(compiler.diagnosticList());
  }
  CheckedProgram program;
  bool isProgram = compiler.check(Source::text(text, uri.file()), program);
  tell(compiler.diagnosticList());
  if (isProgram && options.tellsRunTimeChecks)
    tellRunTimeChecks(program.report);
}

static std::vector<Chunk> split(StringRef text) {
  std::vector<Chunk> chunks;
  int line = 0, begin = 0;
  const char *start = text.begin();
  for (StringRef each : llvm::split(text, '\n')) {
    ++line;
    if (each.rtrim() != "// -----")
      continue;
    chunks.push_back({StringRef(start, each.begin() - start), begin});
    start = std::min(each.end() + 1, text.end());
    begin = line;
  }
  chunks.push_back({StringRef(start, text.end() - start), begin});
  return chunks;
}

std::vector<Diagnostic> lsp::analyze(const llvm::lsp::URIForFile &uri,
                                     StringRef text,
                                     const AnalysisOptions &options) {
  std::vector<Diagnostic> found;
  for (Chunk chunk : split(text))
    if (!chunk.text.trim().empty())
      ChunkAnalysis(uri, chunk, options, found).run();
  return found;
}
