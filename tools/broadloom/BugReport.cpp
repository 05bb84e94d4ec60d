//===- BugReport.cpp - when the compiler itself fails ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/BugReport.h"
#include "tools/io/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace broadloom;
using namespace broadloom::tool;

static constexpr llvm::StringLiteral kBug = "this is a bug in broadloom: ";
static constexpr llvm::StringLiteral kHowToReport =
    "broadloom: note: please report it with a program that shows it; the same "
    "command with --save-reproducer=FILE writes a small one\n";

//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

/// After a crash, memory may be damaged and locks may be held. So the message
/// uses only prepared data. If it crashes too, the signal is not caught again,
/// and an alarm ends a hanging process.
static void reportCrash(int signal, siginfo_t *info, void *) {
  ::alarm(5);
  // The system has no bytes for what a file was mapped to.
  if (signal == SIGBUS && info->si_code == BUS_ADRERR) {
    static constexpr llvm::StringLiteral cut(
        "broadloom: error: a file with weights was cut off while it was read; "
        "try again once it is written\n");
    (void)!::write(STDERR_FILENO, cut.data(), cut.size());
    ::_exit(kRejected);
  }
  std::string text = "broadloom: error: " + kBug.str();
  std::string work = describeCurrentWork();
  text += (work.empty() ? std::string("a crash") : work) + " (" +
          ::strsignal(signal) + ")\n" + kHowToReport.str();
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(kInternalError);
}

void broadloom::tool::handleCrashes() {
  // A separate stack, because the crash may be a stack overflow.
  static std::vector<char> stack(size_t(256) << 10);
  stack_t alternate = {};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  ::sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = reportCrash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_SIGINFO;
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    ::sigaction(signal, &action, nullptr);
}

int broadloom::tool::rejected(const Compiler &compiler) {
  if (compiler.status() != BROADLOOM_INTERNAL_ERROR)
    return kRejected;
  llvm::errs() << kHowToReport;
  return kInternalError;
}

//===----------------------------------------------------------------------===//
// Reproducers
//===----------------------------------------------------------------------===//

namespace {
/// The outcome of a command in a child process.
struct Outcome {
  int status = 0;
  std::string errors;

  /// The message about the bug, without the location, which changes when a
  /// program gets smaller; empty if there is none.
  llvm::StringRef bug() const {
    if (status != kInternalError)
      return {};
    llvm::StringRef text = llvm::StringRef(errors).split(kBug).second;
    return text.take_until([](char c) { return c == '\n' || c == '('; });
  }
};
} // namespace

