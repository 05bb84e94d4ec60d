//===- CompiledModule.h - a compiled program, and calls of it ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invariant: a CompiledModule never changes, so that any number of threads may
// call it at once, each through an Invocation of its own. Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_COMPILEDMODULE_H
#define BROADLOOM_DRIVER_COMPILEDMODULE_H

#include "driver/FunctionSignature.h"
#include "driver/ProfiledProgram.h"
#include "runtime/calls/Failure.h"
#include "runtime/calls/Tensor.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom {

class Profile;
class State;

/// A compiled program.
class CompiledModule {
public:
  ~CompiledModule();
  /// The functions that can be called, in the program's order.
  const std::vector<FunctionSignature> &functions() const;
  /// See findFunction.
  const FunctionSignature *function(std::string_view name = {}) const;
  /// The sites of a profile; null if CompileOptions::profile was not set.
  const ProfiledProgram *profiled() const;

  /// The bytes of a file that Compiler::compile loads without compiling,
  /// where it is on a processor of this kind and of this version; elsewhere it
  /// compiles the program that the file has too. With `name`, only that
  /// function can be called there. Empty where CompileOptions::keepCode was not
  /// set, or there is no such function.
  std::string save(std::string_view name = {}) const;
  /// The same in pieces, which are not copied. False where there is nothing, or
  /// as soon as `write` returns false.
  bool save(std::string_view name,
            const std::function<bool(std::string_view)> &write) const;

  /// Forgets what was made of arguments that are promised not to change
  /// (abi-9): calls that begin after this read them anew. Any thread may call
  /// it at any time.
  void forgetConstants() const;

  /// Only this library defines it, and makes one of these.
  struct Impl;
  explicit CompiledModule(std::unique_ptr<Impl> impl);

private:
  friend class Invocation;
  std::unique_ptr<Impl> impl;
};

/// The state of one caller for calls of one function. Create it once and reuse
/// it.
class Invocation {
public:
  Invocation(const CompiledModule &module, const FunctionSignature &function);
  /// For the function that CompiledModule::function finds. If there is none,
  /// every call fails with a message that names the functions of the module.
  explicit Invocation(const CompiledModule &module, std::string_view name = {});
  ~Invocation();

  /// Threads for a call; 0 (the default) for all cores, or as many as
  /// OMP_NUM_THREADS says. Results do not depend on it.
  void setThreads(int threads);
  /// Lets result `index` be written to memory of the caller's, or to fresh
  /// memory where `output` is null. Returns a status (runtime/abi/Abi.h).
  int32_t setOutput(size_t index, const BroadloomTensor *output);
  /// Sets the variables for later calls; null for a state of the invocation's
  /// own, which is the default. Has no effect for a function without variables.
  void setState(State *state);
  /// The state that calls work on; null of a function without variables.
  State *state();

  /// Whether a call fails that leaves memory which it has allocated, and has
  /// neither freed nor returned (mem-6). Not without this.
  void setFindsLeaks(bool wanted);

  /// Sets the profile that later calls write to, which must outlive them; null
  /// for none. It has as many sites as CompiledModule::profiled.
  void setProfile(Profile *profile);

  /// Calls the function. Returns a status; message() tells what went wrong.
  int32_t run(const std::vector<const BroadloomTensor *> &inputs);
  int32_t run(const BroadloomTensor *const *inputs, size_t count);
  /// Computes the shapes of the results, or fails as run() would, except for
  /// guards on data and for memory (abi-2). The first such call compiles the
  /// shape query; later ones take well under a microsecond and allocate
  /// nothing. Reads only the shapes and element types of the inputs, which need
  /// no memory. Returns a status.
  int32_t resultShapes(const std::vector<const BroadloomTensor *> &inputs,
                       std::vector<BroadloomShape> &shapes);
  /// Result `index` of the last call, which becomes the caller's to release.
  int32_t takeResult(size_t index, BroadloomTensor *out);

  /// Element-wise scalar operations that the last call computed.
  int64_t operations() const;

  /// Cancels the current call, from any thread: it fails with
  /// BROADLOOM_CANCELLED before its next launch or its next tensor, or in a
  /// loop of its own. Does nothing if no call is running.
  void cancel();

  /// Sets what a call does, on its own thread, where `pause` was called: it is
  /// cancelled if `function` returns another number than 0. Null for nothing.
  void onPause(int32_t (*function)(void *context), void *context);
  /// Makes the current call pause, from any thread, where it could be
  /// cancelled. Does nothing if no call is running.
  void pause();
  /// Where the call is in a function of another library, which nothing can
  /// interrupt: `place: 'name'`, or "" if it is in none. Any thread may ask
  /// while the call runs.
  std::string libraryCall() const;

  /// What went wrong last, as one line (rt-2).
  const std::string &message() const;
  /// The same as data.
  const Failure &failure() const;

private:
  void choose(const CompiledModule &module, const FunctionSignature *function,
              std::string_view name);
  int32_t findShapeQuery();

  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_COMPILEDMODULE_H
