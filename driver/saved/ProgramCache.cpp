//===- ProgramCache.cpp - compiled programs from earlier ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/saved/ProgramCache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace broadloom;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The folder that the environment says; empty for none.
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

/// Whether nobody else can have put a file there.
static bool isOwn(const std::string &folder) {
  struct stat status;
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && !(status.st_mode & 022);
}

std::unique_ptr<ProgramCache> ProgramCache::open() {
  std::string folder = findFolder();
  if (folder.empty())
    return nullptr;
  if (!fs::exists(folder))
    (void)fs::create_directories(folder, /*IgnoreExisting=*/true,
                                 fs::owner_all);
  return isOwn(folder) ? std::unique_ptr<ProgramCache>(new ProgramCache(folder))
                       : nullptr;
}

/// Which build of this library it is: two builds of one version may make
/// different code.
static std::string getBuild() {
  Dl_info info;
  struct stat status;
  if (!::dladdr(reinterpret_cast<void *>(&getBuild), &info))
    return "";
  const char *file = info.dli_fname;
  if (::stat(file, &status) != 0 && ::stat("/proc/self/exe", &status) != 0)
    return "";
  return std::to_string(status.st_size) + "." +
         std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
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
  std::string bytes = writeSavedProgram(key);
  auto digest = llvm::SHA256::hash(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  llvm::SmallString<128> file(folder);
  path::append(file, llvm::toHex(digest, /*LowerCase=*/true) + ".blm");
  return file.str().str();
}

std::optional<SavedProgram>
ProgramCache::get(const SavedProgram &program) const {
  std::string file = getPath(program);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  auto found = readSavedProgram(**buffer);
  if (!found) {
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  // The time of last use.
  (void)::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  return std::move(*found);
}

void ProgramCache::put(const SavedProgram &program, uint64_t mostBytes) const {
  std::string bytes = writeSavedProgram(program);
  if (bytes.size() > mostBytes)
    return;
  // Another process sees the whole file or none.
  auto error =
      llvm::writeToOutput(getPath(program), [&](llvm::raw_ostream &out) {
        out << bytes;
        return llvm::Error::success();
      });
  if (error) {
    llvm::consumeError(std::move(error));
    return;
  }
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
    if (path::extension(it->path()) != ".blm" || fs::status(it->path(), status))
      continue;
    entries.push_back(
        {status.getLastModificationTime(), it->path(), status.getSize()});
    total += status.getSize();
  }
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.used, a.file) < std::tie(b.used, b.file);
  });
  for (const Entry &entry : entries) {
    if (total <= mostBytes)
      return;
    (void)fs::remove(entry.file);
    total -= entry.bytes;
  }
}
