//===- Module.cpp - the module broadloom._core ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the Python files of the package are written with. Names that users see
// are in broadloom/__init__.py.
//
//===----------------------------------------------------------------------===//

#define BROADLOOM_IMPORTS_NUMPY
#include "python/src/Python.h"

#include "python/src/Arrays.h"
#include "python/src/Dlpack.h"
#include "python/src/Errors.h"
#include "python/src/Function.h"
#include "python/src/Subscripts.h"
#include "python/src/Variables.h"
#include "python/src/Waiting.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace nb = nanobind;
using namespace broadloom::python;

namespace {

/// A path is bytes, which need not be text.
using OptionValue = std::variant<std::string, nb::bytes>;
using Options = std::vector<std::pair<std::string, OptionValue>>;

const char *getBytes(const OptionValue &value) {
  const auto *text = std::get_if<std::string>(&value);
  return text ? text->c_str() : std::get<nb::bytes>(value).c_str();
}

struct DestroyCompiler {
  void operator()(BroadloomCompiler *compiler) const {
    CompilersAtWork::destroy(compiler);
  }
};
using CompilerOwner = std::unique_ptr<BroadloomCompiler, DestroyCompiler>;

struct DestroyModule {
  void operator()(BroadloomModule *module) const {
    broadloomModuleDestroy(module);
  }
};

struct DestroyState {
  void operator()(BroadloomState *state) const { broadloomStateDestroy(state); }
};

struct DestroyReport {
  void operator()(BroadloomReport *report) const {
    broadloomReportDestroy(report);
  }
};

/// Sets a ValueError for an option or a form that there is not.
void raiseRefusal(const BroadloomCompiler *compiler) {
  std::string text = broadloomDiagnostics(compiler);
  constexpr std::string_view word = "error: ";
  if (text.compare(0, word.size(), word) == 0)
    text.erase(0, word.size());
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  PyErr_Format(PyExc_ValueError, "%s", text.c_str());
}

/// Raises what keeps `compiler` from having compiled or checked a program: its
/// diagnostics, or a function that there is not.
void raiseWhyNot(BroadloomCompiler *compiler) {
  if (broadloomCompileStatus(compiler) == BROADLOOM_INVALID_ARGUMENT &&
      broadloomNumDiagnostics(compiler) == 0)
    raiseRefusal(compiler);
  else
    raiseCompileError(compiler);
}

/// The bytes of an object with the buffer protocol, which it keeps.
class Buffer {
public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0)
      throw nb::python_error();
  }
  Buffer(Buffer &&other) noexcept
      : view(std::exchange(other.view, Py_buffer())) {}
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer() { PyBuffer_Release(&view); }

  const char *data() const { return static_cast<const char *>(view.buf); }
  size_t size() const { return size_t(view.len); }

private:
  Py_buffer view = {};
};

/// What a program is compiled from. It keeps the memory that programs borrow:
/// `text`, which is bytes, a saved program or memory that a file was read into,
/// and the large constants.
struct Source {
  Source(nb::object text, nb::list constants, std::string name, Options options)
      : object(std::move(text)), arrays(std::move(constants)),
        name(std::move(name)), options(std::move(options)), text(object) {
    for (nb::handle array : arrays)
      buffers.emplace_back(array);
  }

  nb::object object;
  nb::list arrays;
  std::string name;
  Options options;
  Buffer text;
  std::vector<Buffer> buffers;

  const char *data() const { return text.data(); }
  size_t size() const { return text.size(); }

  CompilerOwner makeCompiler() const {
    BroadloomCompiler *made = broadloomCompilerCreate();
    if (!CompilersAtWork::add(made)) {
      broadloomCompilerDestroy(made);
      throw nb::python_error();
    }
    CompilerOwner compiler(made);
    for (const auto &[option, value] : options)
      if (broadloomCompilerSetOption(compiler.get(), option.c_str(),
                                     getBytes(value)) != BROADLOOM_OK) {
        raiseRefusal(compiler.get());
        throw nb::python_error();
      }
    broadloomCompilerSetOption(compiler.get(), "borrow", "on");
    std::vector<const void *> bytes;
    std::vector<size_t> sizes;
    for (const Buffer &buffer : buffers) {
      bytes.push_back(buffer.data());
      sizes.push_back(buffer.size());
    }
    broadloomCompilerSetConstants(compiler.get(), bytes.data(), sizes.data(),
                                  int32_t(bytes.size()));
    return compiler;
  }
};

/// Runs `work` interruptibly. What it has made belongs to the caller, also
/// where it was interrupted.
void wait(BroadloomCompiler *compiler, const std::function<void()> &work) {
  if (!runInterruptibly(compiler, work))
    throw nb::python_error();
}

