//===- ProbeBytecode.cpp - bytecode from outside --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/sources/ProbeBytecode.h"
#include "driver/Register.h"
#include "driver/sources/Diagnostics.h"
#include "driver/sources/OwnProgram.h"
#include "infer/functions/Library.h"
#include "infer/functions/ShapeLibraries.h"
#include "read/ParseText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace broadloom;

// Reading 200 MB takes less than a second.
static constexpr unsigned kSeconds = 20;
/// Memory for reading, in addition to what the process already uses, and to the
/// bytecode.
static constexpr rlim_t kBytes = rlim_t(4) << 30;
static constexpr char kSuccess = 'y', kFailure = 'n';

//===----------------------------------------------------------------------===//
// Shared by both ways
//===----------------------------------------------------------------------===//

/// Writes `text`; false, with a part of it, where the reader closes its end or
/// there is no memory.
static bool writeAll(int file, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0)
      text = text.drop_front(written);
  }
  return true;
}

static std::string readAll(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = ::read(pipe, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return text;
    text.append(buffer, count);
  }
}

/// Bytes of address space that this process has.
static rlim_t mappedBytes() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * rlim_t(::sysconf(_SC_PAGESIZE));
}

/// Limits the memory and time of this process, which maps `mapped` bytes more.
/// Signals end it silently.
static void limitThisProcess(rlim_t mapped = 0) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGALRM})
    ::signal(signal, SIG_DFL);
  ::alarm(kSeconds);
  rlim_t bytes = mappedBytes() + mapped + kBytes;
  rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
}

/// Waits for the process's answer, and puts its report into `report`.
static bool takeAnswer(pid_t process, int pipe, llvm::StringRef name,
                       std::string &report) {
  std::string answer = readAll(pipe);
  ::close(pipe);
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  if (!answer.empty() && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    report = answer.substr(1);
    return answer.front() == kSuccess;
  }
  report = (name + ": error: the bytecode is damaged: MLIR's reader fails on "
                   "it without saying where\n")
               .str();
  return false;
}

//===----------------------------------------------------------------------===//
// A child of this process
//===----------------------------------------------------------------------===//

/// Whether this process has one thread, so that no other thread can hold a
/// lock.
static bool hasOneThread() {
  DIR *tasks = ::opendir("/proc/self/task");
  if (!tasks)
    return false;
  int entries = 0;
  while (dirent *entry = ::readdir(tasks))
    entries += entry->d_name[0] != '.';
  ::closedir(tasks);
  return entries == 1;
}

/// The child's main function. It flushes and destroys nothing of the parent's.
[[noreturn]] static void
runChild(int pipe, llvm::function_ref<bool(std::string &)> read) {
  limitThisProcess();
  // The C library writes about a damaged heap to standard error. Users get the
  // report of the parent process instead.
  ::close(STDERR_FILENO);
  std::string report;
  char outcome = read(report) ? kSuccess : kFailure;
  (void)writeAll(pipe, outcome + report);
  ::_exit(0);
}

//===----------------------------------------------------------------------===//
// Another program
//===----------------------------------------------------------------------===//

/// A file without a name that holds `bytes`; -1 where there is none.
static int makeFile(llvm::StringRef bytes) {
  int file = ::memfd_create("bytecode", MFD_CLOEXEC);
  if (file < 0)
    return file;
  if (writeAll(file, bytes) && ::lseek(file, 0, SEEK_SET) == 0)
    return file;
  ::close(file);
  return -1;
}

/// Starts the program with these standard files. Returns its process id, or -1.
static pid_t start(const std::string &program, std::vector<std::string> words,
                   int input, int output) {
  std::vector<char *> arguments{const_cast<char *>(program.c_str())};
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
  pid_t process = -1;
  if (::posix_spawn(&process, program.c_str(), &actions, nullptr,
                    arguments.data(), environ) != 0)
    process = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  return process;
}

