//===- Runner.cpp - compiles and calls what the fuzzer requests -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A server on standard input and output for test/fuzz/runner.py: each message
// is a command, and each command has one answer. It knows nothing of what is
// right. A crash ends it, which the other side sees.
//
//   C slot, options, text                 compile      -> good, text, CPU ms
//   R slot, function, threads, buffers,
//     inputs, outputs                     run          -> see run()
//   H slot, function, inputs              result shapes -> see shapes()
//   S options, text, function,
//     arguments                           query shapes -> see query()
//   K options, text                       check        -> see check()
//   T options, text                       compile again -> good, difference
//   D                                     forget modules
//
// The calls of one slot share a state (abi-8) until it is compiled again.
//
//===----------------------------------------------------------------------===//

#include "GuardedMemory.h"
#include "Wire.h"

#include "driver/Compiler.h"
#include "driver/State.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>

using namespace broadloom;
using namespace broadloom::fuzz;

namespace {

/// Programs that one compiler compiles before it is replaced: its context keeps
/// every type and constant that it has met.
constexpr int kProgramsPerCompiler = 300;

class Runner {
public:
  /// The answer to one message.
  std::string answer(std::string_view message);

private:
  Compiler &compiler(Reader &in);
  void compile(Reader &in, Writer &out);
  void run(Reader &in, Writer &out);
  void shapes(Reader &in, Writer &out);
  void query(Reader &in, Writer &out);
  void check(Reader &in, Writer &out);
  void repeat(Reader &in, Writer &out);

  std::map<std::string, std::pair<std::unique_ptr<Compiler>, int>> compilers;
  std::map<uint32_t, std::unique_ptr<CompiledModule>> modules;
  /// Of the modules, which outlive them.
  std::map<uint32_t, std::unique_ptr<State>> states;
};

/// An argument, or the memory of a result, as a view of one of `memory`.
BroadloomTensor readTensor(Reader &in,
                           const std::vector<GuardedMemory> &memory) {
  auto type = static_cast<BroadloomElementType>(in.number<uint8_t>());
  auto buffer = in.number<uint32_t>();
  auto offset = in.number<int64_t>();
  std::vector<int64_t> extents = in.numbers<int64_t>();
  std::vector<int64_t> strides = in.numbers<int64_t>();
  BroadloomTensor tensor;
  broadloomTensorBorrow(
      type, static_cast<int32_t>(extents.size()), extents.data(),
      strides.data(), buffer < memory.size() ? memory[buffer].data() : nullptr,
      &tensor);
  tensor.offset = offset;
  return tensor;
}

/// The elements in row-major order.
std::string elementsOf(const BroadloomTensor &tensor) {
  int64_t count = broadloomTensorCount(&tensor);
  auto bytes = static_cast<size_t>(broadloomElementBytes(tensor.elementType));
  std::string elements;
  elements.reserve(static_cast<size_t>(count) * bytes);
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = tensor.offset, rest = i;
    for (int32_t axis = tensor.rank; axis-- > 0;) {
      offset += rest % tensor.dims[axis] * tensor.dims[tensor.rank + axis];
      rest /= tensor.dims[axis];
    }
    elements.append(static_cast<const char *>(tensor.data) +
                        offset * static_cast<int64_t>(bytes),
                    bytes);
  }
  return elements;
}

/// Type, extents and elements.
void writeTensor(Writer &out, const BroadloomTensor &tensor) {
  out.number(static_cast<uint8_t>(tensor.elementType));
  out.numbers(tensor.dims, static_cast<size_t>(tensor.rank));
  out.bytes(elementsOf(tensor));
}

void writeState(Writer &out, const State &state) {
  std::vector<std::string> names = state.names();
  out.number(static_cast<uint32_t>(names.size()));
  for (const std::string &name : names) {
    out.bytes(name);
    writeTensor(out, *state.get(name));
  }
}

} // namespace

