//===- CommandLine.cpp - the command line of the program ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PolicyValues.h"
#include "driver/passes/StrategyValues.h"
#include "driver/queries/OrderInputs.h"
#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/NumberOption.h"
#include "tools/broadloom/Options.h"
#include "tools/broadloom/Suggest.h"
#include "tools/broadloom/Terminal.h"

#include "llvm/ADT/STLExtras.h"
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
  cl::SubCommand profile{"profile", "tell where the time of a call goes"};
  cl::SubCommand check{"check", "list what must hold of a program's shapes"};
  cl::SubCommand shapes{"shapes", "tell the shapes of a function's results"};
  cl::SubCommand inspect{"inspect",
                         "tell what functions a program has, and of what"};
  // Registered for the list of commands; runCommandLine converts them to
  // options.
  cl::SubCommand help{"help", "tell of a command, or of all"};
  cl::SubCommand version{"version", "tell the version"};

  /// The commands that read a program's source, that select a function, that
  /// call it, and that make code.
  cl::SubCommandGroup reading{&run,   &compile, &bench,  &profile,
                              &check, &shapes,  &inspect};
  cl::SubCommandGroup choosing{&run, &bench, &profile, &check, &shapes};
  cl::SubCommandGroup calling{&run, &bench, &profile};
  cl::SubCommandGroup building{&run, &compile, &bench, &profile};
  cl::SubCommandGroup editing{&run, &compile, &bench, &profile, &check};
  cl::SubCommandGroup measuring{&bench, &profile};
  cl::SubCommandGroup telling{&run,   &bench,  &profile,
                              &check, &shapes, &inspect};

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"), cl::sub(reading),
                            cl::cat(category)};
  cl::opt<Strategy> strategy{
      "strategy",          cl::desc("how element-wise work is lowered"),
      getStrategyValues(), cl::init(Strategy::Default),
      cl::sub(reading),    cl::cat(category)};
  cl::opt<DynamicToStatic> dynamicToStatic{
      "dynamic-to-static",
      cl::desc("a static result extent where the operands give none"),
      getPolicyValues(),
      cl::init(DynamicToStatic::Allow),
      cl::sub(reading),
      cl::cat(category)};
  cl::list<std::string> shapeLibraries{
      "shape-library", cl::desc("a file of shape functions, beside TOSA's"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::list<std::string> libraries{
      "library",
      cl::desc("a shared library with functions that the program declares"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::list<std::string> effects{
      "effects",
      cl::desc("a file that tells what functions of libraries read and write"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule",
      cl::desc("a file of edits of the program's loops over memory; auto for "
               "edits that are found"),
      cl::value_desc("FILE"), cl::sub(editing), cl::cat(category)};
  cl::opt<std::string> errorLimit{
      "error-limit",
      cl::desc("how many errors are told; 0 for all, 20 without it"),
      cl::value_desc("N"), cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> compileThreads{
      "compile-threads",
      cl::desc(
          "threads that compile; 0, and without it: all cores. Code is the "
          "same for each number"),
      cl::value_desc("N"), cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> reproducer{
      "save-reproducer",
      cl::desc("where the compiler itself fails, write a small program that "
               "shows it to FILE"),
      cl::value_desc("FILE"), cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> provokedBug{
      "provoke-bug",
      cl::desc(
          "for tests: make a pass fail; crash if ! stands first, and leave an "
          "unsound program if ~ does"),
      cl::value_desc("[!~]PASS[/OPERATION]"),
      cl::Hidden,
      cl::sub(reading),
      cl::cat(category)};
  cl::opt<bool> checksEffects{
      "check-effects",
      cl::desc("compare memory before and behind calls of libraries: what they "
               "write besides their effects is an error"),
      cl::sub(reading), cl::cat(category)};
  cl::opt<bool> verbose{
      "verbose",
      cl::desc("print stages with times, and note what is in the form of "
               "another version of TOSA"),
      cl::sub(reading), cl::cat(category)};
  cl::opt<std::string> fillElided{
      "fill-elided",
      cl::desc("make up values for constants that were left out when the "
               "program was printed; the same ones for the same seed"),
      cl::value_desc("SEED"),
      cl::ValueOptional,
      cl::sub(reading),
      cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::desc("the function to call or check"),
      cl::value_desc("NAME"), cl::sub(choosing), cl::cat(category)};
  cl::list<std::string> inputs{
      "input",
      cl::desc("an argument: FILE.npy, a text such as 2x3xf32=1 2 3 4 5 6, - "
               "for either from standard input, or bytes:FILE for the bytes of "
               "any file; NAME=X for the argument of that name"),
      cl::value_desc("X"), cl::sub(calling), cl::cat(category)};
  cl::opt<std::string> threads{
      "threads",
      cl::desc("threads; 0: as OMP_NUM_THREADS says, else all cores"),
      cl::value_desc("N"), cl::sub(calling), cl::cat(category)};
  cl::list<std::string> outputs{
      "output", cl::desc("write a result to FILE.npy instead of printing"),
      cl::value_desc("FILE"), cl::sub(run), cl::cat(category)};
  cl::list<std::string> argumentOutputs{
      "output-argument",
      cl::desc("write what an argument of memory holds after the call to "
               "FILE.npy instead of printing it; N is its number or name"),
      cl::value_desc("N:FILE"), cl::sub(run), cl::cat(category)};
  cl::list<std::string> reportFiles{
      "output", cl::desc("write the report to FILE instead of printing"),
      cl::value_desc("FILE"), cl::sub(check), cl::cat(category)};
  cl::opt<bool> leaks{
      "leaks",
      cl::desc("fail where the call leaves memory that it has allocated, and "
               "has neither freed nor returned"),
      cl::sub(run), cl::cat(category)};
  cl::opt<std::string> format{"format",
                              cl::desc("text, json or html"),
                              cl::value_desc("FORM"),
                              cl::init("text"),
                              cl::sub(check),
                              cl::cat(category)};
  cl::opt<bool> all{"all",
                    cl::desc("list every row, what is proved too, as text"),
                    cl::sub(check), cl::cat(category)};
  cl::list<std::string> statuses{
      "status",
      cl::desc(
          "list only what is proved, run-time, refuted, unchecked or fixed"),
      cl::value_desc("STATUS,..."),
      cl::CommaSeparated,
      cl::sub(check),
      cl::cat(category)};
  cl::opt<bool> shapesOnly{"shapes", cl::desc("print the results' shapes only"),
                           cl::sub(run), cl::cat(category)};
  cl::opt<bool> sequence{
      "sequence",
      cl::desc("call the function once for each index of the inputs' first "
               "axis, keep its variables, and stack the results"),
      cl::sub(run), cl::cat(category)};
  cl::opt<std::string> state{
      "state",
      cl::desc("keep the variables in DIR, a .npy file each: read before the "
               "first call, written after the last"),
      cl::value_desc("DIR"), cl::sub(run), cl::cat(category)};
  cl::opt<std::string> out{"o",
                           cl::desc("where to write; - for text to "
                                    "standard output"),
                           cl::value_desc("OUT"),
                           cl::init("-"),
                           cl::sub(compile),
                           cl::cat(category)};
  cl::opt<std::string> emit{
      "emit",
      cl::desc(
          "loom, linalg, llvm, asm, obj, so, shape-library or tosa; without it "
          "what the ending of OUT says: .mlir, .s, .o, .so or .tosa; loom "
          "where it has none"),
      cl::value_desc("FORM"), cl::sub(compile), cl::cat(category)};
  cl::opt<std::string> target{
      "target",
      cl::desc("the machine that llvm, asm and obj are for, as LLVM names it: "
               "x86_64-linux-gnu, aarch64-linux-gnu; this one without it"),
      cl::value_desc("TRIPLE"), cl::sub(compile), cl::cat(category)};
  cl::opt<std::string> cpu{
      "cpu",
      cl::desc("the processor that code is for: x86-64-v3, cortex-a76; without "
               "it this one, or the least one of --target's architecture"),
      cl::value_desc("NAME"), cl::sub(compile), cl::cat(category)};
  cl::opt<std::string> symbol{
      "symbol",
      cl::desc("the symbol of the table of functions of obj, so and asm"),
      cl::value_desc("NAME"),
      cl::init(CompileOptions().tableSymbol),
      cl::sub(compile),
      cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("print JSON (docs/json.md)"),
                     cl::sub(telling), cl::cat(category)};
  cl::list<std::string> argumentShapes{
      "input",
      cl::desc("an argument's shape: 4x?x3, BxTx64 or *; of "
               "integers also the value: i64=4, 2xi64=3 4; NAME=SHAPE for the "
               "argument of that name"),
      cl::value_desc("SHAPE"), cl::sub(shapes), cl::cat(category)};
  cl::opt<std::string> seconds{
      "seconds", cl::desc("how long to measure; 1 without it"),
      cl::value_desc("S"), cl::sub(measuring), cl::cat(category)};
  cl::opt<std::string> trace{
      "trace",
      cl::desc("write the fastest call to FILE in Chrome's trace event format"),
      cl::value_desc("FILE"), cl::sub(profile), cl::cat(category)};
  cl::opt<std::string> html{
      "html", cl::desc("write a page with the program and a picture to FILE"),
      cl::value_desc("FILE"), cl::sub(profile), cl::cat(category)};

  Options read() const {
    Options options;
    options.file = file;
    options.function = function;
    options.inputs.assign(inputs.begin(), inputs.end());
    const cl::list<std::string> &files = check ? reportFiles : outputs;
    options.outputs.assign(files.begin(), files.end());
    options.argumentOutputs.assign(argumentOutputs.begin(),
                                   argumentOutputs.end());
    options.argumentShapes.assign(argumentShapes.begin(), argumentShapes.end());
    options.format =
        json && !format.getNumOccurrences() ? "json" : format.getValue();
    options.statuses.assign(statuses.begin(), statuses.end());
    options.all = all;
    options.out = out;
    if (out.getNumOccurrences() > 1)
      options.wrongOption = "-o is given " +
                            std::to_string(out.getNumOccurrences()) +
                            " times, but one file is written";
    options.emit = emit;
    options.leaks = leaks;
    readNumber(threads, options.threads, "a number of threads",
               options.wrongOption);
    options.shapesOnly = shapesOnly;
    options.sequence = sequence;
    options.state = state;
    options.json = json;
    readNumber(seconds, options.seconds, "a time in seconds",
               options.wrongOption);
    options.trace = trace;
    options.html = html;
    options.compile.strategy = strategy;
    options.compile.dynamicToStatic = dynamicToStatic;
    options.compile.tableSymbol = symbol;
    options.compile.target = target;
    options.compile.cpu = cpu;
    options.compile.verbose = verbose;
    options.compile.checksEffects = checksEffects;
    // The process ends after one command.
    options.compile.leavesContext = true;
    if (fillElided.getNumOccurrences()) {
      uint64_t &seed = options.compile.fillElided.emplace(0);
      if (!fillElided.empty())
        readNumber(fillElided, seed, "a seed", options.wrongOption);
    }
    readNumber(errorLimit, options.compile.errorLimit, "a number of errors",
               options.wrongOption);
    readNumber(compileThreads, options.compileThreads, "a number of threads",
               options.wrongOption);
    options.compile.compileThreads = unsigned(options.compileThreads);
    options.compile.provokedBug = provokedBug;
    options.reproducer = reproducer;
    options.compile.shapeLibraries.assign(shapeLibraries.begin(),
                                          shapeLibraries.end());
    options.compile.effects.assign(effects.begin(), effects.end());
    options.compile.schedule = schedule;
    if (schedule.getNumOccurrences() && schedule.empty())
      options.wrongOption = "--schedule names no file";
    options.compile.libraries.assign(libraries.begin(), libraries.end());
    return options;
  }
};

constexpr const char *kOverview =
    "Broadloom compiles and runs dynamic tensor programs.\n\n"
    "  broadloom run FILE --input=X ... [--output=Y.npy ...]\n"
    "  broadloom compile FILE --emit=FORM -o OUT\n"
    "  broadloom bench FILE --input=X ...\n"
    "  broadloom profile FILE --input=X ... [--html=PROFILE.html]\n"
    "  broadloom check FILE [--format=html --output=REPORT.html]\n"
    "  broadloom shapes FILE --input=4x?x3 ...\n"
    "  broadloom inspect FILE\n"
    "  broadloom help [COMMAND]\n"
    "  broadloom version\n\n"
    "broadloom help COMMAND lists the options of a command. FILE is - for\n"
    "standard input, and so is X.\n\n"
    "Exit status: 0 done; 1 the program or an input is rejected; 2 the "
    "command\n"
    "line is wrong; 3 a guard failed; 4 a bug in broadloom, to be reported "
    "with\n"
    "a small program, which --save-reproducer=FILE writes.\n";

/// The names of the options of `command` that its help shows.
std::vector<llvm::StringRef> listOptions(const cl::SubCommand &command,
                                         const cl::OptionCategory &category) {
  std::vector<llvm::StringRef> names{"help"};
  for (auto [name, option] : command.OptionsMap)
    if (llvm::is_contained(option->Categories, &category) &&
        option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(name);
  llvm::sort(names);
  return names;
}

} // namespace

/// A contradiction between the values of options; empty if there is none.
static std::string findContradiction(const Options &options) {
  if (!options.wrongOption.empty())
    return options.wrongOption;
  for (auto [name, threads] : {std::pair("--threads", options.threads),
                               {"--compile-threads", options.compileThreads}})
    if (threads < 0)
      return std::string(name) + " is " + std::to_string(threads) +
             "; it must be 0 or more";
  if (!(options.seconds >= 0 && options.seconds <= 3600))
    return "--seconds must be between 0 and 3600";
  if (options.json && options.format != "json")
    return "--json and --format=" + options.format + " are two forms";
  auto isStandardInput = [](llvm::StringRef input) {
    return input.drop_front(getNamePart(input).size()) == "-";
  };
  if (llvm::count_if(options.inputs, isStandardInput) + (options.file == "-") >
      1)
    return "standard input (-) is read once: for the program or for one input";
  return "";
}

/// Converts `help`, `help COMMAND` and `version` to LLVM's options.
static void spellAsOptions(std::vector<const char *> &words) {
  if (words.size() < 2)
    return;
  llvm::StringRef first = words[1];
  if (first == "version")
    words[1] = "--version";
  if (first != "help")
    return;
  words[1] = "--help";
  // These two commands have no help.
  if (words.size() > 2 && words[2] != llvm::StringRef("help") &&
      words[2] != llvm::StringRef("version"))
    std::swap(words[1], words[2]);
  else
    words.resize(2);
}

int broadloom::tool::runCommandLine(int argc, char **argv) {
  CommandLine line;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "broadloom " << version() << " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  const std::pair<cl::SubCommand *, int (*)(const Options &)> commands[] = {
      {&line.run, runProgram},        {&line.compile, compileProgram},
      {&line.bench, benchProgram},    {&line.profile, profileProgram},
      {&line.check, checkProgram},    {&line.shapes, evaluateProgram},
      {&line.inspect, inspectProgram}};
  std::vector<llvm::StringRef> names{"help", "version"};
  for (auto [command, run] : commands) {
    cl::HideUnrelatedOptions(line.category, *command);
    names.push_back(command->getName());
  }
  cl::HideUnrelatedOptions(line.category);

  std::vector<const char *> words(argv, argv + argc);
  spellAsOptions(words);
  llvm::StringRef name = words.size() > 1 ? words[1] : "";
  if (!name.empty() && !name.starts_with("-") &&
      !llvm::is_contained(names, name)) {
    llvm::StringRef nearest = findNearest(name, names);
    return fail(kUsage, "there is no command '" + name.str() + "'" +
                            (nearest.empty()
                                 ? "; "
                                 : "; did you mean '" + nearest.str() + "'? ") +
                            nameHelp("") + " lists them");
  }
  auto chosen = llvm::find_if(
      commands, [&](auto &entry) { return entry.first->getName() == name; });
  const cl::SubCommand &given = chosen == std::end(commands)
                                    ? cl::SubCommand::getTopLevel()
                                    : *chosen->first;
  if (llvm::StringRef word = findMistakenHelp(words, given); !word.empty()) {
    std::string command = given.getName().str();
    return fail(kUsage, "there is no option '" + word.str() + "'" +
                            (command.empty() ? " without a command"
                                             : " of '" + command + "'") +
                            "; " + nameHelp(command) + " lists them");
  }
  if (std::string error = findMissingValue(words, given); !error.empty())
    return fail(kUsage, error);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  bool isRead = cl::ParseCommandLineOptions(static_cast<int>(words.size()),
                                            words.data(), kOverview, &stream);
  if (!isRead) {
    printDiagnostics(withOwnHints(errors, listOptions(given, line.category),
                                  given.getName()));
    return kUsage;
  }
  if (chosen == std::end(commands)) {
    llvm::errs() << kOverview;
    return kUsage;
  }
  Options options = line.read();
  options.command = name.str();
  options.words.assign(words.begin() + 2, words.end());
  if (options.file.empty())
    return fail(kUsage,
                "no program is given; " + nameHelp(name) + " shows how");
  if (std::string error = findContradiction(options); !error.empty())
    return fail(kUsage, error);
  handleCrashes();
  return options.reproducer.empty()
             ? chosen->second(options)
             : runWithReproducer(options, chosen->second);
}