static bool probeByProgram(llvm::MemoryBufferRef bytecode,
                           llvm::ArrayRef<std::string> shapeLibraries,
                           std::string &report) {
  llvm::StringRef name = bytecode.getBufferIdentifier();
  const char *named = ::getenv("BROADLOOM_PROBE");
  std::string program = named ? named : findOwnProgram("broadloom-probe");
  std::vector<std::string> words{name.str()};
  llvm::append_range(words, shapeLibraries);
  int input = makeFile(bytecode.getBuffer());
  int pipes[2] = {-1, -1};
  pid_t process = -1;
  if (!program.empty() && input >= 0 && ::pipe2(pipes, O_CLOEXEC) == 0)
    process = start(program, words, input, pipes[1]);
  if (input >= 0)
    ::close(input);
  if (pipes[1] >= 0)
    ::close(pipes[1]);
  if (process > 0)
    return takeAnswer(process, pipes[0], name, report);
  if (pipes[0] >= 0)
    ::close(pipes[0]);
  report =
      (name +
       ": error: bytecode is not read by a process of several threads without "
       "the program broadloom-probe, which cannot be started" +
       (program.empty() ? std::string() : " as " + program) +
       "; say where it is by BROADLOOM_PROBE, or trust the bytecode\n")
          .str();
  return false;
}

bool broadloom::probeBytecode(llvm::MemoryBufferRef bytecode,
                              llvm::ArrayRef<std::string> shapeLibraries,
                              std::string &report,
                              llvm::function_ref<bool(std::string &)> read) {
  int pipes[2];
  if (!hasOneThread() || ::pipe2(pipes, O_CLOEXEC) != 0)
    return probeByProgram(bytecode, shapeLibraries, report);
  pid_t child = ::fork();
  if (child == 0) {
    ::close(pipes[0]);
    runChild(pipes[1], read);
  }
  ::close(pipes[1]);
  if (child > 0)
    return takeAnswer(child, pipes[0], bytecode.getBufferIdentifier(), report);
  ::close(pipes[0]);
  return probeByProgram(bytecode, shapeLibraries, report);
}

/// Standard input, called `name`. Limits this process once the bytecode is in
/// it.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openInput(const char *name) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(STDIN_FILENO, status) ||
      status.type() != llvm::sys::fs::file_type::regular_file) {
    auto bytecode = llvm::MemoryBuffer::getSTDIN();
    limitThisProcess();
    if (!bytecode)
      return bytecode.getError();
    return llvm::MemoryBuffer::getMemBufferCopy((*bytecode)->getBuffer(), name);
  }
  limitThisProcess(status.getSize());
  // The elements of constants, which are most of it, stay in the file.
  return llvm::MemoryBuffer::getOpenFile(
      llvm::sys::fs::convertFDToNativeFile(STDIN_FILENO), name,
      status.getSize(), /*RequiresNullTerminator=*/false);
}

int broadloom::runProbe(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "broadloom-probe NAME [SHAPE-LIBRARY...] < BYTECODE\n";
    return 2;
  }
  auto bytecode = openInput(argv[1]);
  if (!bytecode || (*bytecode)->getBufferSize() == 0) {
    llvm::errs() << "broadloom-probe: error: standard input "
                 << (bytecode
                         ? "is empty"
                         : "cannot be read: " + bytecode.getError().message())
                 << '\n';
    return 1;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*bytecode), llvm::SMLoc());
  Diagnostics diagnostics;
  DiagnosticCollector collector(*sources, &context, diagnostics, /*limit=*/0);
  infer::ShapeLibraries libraries(
      std::vector<std::string>(argv + 2, argv + argc));
  bool good = succeeded(libraries.getUsers(&context)) &&
              read::parseText(sources, &context);
  (void)writeAll(STDOUT_FILENO,
                 (good ? kSuccess : kFailure) + diagnostics.text);
  // The memory of a whole model is mapped here. To free it piece by piece would
  // only take time.
  ::_exit(0);
}
