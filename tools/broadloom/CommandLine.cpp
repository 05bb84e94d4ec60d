//===- CommandLine.cpp - the command line of the program ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/Options.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::tool;
namespace cl = llvm::cl;

namespace {

/// The options live only while the command line is read, so that nothing
/// depends on the order in which global objects are made.
struct CommandLine {
  cl::OptionCategory category{"Options"};
  cl::SubCommand run{"run", "compile a program and run one of its functions"};
  cl::SubCommand compile{"compile", "compile a program to another form"};
  cl::SubCommand bench{"bench", "measure the time of a call"};
  cl::SubCommand check{"check", "list what must hold of a program's shapes"};
  cl::SubCommand shapes{"shapes", "tell the shapes of a function's results"};
  cl::SubCommand inspect{"inspect",
                         "tell what functions a program has, and of what"};

  /// Those that read a program's source; that compile it; that call it.
  cl::SubCommandGroup reading{&run,   &compile, &bench,
                              &check, &shapes,  &inspect};
  cl::SubCommandGroup timed{&run, &compile, &bench, &shapes};
  cl::SubCommandGroup choosing{&run, &bench, &check, &shapes};
  cl::SubCommandGroup calling{&run, &bench};

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"), cl::Required,
                            cl::sub(reading), cl::cat(category)};
  cl::opt<Strategy> strategy{
      "strategy",
      cl::desc("how element-wise work is lowered"),
      cl::values(clEnumValN(Strategy::Default, "default",
                            "fused maps and strip kernels"),
                 clEnumValN(Strategy::Rfc, "rfc",
                            "the RFC's IR, one operation at a time")),
      cl::init(Strategy::Default),
      cl::sub(reading),
      cl::cat(category)};
  cl::opt<DynamicToStatic> dynamicToStatic{
      "dynamic-to-static",
      cl::desc("a static result extent where the operands give none"),
      cl::values(clEnumValN(DynamicToStatic::Allow, "allow", "is a guard"),
                 clEnumValN(DynamicToStatic::Forbid, "forbid", "is an error")),
      cl::init(DynamicToStatic::Allow),
      cl::sub(reading),
      cl::cat(category)};
  cl::list<std::string> shapeLibraries{
      "shape-library", cl::desc("a file of shape functions, beside TOSA's"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::opt<unsigned> errorLimit{
      "error-limit",       cl::desc("how many errors are told; 0 for all"),
      cl::value_desc("N"), cl::init(CompileOptions().errorLimit),
      cl::sub(reading),    cl::cat(category)};
  cl::opt<std::string> reproducer{
      "save-reproducer",
      cl::desc("where the compiler itself fails, write a small program that "
               "shows it to FILE"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> provokedBug{
      "provoke-bug",
      cl::desc("for tests: make a pass fail, or crash if ! stands first"),
      cl::value_desc("[!]PASS[/OPERATION]"),
      cl::Hidden,
      cl::sub(reading),
      cl::cat(category)};
  cl::opt<bool> verbose{"verbose", cl::desc("print stages with times"),
                        cl::sub(timed), cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::desc("the function to call or check"),
      cl::value_desc("NAME"), cl::sub(choosing), cl::cat(category)};
  cl::list<std::string> inputs{
      "input",
      cl::desc("an argument: FILE.npy, a text such as 2x3xf32=1 2 3 4 5 6, or "
               "bytes:FILE for the bytes of any file"),
      cl::value_desc("X"), cl::sub(calling), cl::cat(category)};
  cl::opt<int> threads{
      "threads",
      cl::desc("threads; 0: as OMP_NUM_THREADS says, else all cores"),
      cl::init(0),
      cl::value_desc("N"),
      cl::sub(calling),
      cl::cat(category)};
  cl::list<std::string> outputs{
      "output", cl::desc("write a result to FILE.npy instead of printing"),
      cl::value_desc("FILE"), cl::sub(run), cl::cat(category)};
  cl::list<std::string> reportFiles{
      "output", cl::desc("write the report to FILE instead of printing"),
      cl::value_desc("FILE"), cl::sub(check), cl::cat(category)};
  cl::opt<std::string> format{"format",
                              cl::desc("text, json or html"),
                              cl::value_desc("FORM"),
                              cl::init("text"),
                              cl::sub(check),
                              cl::cat(category)};
  cl::list<std::string> statuses{
      "status",
      cl::desc("list only what is proved, run-time, refuted or unchecked"),
      cl::value_desc("STATUS,..."),
      cl::CommaSeparated,
      cl::sub(check),
      cl::cat(category)};
  cl::opt<bool> shapesOnly{"shapes", cl::desc("print the results' shapes only"),
                           cl::sub(run), cl::cat(category)};
  cl::opt<std::string> out{"o",
                           cl::desc("where to write; - for text to "
                                    "standard output"),
                           cl::value_desc("OUT"),
                           cl::init("-"),
                           cl::sub(compile),
                           cl::cat(category)};
  cl::opt<std::string> emit{
      "emit",
      cl::desc("loom, linalg, llvm, asm, obj, so or shape-library; without it "
               "what the ending of OUT says: .mlir, .s, .o or .so; else loom"),
      cl::value_desc("FORM"), cl::sub(compile), cl::cat(category)};
  cl::opt<std::string> symbol{
      "symbol",
      cl::desc("the symbol of the table of functions of obj, so and asm"),
      cl::value_desc("NAME"),
      cl::init("broadloom_functions"),
      cl::sub(compile),
      cl::cat(category)};
  cl::opt<bool> json{"json",           cl::desc("print one JSON object"),
                     cl::sub(bench),   cl::sub(shapes),
                     cl::sub(inspect), cl::cat(category)};
  cl::list<std::string> argumentShapes{
      "input",
      cl::desc("an argument's shape: 4x?x3, BxTx64 or *; of "
               "integers also the value: i64=4, 2xi64=3 4"),
      cl::value_desc("SHAPE"), cl::sub(shapes), cl::cat(category)};
  cl::opt<double> seconds{"seconds",      cl::desc("how long to measure"),
                          cl::init(1.0),  cl::value_desc("S"),
                          cl::sub(bench), cl::cat(category)};

  Options read() const {
    Options options;
    options.file = file;
    options.function = function;
    options.inputs.assign(inputs.begin(), inputs.end());
    const cl::list<std::string> &files = check ? reportFiles : outputs;
    options.outputs.assign(files.begin(), files.end());
    options.argumentShapes.assign(argumentShapes.begin(), argumentShapes.end());
    options.format = format;
    options.statuses.assign(statuses.begin(), statuses.end());
    options.out = out;
    options.emit = emit;
    options.threads = threads;
    options.shapesOnly = shapesOnly;
    options.json = json;
    options.seconds = seconds;
    options.compile.strategy = strategy;
    options.compile.dynamicToStatic = dynamicToStatic;
    options.compile.tableSymbol = symbol;
    options.compile.verbose = verbose;
    options.compile.errorLimit = errorLimit;
    options.compile.provokedBug = provokedBug;
    options.reproducer = reproducer;
    options.compile.shapeLibraries.assign(shapeLibraries.begin(),
                                          shapeLibraries.end());
    return options;
  }
};

constexpr const char *kOverview =
    "Broadloom compiles and runs dynamic tensor programs.\n\n"
    "  broadloom run FILE --input=X ... [--output=Y.npy ...]\n"
    "  broadloom compile FILE --emit=FORM -o OUT\n"
    "  broadloom bench FILE --input=X ...\n"
    "  broadloom check FILE [--format=html --output=REPORT.html]\n"
    "  broadloom shapes FILE --input=4x?x3 ...\n"
    "  broadloom inspect FILE\n\n"
    "broadloom COMMAND --help lists the options of a command.\n\n"
    "Exit status: 0 done; 1 the program or an input is rejected; 2 the "
    "command\n"
    "line is wrong; 3 a guard failed; 4 a bug in broadloom, to be reported "
    "with\n"
    "a small program, which --save-reproducer=FILE writes.\n";

/// LLVM's own options are registered as well, though no help shows them, and
/// are nothing to suggest to somebody who mistyped one of ours.
std::string withoutForeignHints(llvm::StringRef errors,
                                const cl::OptionCategory &category) {
  auto isForeign = [&](llvm::StringRef text) {
    if (!text.contains("Did you mean '"))
      return false;
    llvm::StringRef name =
        text.split('\'').second.split('\'').first.ltrim('-').split('=').first;
    for (cl::SubCommand *command : cl::getRegisteredSubcommands())
      if (cl::Option *option = command->OptionsMap.lookup(name))
        if (llvm::is_contained(option->Categories, &category))
          return false;
    return name != "help" && name != "version";
  };
  std::string kept;
  for (llvm::StringRef rest = errors; !rest.empty();) {
    auto [text, after] = rest.split('\n');
    if (!isForeign(text))
      kept += text.str() + "\n";
    rest = after;
  }
  return kept;
}

} // namespace

int broadloom::tool::runCommandLine(int argc, char **argv) {
  CommandLine line;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "broadloom " BROADLOOM_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  for (cl::SubCommand *command : {&line.run, &line.compile, &line.bench,
                                  &line.check, &line.shapes, &line.inspect})
    cl::HideUnrelatedOptions(line.category, *command);
  cl::HideUnrelatedOptions(line.category);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &stream)) {
    llvm::errs() << withoutForeignHints(errors, line.category);
    return kUsage;
  }
  Options options = line.read();
  if (options.threads < 0)
    return fail(kUsage, "--threads is " + std::to_string(options.threads) +
                            "; it must be 0 or more");
  if (!(options.seconds >= 0 && options.seconds <= 3600))
    return fail(kUsage, "--seconds must be between 0 and 3600");
  std::pair<cl::SubCommand *, int (*)(const Options &)> commands[] = {
      {&line.run, runProgram},         {&line.compile, compileProgram},
      {&line.bench, benchProgram},     {&line.check, checkProgram},
      {&line.shapes, evaluateProgram}, {&line.inspect, inspectProgram}};
  for (auto [command, run] : commands) {
    if (!*command)
      continue;
    handleCrashes();
    options.command = command->getName().str();
    return options.reproducer.empty() ? run(options)
                                      : runWithReproducer(options, run);
  }
  llvm::errs() << kOverview;
  return kUsage;
}
