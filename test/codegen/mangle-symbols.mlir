// RUN: broadloom-opt %s --loom-mangle-symbols --split-input-file --verify-diagnostics | FileCheck %s

// A program's symbols get prefixes that no symbol of the compiler's own has, and
// so do their uses. Another name stays another one, whatever it begins with.
// CHECK-LABEL: func.func private @loom_function_loom_rare_sin(
// CHECK:       func.func private @loom_function_loom_function_loom_rare_sin(
// CHECK:         call @loom_function_loom_rare_sin(
// CHECK:       memref.global "private" constant @loom_global_sinf
// CHECK:       func.func @loom_function_main(
// CHECK:         call @loom_function_loom_function_loom_rare_sin(
// CHECK:         memref.get_global @loom_global_sinf
// Nothing may call a declaration.
// CHECK-NOT:   malloc
func.func private @loom_rare_sin(%a: f32) -> f32 {
  return %a : f32
}
func.func private @loom_function_loom_rare_sin(%a: f32) -> f32 {
  %r = call @loom_rare_sin(%a) : (f32) -> f32
  return %r : f32
}
memref.global "private" constant @sinf : memref<2xf32> = dense<1.0>
func.func @main(%a: f32) -> (f32, memref<2xf32>) {
  %r = call @loom_function_loom_rare_sin(%a) : (f32) -> f32
  %g = memref.get_global @sinf : memref<2xf32>
  return %r, %g : f32, memref<2xf32>
}
func.func private @malloc(i64) -> i64

// -----

func.func private @elsewhere(memref<2xf32>)
func.func @calls_elsewhere(%a: memref<2xf32>) {
  // expected-error @+1 {{calls 'elsewhere', which has no body in this program; a function of another library is called on memory, and declares what it reads and writes with 'loom.effects'}}
  call @elsewhere(%a) : (memref<2xf32>) -> ()
  return
}
