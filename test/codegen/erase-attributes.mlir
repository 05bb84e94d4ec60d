// RUN: broadloom-opt %s --loom-erase-attributes --mlir-print-debuginfo | FileCheck %s --implicit-check-not=llvm. --implicit-check-not=passthrough --implicit-check-not=bufferization. --implicit-check-not=loop_annotation --implicit-check-not=loom.target --implicit-check-not=personality --implicit-check-not=no_unwind
// RUN: broadloom run %s --input=3xf32="1 2 3" | FileCheck %s --check-prefix=RUNS
// RUN: broadloom compile %s --emit=asm -o - | FileCheck %s --check-prefix=ASM

// What another tool says to LLVM is not said of the code that is made here: a
// function that never returns would crash, and its symbols have other names.
// CHECK: loom.extents = #loom.extents<[N]>
// CHECK: call @twice
// CHECK: func.func private @twice
// CHECK: scf.for
// CHECK: return
// CHECK: loc("model.py":3:1)
// RUNS: [2. 4. 6.]
// ASM-NOT: no such instruction
module attributes {llvm.module_asm = ["no such instruction"], llvm.target_triple = "i386-unknown-linux",
                   loom.target = {triple = "aarch64-unknown-linux-gnu", cpu = "cortex-a76"}, tf.name = "model"} {
  func.func @main(%x: tensor<?xf32> {llvm.noalias, bufferization.writable = true, loom.extents = #loom.extents<[N]>}) -> (tensor<?xf32> {llvm.inreg})
      attributes {passthrough = ["noreturn"], personality = @nobody, garbageCollector = "none", optimize_none, target_cpu = "i386"} {
    %y = func.call @twice(%x) {no_unwind, passthrough = ["noreturn"]} : (tensor<?xf32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
  func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> attributes {passthrough = ["noreturn"], llvm.linkage = #llvm.linkage<private>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %x) -> tensor<?xf32> {
      %d = tosa.add %s, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> loc(#of_code)
      scf.yield %d : tensor<?xf32>
    } {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
    return %r : tensor<?xf32>
  } loc(#of_code)
}

// Debug information of the code that the program was made of.
#file = #llvm.di_file<"model.py" in "/home">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#function = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", file = #file, subprogramFlags = Definition>
#of_code = loc(fused<#function>["model.py":3:1])