nb::object steal(PyObject *object) {
  if (!object)
    throw nb::python_error();
  return nb::steal(object);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A compiled program, which functions borrow from. Only its variables change.
class Program {
public:
  Program(nb::object text, nb::list constants, std::string name,
          Options options)
      : source(std::move(text), std::move(constants), std::move(name),
               std::move(options)) {
    CompilerOwner compiler = source.makeCompiler();
    wait(compiler.get(), [&] {
      module.reset(broadloomCompileText(compiler.get(), source.data(),
                                        source.size(), source.name.c_str()));
    });
    if (!module) {
      raiseWhyNot(compiler.get());
      throw nb::python_error();
    }
    if (!tellWarnings(compiler.get()))
      throw nb::python_error();
    state.reset(broadloomStateCreate(module.get()));
    if (broadloomStateNumVariables(state.get()) == 0)
      state.reset();
  }

  /// Writes the file that has this program, or one function of it, by calls of
  /// `write` with pieces of it, which are not copied. False if there is none.
  bool save(const std::optional<std::string> &function,
            const nb::callable &write) const {
    struct Pieces {
      const nb::callable &write;
      std::optional<nb::python_error> error;
    } pieces{write, {}};
    auto add = [](void *context, const char *bytes, size_t size) -> int32_t {
      auto &pieces = *static_cast<Pieces *>(context);
      try {
        pieces.write(steal(PyMemoryView_FromMemory(
            const_cast<char *>(bytes), Py_ssize_t(size), PyBUF_READ)));
        return 0;
      } catch (nb::python_error &error) {
        pieces.error.emplace(std::move(error));
        return 1;
      }
    };
    bool isWritten = broadloomModuleSaveTo(
        module.get(), function ? function->c_str() : nullptr, add, &pieces);
    if (pieces.error)
      throw std::move(*pieces.error);
    return isWritten;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (int32_t i = 0; i < broadloomModuleNumFunctions(module.get()); ++i)
      names.push_back(broadloomModuleFunction(module.get(), i)->name);
    return names;
  }

  const Source source;
  std::unique_ptr<BroadloomModule, DestroyModule> module;
  /// The variables, for all functions; null where there are none.
  std::unique_ptr<BroadloomState, DestroyState> state;
};

/// The function of that name, or the only one or main; None where there is none
/// or no telling which.
nb::object findFunction(nb::handle_t<Program> self,
                        const std::optional<std::string> &name,
                        int32_t threads) {
  const Program &program = *nb::cast<Program *>(self);
  const BroadloomFunctionInfo *info = broadloomModuleFindFunction(
      program.module.get(), name ? name->c_str() : nullptr);
  if (!info)
    return nb::none();
  return steal(makeFunction(self.ptr(), program.module.get(), info,
                            program.state.get(), threads));
}

/// An extent: a number, a text, or None where no more is known.
nb::object makeExtent(const BroadloomExtentAnswer &extent) {
  if (extent.number >= 0 && !extent.isBound)
    return nb::int_(extent.number);
  if (std::string("?") == extent.text)
    return nb::none();
  return nb::str(extent.text);
}

nb::object makeShape(const BroadloomShapeAnswer &answer) {
  if (answer.rank < 0)
    return nb::none();
  nb::list extents;
  for (int32_t axis = 0; axis < answer.rank; ++axis)
    extents.append(makeExtent(answer.extents[axis]));
  return nb::tuple(extents);
}

/// The shapes, and why a call may fail all the same ("" where none may).
nb::tuple querySymbolicShapes(const Program &program,
                              const std::string &function,
                              const std::vector<std::string> &arguments) {
  CompilerOwner compiler = program.source.makeCompiler();
  std::vector<const char *> texts;
  for (const std::string &argument : arguments)
    texts.push_back(argument.c_str());
  int32_t status = BROADLOOM_OK;
  wait(compiler.get(), [&] {
    status = broadloomShapesOfText(
        compiler.get(), program.source.data(), program.source.size(),
        program.source.name.c_str(), function.c_str(), texts.data(),
        int32_t(texts.size()));
  });
  if (status != BROADLOOM_OK) {
    raiseShapesError(compiler.get());
    throw nb::python_error();
  }
  nb::list shapes;
  for (int32_t i = 0; i < broadloomShapesNumResults(compiler.get()); ++i)
    shapes.append(makeShape(*broadloomShapesResult(compiler.get(), i)));
  return nb::make_tuple(shapes, broadloomShapesMayFail(compiler.get()));
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

nb::str makeText(const char *text) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(text, Py_ssize_t(strlen(text)), "replace"));
}

nb::tuple makeRow(const BroadloomReportRow &row) {
  nb::object axis = row.axis < 0 ? nb::none() : nb::object(nb::int_(row.axis));
  return nb::make_tuple(makeText(row.function), makeText(row.operation),
                        makeText(row.location), axis, makeText(row.constraint),
                        makeText(row.status), makeText(row.reason),
                        makeText(row.names));
}