Compiler &Runner::compiler(Reader &in) {
  auto strategy = static_cast<Strategy>(in.number<uint8_t>());
  bool optimise = in.number<uint8_t>() != 0;
  std::string key = {static_cast<char>(strategy), static_cast<char>(optimise)};
  CompileOptions options;
  options.strategy = strategy;
  options.optimiseCode = optimise;
  for (uint32_t count = in.number<uint32_t>(); count; --count) {
    options.shapeLibraries.emplace_back(in.bytes());
    key += options.shapeLibraries.back() + '\0';
  }
  auto &[made, uses] = compilers[key];
  if (!made || ++uses > kProgramsPerCompiler) {
    made = std::make_unique<Compiler>(options);
    uses = 0;
  }
  return *made;
}

void Runner::compile(Reader &in, Writer &out) {
  auto slot = in.number<uint32_t>();
  Compiler &with = compiler(in);
  std::clock_t start = std::clock();
  std::unique_ptr<CompiledModule> module =
      with.compile(Source::text(in.bytes(), "program.mlir"));
  double took = 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC;
  out.number<uint8_t>(module != nullptr);
  out.bytes(with.diagnostics());
  out.number(took);
  states.erase(slot);
  modules[slot] = std::move(module);
  if (modules[slot])
    states[slot] = std::make_unique<State>(*modules[slot]);
}

// Answers: status, message, whether an argument was written, for each result
// its type, extents and elements, the variables in the same form behind their
// names, and the memory that results were written to.
void Runner::run(Reader &in, Writer &out) {
  auto slot = in.number<uint32_t>();
  const CompiledModule &module = *modules.at(slot);
  std::string name(in.bytes());
  auto threads = in.number<int32_t>();
  std::vector<GuardedMemory> memory;
  std::vector<std::string_view> before;
  for (uint32_t count = in.number<uint32_t>(); count; --count) {
    before.push_back(in.bytes());
    memory.emplace_back(before.back());
  }
  std::vector<BroadloomTensor> tensors;
  for (uint32_t count = in.number<uint32_t>(); count; --count)
    tensors.push_back(readTensor(in, memory));
  std::vector<const BroadloomTensor *> inputs;
  for (const BroadloomTensor &tensor : tensors)
    inputs.push_back(&tensor);

  const FunctionSignature *function = module.function(name);
  if (!function) {
    out.number<int32_t>(-1);
    out.bytes("no function " + name);
    return;
  }
  Invocation call(module, *function);
  call.setThreads(threads);
  call.setState(states.at(slot).get());
  std::vector<bool> isOutput(memory.size(), false);
  for (uint32_t count = in.number<uint32_t>(); count; --count) {
    auto index = in.number<uint32_t>();
    isOutput[in.number<uint32_t>()] = true;
    BroadloomTensor output = readTensor(in, memory);
    (void)call.setOutput(index, &output);
  }
  int32_t status = call.run(inputs);
  out.number(status);
  out.bytes(status ? call.message() : "");
  bool written = false;
  for (size_t i = 0; i < memory.size(); ++i)
    written |= !isOutput[i] && memory[i].bytes() != before[i];
  out.number<uint8_t>(written);
  auto results = static_cast<uint32_t>(status ? 0 : function->results.size());
  out.number(results);
  for (uint32_t i = 0; i < results; ++i) {
    BroadloomTensor result;
    call.takeResult(i, &result);
    writeTensor(out, result);
    broadloomTensorRelease(&result);
  }
  writeState(out, *states.at(slot));
  // What lies around a result in the caller's memory is the client's to check.
  for (size_t i = 0; i < memory.size(); ++i)
    if (isOutput[i])
      out.bytes(memory[i].bytes());
}

// Answers: why there are no shapes, status, message and for each result extents
// and `inexact` of Invocation::resultShapes. The arguments have no memory.
void Runner::shapes(Reader &in, Writer &out) {
  auto slot = in.number<uint32_t>();
  const CompiledModule &module = *modules.at(slot);
  std::string name(in.bytes());
  std::vector<BroadloomTensor> tensors;
  for (uint32_t count = in.number<uint32_t>(); count; --count)
    tensors.push_back(readTensor(in, {}));
  std::vector<const BroadloomTensor *> inputs;
  for (const BroadloomTensor &tensor : tensors)
    inputs.push_back(&tensor);
  const FunctionSignature *function = module.function(name);
  Invocation call(module, *function);
  call.setState(states.at(slot).get());
  out.bytes(function->whyNoShapes);
  std::vector<BroadloomShape> shapes;
  int32_t status = call.resultShapes(inputs, shapes);
  out.number(status);
  out.bytes(status ? call.message() : "");
  out.number(static_cast<uint32_t>(status ? 0 : shapes.size()));
  if (!status)
    for (const BroadloomShape &shape : shapes) {
      out.number(shape.inexact);
      out.numbers(shape.extents, static_cast<size_t>(shape.rank));
    }
}