/// Runs `run` in a child that may print only if `isShown`.
static Outcome runInChild(const Options &options,
                          const std::function<int(const Options &)> &run,
                          bool isShown) {
  Outcome outcome;
  llvm::outs().flush();
  int pipes[2];
  if (::pipe(pipes))
    return {fail(kRejected,
                 std::string("cannot make a pipe: ") + std::strerror(errno)),
            ""};
  pid_t child = ::fork();
  if (child == 0) {
    ::close(pipes[0]);
    ::dup2(pipes[1], STDERR_FILENO);
    if (!isShown)
      if (FILE *none = std::freopen("/dev/null", "w", stdout); !none)
        ::_exit(kRejected);
    // A run that takes this long does not show the same bug.
    ::alarm(120);
    int status = run(options);
    llvm::outs().flush();
    ::_exit(status);
  }
  ::close(pipes[1]);
  char buffer[4096];
  for (ssize_t count;
       (count = ::read(pipes[0], buffer, sizeof(buffer))) != 0;) {
    if (count < 0 && errno != EINTR)
      break;
    if (count > 0)
      outcome.errors.append(buffer, count);
  }
  ::close(pipes[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : kInternalError;
  if (isShown)
    llvm::errs() << outcome.errors;
  return outcome;
}

static io::Error writeFile(const std::string &path, const std::string &text) {
  auto file = io::OutputFile::open(path);
  if (!file)
    return file.error();
  if (io::Error error = file->write(text.data(), text.size()); !error.empty())
    return error;
  return file->commit();
}

/// Copies the shape libraries of `options` to files beside the reproducer,
/// and makes `options` refer to these.
static io::Error copyLibraries(Options &options) {
  for (auto [i, library] : llvm::enumerate(options.compile.shapeLibraries)) {
    auto text = llvm::MemoryBuffer::getFile(library);
    if (!text)
      return "no reproducer: " + library + ": " + text.getError().message();
    llvm::SmallString<128> path(options.reproducer);
    llvm::sys::path::replace_extension(path,
                                       "library" + std::to_string(i) + ".mlir");
    library = path.str().str();
    if (io::Error error = writeFile(library, (*text)->getBuffer().str());
        !error.empty())
      return error;
  }
  return "";
}

/// Quotes a word for a shell.
static std::string quote(llvm::StringRef word) {
  constexpr llvm::StringLiteral plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_=./,:@%+";
  if (!word.empty() && word.find_first_not_of(plain) == llvm::StringRef::npos)
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The command that shows the bug with the reproducer.
static std::string makeCommand(const Options &options) {
  std::string command =
      "broadloom " + options.command + " " + quote(options.reproducer);
  bool isFileSeen = false;
  for (size_t i = 0; i < options.words.size(); ++i) {
    llvm::StringRef word = options.words[i];
    auto [name, value] = word.split('=');
    name = name.ltrim('-');
    bool isOption = word.starts_with("-") && word != "-";
    // Options of files that the reproducer replaces; without '=', the value is
    // the next word.
    if (isOption && (name == "save-reproducer" || name == "shape-library")) {
      i += !word.contains('=');
      continue;
    }
    bool isFile = !isOption && !isFileSeen && word == options.file;
    isFileSeen |= isFile;
    if (!isFile)
      command += " " + quote(word);
  }
  for (const std::string &library : options.compile.shapeLibraries)
    command += " --shape-library=" + quote(library);
  return command;
}

/// Writes `text` after comments with the bug and `command`.
static io::Error writeReproducer(const Options &options,
                                 const std::string &text, llvm::StringRef bug,
                                 const std::string &command) {
  // A binary file cannot begin with comments.
  if (llvm::StringRef(text).contains('\0'))
    return writeFile(options.reproducer, text);
  return writeFile(options.reproducer,
                   "// broadloom " + options.command + " of this program: " +
                       bug.trim().str() + "\n// " + command + "\n" + text);
}

/// Removes the libraries that are not needed for the failure.
static void takeLibraries(std::vector<std::string> &libraries,
                          llvm::function_ref<bool()> fails) {
  for (size_t i = libraries.size(); i-- != 0;) {
    std::string library = libraries[i];
    libraries.erase(libraries.begin() + i);
    if (!fails())
      libraries.insert(libraries.begin() + i, library);
  }
}

int broadloom::tool::runWithReproducer(
    const Options &options, const std::function<int(const Options &)> &run) {
  Outcome first = runInChild(options, run, /*isShown=*/true);
  if (first.status != kInternalError)
    return first.status;
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("broadloom", "mlir", path))
    return fail(kInternalError, "no reproducer: " + error.message());
  llvm::FileRemover remover(path);
  Options smaller = options;
  smaller.file = path.str().str();
  // The reduction must not write to the user's files.
  smaller.outputs.clear();
  llvm::SmallString<128> out = path;
  out += ".out";
  llvm::FileRemover outRemover(out);
  if (smaller.out != "-")
    smaller.out = out.str().str();
  auto failsAsBefore = [&] {
    return runInChild(smaller, run, /*isShown=*/false).bug() == first.bug();
  };
  auto write = [&](const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << text;
  };
  auto fails = [&](const std::string &text) {
    write(text);
    return failsAsBefore();
  };
  // In a child process, because parsing the program may crash.
  std::string reduced;
  Outcome read = runInChild(
      options,
      [](const Options &readOptions) {
        Compiler compiler(readOptions.compile);
        auto never = [](const std::string &) { return false; };
        return compiler.reduce(Source::file(readOptions.file), never).empty()
                   ? kRejected
                   : kDone;
      },
      /*isShown=*/false);
  if (read.status == kDone) {
    Compiler compiler(options.compile);
    reduced = compiler.reduce(Source::file(options.file), fails);
  }
  if (reduced.empty()) {
    auto whole = llvm::MemoryBuffer::getFile(options.file);
    if (!whole)
      return fail(kInternalError,
                  "no reproducer: " + whole.getError().message());
    reduced = (*whole)->getBuffer().str();
  }
  write(reduced);
  takeLibraries(smaller.compile.shapeLibraries, failsAsBefore);
  Options shown = options;
  shown.compile.shapeLibraries = smaller.compile.shapeLibraries;
  if (io::Error error = copyLibraries(shown); !error.empty())
    return fail(kInternalError, error);
  std::string command = makeCommand(shown);
  if (io::Error error = writeReproducer(options, reduced, first.bug(), command);
      !error.empty())
    return fail(kInternalError, error);
  llvm::errs() << "broadloom: note: " << options.reproducer
               << " has a program that shows it: " << command << '\n';
  return kInternalError;
}
