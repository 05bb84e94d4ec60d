//===- ProgramCache.cpp - compiled programs from earlier ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/ProgramCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace broadloom;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The folder that the environment names; empty for none.
static std::string findFolder() {
  auto get = [](const char *name) {
    return llvm::sys::Process::GetEnv(name).value_or("");
  };
  std::string given = get("BROADLOOM_CACHE");
  if (given == "0")
    return "";
  llvm::SmallString<128> folder(given);
  if (given.empty() || given == "1") {
    folder = get("XDG_CACHE_HOME");
    if (!path::is_absolute(folder)) {
      folder = get("HOME");
      if (folder.empty())
        return "";
      path::append(folder, ".cache");
    }
    path::append(folder, "broadloom");
  }
  return folder.str().str();
}

/// The prefix of files that are being written.
static constexpr StringRef kDraft = "draft-";

/// Whether the cache wrote the file, as opposed to a user.
static bool isEntry(StringRef name) {
  return name.consume_back(".blm") && name.size() == 64 &&
         llvm::all_of(name, llvm::isHexDigit);
}

/// Whether only this user can write to the folder.
static bool isOwn(const std::string &folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && !(status.st_mode & 022);
}

/// The file that the code at `address` is mapped from: the loader's name for it
/// may be relative, or the name by which the process was started. Empty if the
/// file no longer exists.
static std::string findMappedFile(const void *address) {
  auto maps = llvm::MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return "";
  auto at = reinterpret_cast<uint64_t>(address);
  llvm::SmallVector<StringRef> lines;
  llvm::SplitString((*maps)->getBuffer(), lines, "\n");
  for (StringRef line : lines) {
    // begin-end access offset device inode path
    auto [range, rest] = line.split(' ');
    auto [first, last] = range.split('-');
    uint64_t begin, end;
    if (!first.getAsInteger(16, begin) && !last.getAsInteger(16, end) &&
        begin <= at && at < end)
      return rest.substr(std::min(rest.find('/'), rest.size())).str();
  }
  return "";
}

/// Identifies this build of the library: two builds of one version may make
/// different code. Empty if not known.
static std::string findBuild() {
  struct stat status;
  std::string file = findMappedFile(reinterpret_cast<const void *>(&findBuild));
  if (file.empty() || ::stat(file.c_str(), &status) != 0)
    return "";
  return std::to_string(status.st_size) + "." +
         std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

static const std::string &getBuild() {
  static const std::string build = findBuild();
  return build;
}

std::unique_ptr<ProgramCache> ProgramCache::open() {
  std::string folder = findFolder();
  if (folder.empty())
    return nullptr;
  if (!fs::exists(folder))
    (void)fs::create_directories(folder, /*IgnoreExisting=*/true,
                                 fs::owner_all);
  return isOwn(folder) && !getBuild().empty()
             ? std::unique_ptr<ProgramCache>(new ProgramCache(folder))
             : nullptr;
}

std::string ProgramCache::getPath(const SavedProgram &program) const {
  SavedProgram key;
  key.identity = program.identity + " " + getBuild();
  key.name = program.name;
  key.source = program.source;
  key.strategy = program.strategy;
  key.dynamicToStatic = program.dynamicToStatic;
  key.optimiseCode = program.optimiseCode;
  key.only = program.only;
  key.fillElided = program.fillElided;
  key.shapeLibraries = program.shapeLibraries;
  key.given = program.given;
  key.givenDigests = program.givenDigests;
  llvm::SmallString<128> file(folder);
  path::append(file, SavedFile(key).checksum + ".blm");
  return file.str().str();
}

std::optional<SavedProgram> ProgramCache::get(SavedProgram &program) const {
  program.givenDigests = program.hashGiven();
  std::string file = getPath(program);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  // Not verified in full: who can write to the folder is the user.
  std::shared_ptr<const llvm::MemoryBuffer> owner = std::move(*buffer);
  auto found = readSavedProgram(*owner, owner);
  if (!found) {
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  // The time of last use.
  (void)::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  found->source = program.source;
  found->given = program.given;
  found->givenDigests = program.givenDigests;
  return std::move(*found);
}

static bool writePiece(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(size_t(written));
  }
  return true;
}

/// Writes `saved` to a new file in `folder`; its name, or nothing and no file
/// where that cannot be done.
static std::optional<std::string> writeDraft(const std::string &folder,
                                             const SavedFile &saved) {
  std::string name = folder + "/" + kDraft.str() + "XXXXXX";
  int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  bool isWritten = llvm::all_of(
      saved.pieces, [&](StringRef piece) { return writePiece(file, piece); });
  if (::close(file) == 0 && isWritten)
    return name;
  (void)::unlink(name.c_str());
  return std::nullopt;
}

/// Whether the cache is measured after an entry of `bytes` bytes. A full cache
/// has thousands of files, which take longer to measure than a program takes to
/// compile. On average it is measured once each time that a 32nd part of its
/// size was written.
static bool mustMeasure(uint64_t bytes, uint64_t mostBytes) {
  uint64_t each =
      std::max<uint64_t>(mostBytes / 32 / std::max<uint64_t>(bytes, 1), 1);
  return llvm::sys::Process::GetRandomNumber() % each == 0;
}

void ProgramCache::put(const SavedProgram &program, uint64_t mostBytes) const {
  // The constants that the text refers to are at hand where the program is
  // compiled again.
  SavedProgram kept = program;
  kept.given.clear();
  SavedFile saved(kept);
  size_t bytes = saved.size();
  if (bytes > mostBytes)
    return;
  // Another process sees the whole file or none.
  std::optional<std::string> draft = writeDraft(folder, saved);
  if (!draft)
    return;
  if (::rename(draft->c_str(), getPath(program).c_str()) != 0)
    (void)::unlink(draft->c_str());
  if (mustMeasure(bytes, mostBytes))
    dropOldest(mostBytes);
}

void ProgramCache::dropOldest(uint64_t mostBytes) const {
  struct Entry {
    llvm::sys::TimePoint<> used;
    std::string file;
    uint64_t bytes;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    fs::file_status status;
    StringRef name = path::filename(it->path());
    if (fs::status(it->path(), status))
      continue;
    // Left by a process that ended while it was writing.
    if (name.starts_with(kDraft) &&
        std::chrono::system_clock::now() - status.getLastModificationTime() >
            std::chrono::hours(1))
      (void)fs::remove(it->path());
    if (!isEntry(name))
      continue;
    entries.push_back(
        {status.getLastModificationTime(), it->path(), status.getSize()});
    total += status.getSize();
  }
  if (total <= mostBytes)
    return;
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.used, a.file) < std::tie(b.used, b.file);
  });
  // Leaves room for what is written before the cache is measured again.
  for (const Entry &entry : entries) {
    if (total <= mostBytes - mostBytes / 8)
      return;
    (void)fs::remove(entry.file);
    total -= entry.bytes;
  }
}
