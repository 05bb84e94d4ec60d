//===- MutatedProgramsTest.cpp - programs with mistakes in them -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// abi-3: Takes all programs of test/ and examples/, as they are written and in
// MLIR's generic form, changes some of their tokens, and compiles, checks,
// queries and emits the result. Whatever that is, the answer is a result or an
// error: no crash, no hang, and no bug of the compiler's own (abi-5).
//
// BROADLOOM_SEED and BROADLOOM_MUTANTS (how many of each program) choose other
// mutants; BROADLOOM_MUTANTS_DIR is where those that fail are written to.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "driver/Register.h"
#include "runtime/abi/Abi.h"
#include "test/lib/driver/ProgramMutator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>
#include <random>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace broadloom;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// `text` in MLIR's generic form; empty where it cannot be read.
std::string printGeneric(StringRef text) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) {});
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, config);
  std::string printed;
  if (module) {
    llvm::raw_string_ostream stream(printed);
    module->print(
        stream, mlir::OpPrintingFlags().printGenericOpForm().assumeVerified());
  }
  return printed;
}

/// The programs of a folder, in the order of their files' names.
std::vector<std::string> readPrograms(StringRef folder) {
  std::vector<std::string> files, programs;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    llvm::SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----");
    for (StringRef part : parts)
      if (part.contains("func.func") && part.size() < 8192)
        programs.push_back(part.str());
  }
  return programs;
}

//===----------------------------------------------------------------------===//
// Judgement
//===----------------------------------------------------------------------===//

/// What is wrong with what the compiler does with the program in `path`; empty
/// where nothing is.
std::string judge(const std::string &path, uint64_t choice) {
  CompileOptions options;
  options.strategy = choice & 1 ? Strategy::Rfc : Strategy::Default;
  choice >>= 1;
  Compiler compiler(options);
  std::string output;
  CheckedProgram checked;
  switch (choice % 6) {
  case 0:
    (void)compiler.check(Source::file(path), checked);
    break;
  case 1:
  case 2:
    (void)compiler.compile(Source::file(path));
    break;
  case 3: {
    std::vector<FunctionSignature> functions;
    if (!compiler.queryShapes(Source::file(path), {"", {}}, &functions) &&
        !functions.empty())
      (void)compiler.queryShapes(Source::file(path),
                                 {functions.front().name, {}});
    break;
  }
  default: {
    constexpr Emit forms[] = {Emit::Loom,     Emit::Linalg, Emit::LLVM,
                              Emit::Assembly, Emit::Object, Emit::ShapeLibrary,
                              Emit::Tosa};
    (void)compiler.emit(Source::file(path),
                        forms[choice / 6 % std::size(forms)], output);
  }
  }
  const std::string &text = compiler.diagnostics();
  if (compiler.status() == BROADLOOM_INTERNAL_ERROR)
    return text;
  return "";
}

/// Shared with the children: which mutant is at work, and what was wrong.
struct Progress {
  size_t current;
  char message[512];
};

struct Mutant {
  std::string text;
  uint64_t choice;
};

/// An address sanitizer takes terabytes of addresses.
void limitMemory() {
#if !__has_feature(address_sanitizer)
  rlimit limit{rlim_t(6) << 30, rlim_t(6) << 30};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Judges mutants in a child, from `first` on, until one is bad. Returns the
/// number of that one, with the reason; or of mutants.
size_t judgeFrom(size_t first, const std::vector<Mutant> &mutants,
                 Progress &progress, const std::string &path,
                 std::string &reason) {
  progress.current = first;
  progress.message[0] = 0;
  pid_t child = ::fork();
  if (child == 0) {
    // The output of a crash is no part of the test's report.
    if (!std::freopen("/dev/null", "w", stderr))
      ::_exit(2);
    limitMemory();
    for (size_t i = first; i < mutants.size(); ++i) {
      progress.current = i;
      std::error_code error;
      llvm::raw_fd_ostream file(path, error);
      file << mutants[i].text;
      file.close();
      ::alarm(20);
      std::string wrong = judge(path, mutants[i].choice);
      if (!wrong.empty()) {
        std::snprintf(progress.message, sizeof(progress.message), "%s",
                      wrong.c_str());
        ::_exit(1);
      }
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return mutants.size();
  reason = WIFSIGNALED(status)
               ? std::string("signal: ") + ::strsignal(WTERMSIG(status))
               : std::string(progress.message);
  return progress.current;
}

uint64_t readNumber(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// `each` mutants of each program and of its generic form.
std::vector<Mutant> makeMutants(const std::vector<std::string> &programs,
                                uint64_t seed, uint64_t each) {
  std::set<std::string> names;
  std::vector<std::vector<Token>> forms;
  for (const std::string &program : programs) {
    forms.push_back(tokenize(program));
    if (std::string generic = printGeneric(program); !generic.empty())
      forms.push_back(tokenize(generic));
    for (const Token &token : forms.back())
      if (StringRef name = StringRef(token.text).trim('"');
          token.kind == Token::Kind::Text && name.contains('.'))
        names.insert(name.str());
  }
  std::vector<std::string> operations(names.begin(), names.end());

  std::vector<Mutant> mutants;
  for (const std::vector<Token> &form : forms) {
    // Of each program the same mutants, whatever other programs there are.
    uint64_t own = seed;
    for (const Token &token : form)
      own = own * 1099511628211u ^ llvm::xxh3_64bits(token.text);
    for (uint64_t i = 0; i < each; ++i)
      mutants.push_back({ProgramMutator(form, operations, own + i).mutate(),
                         std::mt19937_64(own + i)() >> 8});
  }
  return mutants;
}

TEST(MutatedPrograms, EndInAResultOrAnError) {
  uint64_t seed = readNumber("BROADLOOM_SEED", 1);
  uint64_t each = readNumber("BROADLOOM_MUTANTS", 1);
  std::vector<std::string> programs =
      readPrograms(BROADLOOM_SOURCE_DIR "/test");
  llvm::append_range(programs, readPrograms(BROADLOOM_SOURCE_DIR "/examples"));
  ASSERT_GT(programs.size(), 100u);

  std::vector<Mutant> mutants = makeMutants(programs, seed, each);
  auto *progress = static_cast<Progress *>(
      ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(progress, MAP_FAILED);
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("mutant", "mlir", path));
  const char *folder = std::getenv("BROADLOOM_MUTANTS_DIR");
  for (size_t first = 0; first < mutants.size();) {
    std::string reason;
    size_t bad = judgeFrom(first, mutants, *progress, path.str().str(), reason);
    if (bad == mutants.size())
      break;
    ADD_FAILURE() << "mutant " << bad << ", choice " << mutants[bad].choice
                  << ": " << reason << "\n"
                  << (folder ? "" : mutants[bad].text);
    if (folder) {
      std::error_code error;
      llvm::raw_fd_ostream file(
          std::string(folder) + "/" + std::to_string(bad) + ".mlir", error);
      file << "// choice " << mutants[bad].choice << ": "
           << StringRef(reason).split('\n').first << "\n"
           << mutants[bad].text;
    }
    first = bad + 1;
  }
  llvm::sys::fs::remove(path);
  ::munmap(progress, sizeof(Progress));
}

} // namespace
