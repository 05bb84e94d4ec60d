//===- ProbeBytecode.cpp - bytecode that nobody vouches for ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ProbeBytecode.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace broadloom;

// Reading 200 MB takes less than a second; what takes longer is no program.
static constexpr unsigned kSeconds = 20;
/// Memory for reading, beside what the process has already.
static constexpr rlim_t kBytes = rlim_t(4) << 30;
static constexpr char kSuccess = 'y', kFailure = 'n';

/// Writes all of `text`, as far as somebody reads.
static void writeAll(int pipe, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(pipe, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      return;
    if (written > 0)
      text = text.drop_front(written);
  }
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

/// The child's life: signals end it silently, and nothing of the parent's is
/// flushed or destroyed by it.
[[noreturn]] static void
runChild(int pipe, llvm::function_ref<bool(std::string &)> read) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGALRM})
    ::signal(signal, SIG_DFL);
  // What the C library says of a damaged heap is for nobody.
  ::close(STDERR_FILENO);
  ::alarm(kSeconds);
  rlim_t bytes = mappedBytes() + kBytes;
  rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
  std::string report;
  char outcome = read(report) ? kSuccess : kFailure;
  writeAll(pipe, outcome + report);
  ::_exit(0);
}

bool broadloom::probe(llvm::StringRef name, std::string &report,
                      llvm::function_ref<bool(std::string &)> read) {
  int pipes[2];
  if (::pipe(pipes))
    return read(report);
  pid_t child = ::fork();
  if (child == 0) {
    ::close(pipes[0]);
    runChild(pipes[1], read);
  }
  ::close(pipes[1]);
  if (child < 0) {
    ::close(pipes[0]);
    return read(report);
  }
  std::string answer = readAll(pipes[0]);
  ::close(pipes[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!answer.empty() && WIFEXITED(status)) {
    report = answer.substr(1);
    return answer.front() == kSuccess;
  }
  report = (name + ": error: the bytecode is damaged: MLIR's reader fails on "
                   "it without saying where\n")
               .str();
  return false;
}
