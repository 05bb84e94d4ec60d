//===- OutputFile.cpp - a file that appears only when it is whole ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/OutputFile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace broadloom::io;

static bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

/// "a/b.npy" is in "a/"; "b.npy" is in "".
static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// Follows `path` while it is a symbolic link, to a file that may not exist.
static std::string followLinks(std::string path) {
  // The system follows as many links; opening then reports a loop.
  for (int i = 0; i < 40; ++i) {
    char link[PATH_MAX];
    ssize_t length = readlink(path.c_str(), link, sizeof(link));
    if (length < 0 || length == static_cast<ssize_t>(sizeof(link)))
      break;
    std::string next(link, length);
    path = next[0] == '/' ? next : folderOf(path) + next;
  }
  return path;
}

static std::string temporaryName(const std::string &target) {
  static std::atomic<unsigned> counter{0};
  return folderOf(target) + ".broadloom-" + std::to_string(getpid()) + "-" +
         std::to_string(counter++) + ".tmp";
}

static std::string descriptorPath(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

Error OutputFile::failed(const char *what) const {
  return name + ": " + what + ": " + std::strerror(errno);
}

Result<OutputFile> OutputFile::open(const std::string &path) {
  const char *refused = "cannot write the output";
  OutputFile file(path);
  struct stat status;
  bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT)
    return Failure{file.failed(refused)};
  bool folder = exists && S_ISDIR(status.st_mode);
  if (path.empty() || path.back() == '/' || folder)
    return Failure{"'" + path + "': cannot write the output: " +
                   (path.empty() ? "the path is empty" : "it is a folder")};
  if (exists && access(path.c_str(), W_OK) != 0)
    return Failure{file.failed(refused)};

  // Files in /dev and /proc, such as /dev/stdout, may be open files: a
  // replacement would not reach the program that opened them.
  file.inPlace = (exists && !S_ISREG(status.st_mode)) ||
                 startsWith(path, "/dev/") || startsWith(path, "/proc/");
  file.target = file.inPlace ? path : followLinks(path);
  Error error = file.inPlace ? file.openInPlace() : file.openBeside();
  if (!error.empty() && exists && !file.inPlace) {
    file.inPlace = true;
    error = file.openInPlace();
  }
  if (!error.empty())
    return Failure{error};
  if (exists && !file.inPlace)
    fchmod(file.descriptor, status.st_mode & 07777);
  return file;
}

Error OutputFile::openBeside() {
  // A file without a name is removed when the process ends in any way.
  std::string folder = folderOf(target);
  descriptor = ::open(folder.empty() ? "." : folder.c_str(),
                      O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor >= 0) {
    if (access(descriptorPath(descriptor).c_str(), F_OK) == 0)
      return {};
    close(descriptor); // without /proc it could not get its name later
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary = temporaryName(target);
    descriptor = ::open(temporary.c_str(),
                        O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor >= 0)
      return {};
    if (errno != EEXIST)
      break;
  }
  temporary.clear();
  return failed("cannot write the output");
}

Error OutputFile::openInPlace() {
  // Without O_TRUNC, so that the contents stay until there is something to
  // write. Non-blocking: a FIFO without a reader yet is opened when it is
  // written.
  descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return errno == ENXIO ? Error() : failed("cannot write the output");
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0)
    fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  return {};
}

Error OutputFile::write(const void *data, size_t size) {
  if (descriptor < 0 && inPlace)
    descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failed("cannot write the output");
  struct stat status;
  if (inPlace && !started && fstat(descriptor, &status) == 0 &&
      S_ISREG(status.st_mode) && ftruncate(descriptor, 0) != 0)
    return failed("cannot write the output");
  started = true;

  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    // The system takes at most 2 GiB at a time.
    ssize_t written =
        ::write(descriptor, bytes, std::min<size_t>(size, 1u << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return failed("cannot write the output");
    bytes += written;
    size -= written;
  }
  return {};
}

Error OutputFile::commit() {
  if (!inPlace && temporary.empty()) {
    std::string link = temporaryName(target);
    if (linkat(AT_FDCWD, descriptorPath(descriptor).c_str(), AT_FDCWD,
               link.c_str(), AT_SYMLINK_FOLLOW) != 0)
      return failed("cannot write the output");
    temporary = link;
  }
  // Some file systems report a full disk only here.
  int closed = descriptor >= 0 ? close(descriptor) : 0;
  descriptor = -1;
  if (closed != 0)
    return failed("cannot write the output");
  if (inPlace)
    return {};
  if (std::rename(temporary.c_str(), target.c_str()) != 0)
    return failed("cannot write the output");
  temporary.clear();
  return {};
}

void OutputFile::discard() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
  descriptor = -1;
  temporary.clear();
}

void OutputFile::moveFrom(OutputFile &other) {
  name = std::move(other.name);
  target = std::move(other.target);
  temporary = std::move(other.temporary);
  other.temporary.clear();
  descriptor = std::exchange(other.descriptor, -1);
  inPlace = other.inPlace;
  started = other.started;
}

OutputFile::OutputFile(OutputFile &&other) noexcept { moveFrom(other); }

OutputFile &OutputFile::operator=(OutputFile &&other) noexcept {
  if (this != &other) {
    discard();
    moveFrom(other);
  }
  return *this;
}