/// The rows, whether the program is accepted, and the report in the three
/// forms.
nb::tuple checkSource(nb::object text, nb::list constants, std::string name,
                      Options options,
                      const std::optional<std::string> &function) {
  Source source(std::move(text), std::move(constants), std::move(name),
                std::move(options));
  CompilerOwner compiler = source.makeCompiler();
  std::unique_ptr<BroadloomReport, DestroyReport> report;
  wait(compiler.get(), [&] {
    report.reset(broadloomCheckText(compiler.get(), source.data(),
                                    source.size(), source.name.c_str(),
                                    function ? function->c_str() : nullptr));
  });
  if (!report) {
    raiseWhyNot(compiler.get());
    throw nb::python_error();
  }
  // Errors are rows of the report.
  bool isAccepted = broadloomReportIsAccepted(report.get());
  if (isAccepted && !tellWarnings(compiler.get()))
    throw nb::python_error();
  nb::list rows;
  for (int32_t i = 0; i < broadloomReportNumRows(report.get()); ++i)
    rows.append(makeRow(*broadloomReportRow(report.get(), i)));
  auto write = [&](const char *form) {
    size_t size = 0;
    return makeText(
        broadloomReportWrite(report.get(), form, source.name.c_str(), &size));
  };
  return nb::make_tuple(rows, isAccepted, write("text"), write("json"),
                        write("html"));
}

nb::bytes emitSource(nb::object text, nb::list constants, std::string name,
                     Options options, const std::string &form) {
  Source source(std::move(text), std::move(constants), std::move(name),
                std::move(options));
  CompilerOwner compiler = source.makeCompiler();
  size_t size = 0;
  const char *output = nullptr;
  wait(compiler.get(), [&] {
    output = broadloomEmitText(compiler.get(), source.data(), source.size(),
                               source.name.c_str(), form.c_str(), &size);
  });
  if (output)
    return nb::bytes(output, size);
  if (broadloomNumDiagnostics(compiler.get()) == 0)
    raiseRefusal(compiler.get());
  else
    raiseCompileError(compiler.get());
  throw nb::python_error();
}

bool importNumPy() { return PyArray_ImportNumPyAPI() >= 0; }

} // namespace

NB_MODULE(_core, module) {
  if (!importNumPy() || !initialiseArrays() || !WatchedCall::initialise() ||
      !getFunctionType())
    throw nb::python_error();
  // Programs may be alive when the process ends.
  nb::set_leak_warnings(false);
  // Threads of daemons may be compiling then.
  nb::module_::import_("atexit").attr("register")(
      nb::cpp_function(CompilersAtWork::endAll));
  module.attr("__version__") = broadloomVersion();
  module.attr("Function") =
      nb::borrow(reinterpret_cast<PyObject *>(getFunctionType()));
  // broadloom/_compile.py derives the class that users see.
  nb::class_<Program>(module, "Program",
                      "A compiled program: functions by their names.")
      .def(nb::init<nb::object, nb::list, std::string, Options>(),
           nb::arg("text"), nb::arg("constants"), nb::arg("name"),
           nb::arg("options"))
      .def("_names", &Program::names)
      .def("_function", findFunction, nb::arg("name").none(),
           nb::arg("threads"))
      .def("_variables",
           [](const Program &program) {
             return steal(readVariables(program.state.get()));
           })
      .def("_set_variables",
           [](const Program &program, const nb::dict &values) {
             if (!setVariables(program.state.get(), values.ptr()))
               throw nb::python_error();
           })
      .def(
          "reset",
          [](const Program &program) {
            if (!resetVariables(program.state.get()))
              throw nb::python_error();
          },
          "Give all variables of the program their first values.")
      .def("_save", &Program::save, nb::arg("function").none(),
           nb::arg("write"))
      .def("_symbolic_shapes", querySymbolicShapes)
      .def_prop_ro("_source",
                   [](const Program &program) { return program.source.object; })
      .def_prop_ro("_constants",
                   [](const Program &program) { return program.source.arrays; })
      .def_prop_ro(
          "_options",
          [](const Program &program) { return program.source.options; })
      .def_prop_ro(
          "name", [](const Program &program) { return program.source.name; },
          "What diagnostics call the program: the path that it is from.");
  module.def("_check", checkSource, nb::arg("text"), nb::arg("constants"),
             nb::arg("name"), nb::arg("options"), nb::arg("function").none());
  module.def("_emit", emitSource);
  module.def("_export_dlpack",
             [](nb::handle array, bool isVersioned, bool isCopy) {
               return steal(exportDlpack(array.ptr(), isVersioned, isCopy));
             });
  module.def("_import_dlpack", [](nb::handle object, const std::string &name) {
    return steal(importDlpack(object.ptr(), name));
  });
  module.def(
      "_watch_subscripts",
      [](const nb::tuple &kinds, nb::handle take) {
        watchSubscripts(kinds.ptr(), take.ptr());
      },
      nb::arg("kinds"), nb::arg("take").none());
  module.def("trim", broadloomTrim,
             "Return memory that is kept for later calls to the system.");
}