// Answers: whether there is an answer, diagnostics, status, message, and for
// each result its text.
void Runner::query(Reader &in, Writer &out) {
  Compiler &with = compiler(in);
  std::string_view text = in.bytes();
  ShapeQueryArguments question;
  question.function = in.bytes();
  for (uint32_t count = in.number<uint32_t>(); count; --count)
    question.arguments.emplace_back(in.bytes());
  std::optional<ShapeQueryResult> found =
      with.queryShapes(Source::text(text, "program.mlir"), question);
  out.number<uint8_t>(found.has_value());
  out.bytes(with.diagnostics());
  if (!found)
    return;
  out.number(found->status);
  out.bytes(found->message);
  out.number(static_cast<uint32_t>(found->results.size()));
  for (const ShapeQueryResult::Result &result : found->results)
    out.bytes(result.text());
}

// Answers: whether it is a program, accepted, and complete, diagnostics, how
// many constraints have each status, and the text of those that are not proved.
void Runner::check(Reader &in, Writer &out) {
  Compiler &with = compiler(in);
  std::string_view text = in.bytes();
  char path[] = "/dev/shm/broadloom-fuzz-XXXXXX";
  int file = mkstemp(path);
  if (file < 0 || ::write(file, text.data(), text.size()) !=
                      static_cast<ssize_t>(text.size()))
    std::abort();
  ::close(file);
  CheckedProgram program;
  bool good = with.check(Source::file(path), program);
  ::unlink(path);
  out.number<uint8_t>(good);
  out.number<uint8_t>(program.isAccepted);
  out.number<uint8_t>(program.isComplete);
  out.bytes(with.diagnostics());
  int32_t counts[4] = {};
  std::string open;
  for (const infer::GuardReport::Row &row : program.report.rows) {
    ++counts[static_cast<int>(row.status)];
    if (row.status != infer::GuardStatus::Proved)
      open +=
          row.function + ": " + row.operation + ": " + row.constraint + "\n";
  }
  out.numbers(counts, 4);
  out.bytes(open);
}

/// The lines in which `a` and `b` first differ; empty where they do not.
static std::string findDifference(const std::string &a, const std::string &b) {
  if (a == b)
    return "";
  size_t at = size_t(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  auto lineOf = [at](const std::string &text) {
    size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  return lineOf(a) + "\n" + lineOf(b);
}

// What is compiled must not depend on the addresses of the compiler's data,
// which are others each time.
void Runner::repeat(Reader &in, Writer &out) {
  constexpr int kTimes = 4;
  Compiler &with = compiler(in);
  std::string_view text = in.bytes();
  std::string first, again, difference;
  bool good = with.emit(Source::text(text, "program.mlir"), Emit::LLVM, first);
  for (int i = 1; good && i < kTimes && difference.empty(); ++i) {
    again.clear();
    difference =
        with.emit(Source::text(text, "program.mlir"), Emit::LLVM, again)
            ? findDifference(first, again)
            : "it is refused:\n" + with.diagnostics();
  }
  out.number<uint8_t>(good);
  out.bytes(difference);
}

std::string Runner::answer(std::string_view message) {
  Reader in(message);
  Writer out;
  switch (in.number<char>()) {
  case 'C':
    compile(in, out);
    break;
  case 'R':
    run(in, out);
    break;
  case 'H':
    shapes(in, out);
    break;
  case 'S':
    query(in, out);
    break;
  case 'K':
    check(in, out);
    break;
  case 'T':
    repeat(in, out);
    break;
  case 'D':
    states.clear();
    modules.clear();
    break;
  default:
    std::abort();
  }
  return out.text();
}

int main() {
  Runner runner;
  std::string message;
  // Nothing else may write where answers go.
  int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  while (receive(STDIN_FILENO, message))
    if (!send(answers, runner.answer(message)))
      return 1;
  return 0;
}
