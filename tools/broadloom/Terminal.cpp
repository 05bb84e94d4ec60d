//===- Terminal.cpp - what a person at a terminal sees --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/Terminal.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

using namespace broadloom::tool;
using llvm::raw_ostream;
using llvm::StringRef;

static bool hasColours() {
  const char *off = std::getenv("NO_COLOR");
  return (!off || !*off) && llvm::sys::Process::StandardErrHasColors();
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

static constexpr const char *kEraseLine = "\r\x1b[K";

class Progress::Impl {
public:
  explicit Impl(std::string what) : what(std::move(what)) {
    current = this;
    thread = std::thread([this] { show(); });
  }
  ~Impl() {
    {
      std::lock_guard<std::mutex> guard(lock);
      isDone = true;
      erase();
      current = nullptr;
    }
    ended.notify_one();
    thread.join();
  }

  /// Erases the line, and shows no other one.
  static void end() {
    if (!current)
      return;
    std::lock_guard<std::mutex> guard(current->lock);
    current->isDone = true;
    current->erase();
  }

private:
  void show() {
    std::unique_lock<std::mutex> guard(lock);
    for (int seconds = 1;; ++seconds) {
      if (ended.wait_for(guard, std::chrono::seconds(1),
                         [this] { return isDone; }))
        return;
      llvm::errs() << kEraseLine << what << " (" << seconds << " s)";
      isShown = true;
    }
  }
  void erase() {
    if (isShown)
      llvm::errs() << kEraseLine;
    isShown = false;
  }

  /// Used by the main thread alone.
  static Impl *current;
  std::string what;
  std::mutex lock;
  std::condition_variable ended;
  bool isDone = false, isShown = false;
  std::thread thread;
};

Progress::Impl *Progress::Impl::current = nullptr;

Progress::Progress(std::string what, bool isQuiet) {
  // Terminals that have colours can erase a line.
  if (!isQuiet && llvm::sys::Process::StandardErrHasColors())
    impl = std::make_unique<Impl>(std::move(what));
}

Progress::~Progress() = default;

void Progress::endCurrent() { Impl::end(); }

std::string broadloom::tool::nameFile(StringRef file) {
  return file == "-" ? "standard input" : llvm::sys::path::filename(file).str();
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// Prints a line; the location before the kind of a diagnostic is bold.
static void printLine(StringRef line) {
  struct Kind {
    StringRef word;
    raw_ostream::Colors colour;
  };
  static constexpr Kind kKinds[] = {{"error: ", raw_ostream::RED},
                                    {"warning: ", raw_ostream::MAGENTA},
                                    {"note: ", raw_ostream::CYAN}};
  // The first word counts: a message may quote another one.
  const Kind *kind = nullptr;
  size_t at = StringRef::npos;
  for (const Kind &candidate : kKinds)
    if (size_t found = line.find((": " + candidate.word).str()); found < at) {
      kind = &candidate;
      at = found;
    }
  raw_ostream &out = llvm::errs();
  if (!kind) {
    out << line;
    return;
  }
  out.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  out << line.take_front(at + 2);
  out.changeColor(kind->colour, /*Bold=*/true);
  out << kind->word;
  out.resetColor();
  out << line.drop_front(at + 2 + kind->word.size());
}

void broadloom::tool::printDiagnostics(StringRef text) {
  Progress::endCurrent();
  if (!hasColours()) {
    llvm::errs() << text;
    return;
  }
  llvm::errs().enable_colors(true);
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    printLine(text.take_front(end));
    text = text.drop_front(end);
  }
}
