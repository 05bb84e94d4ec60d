// A loop's variable is no symbol: the error names it, and says what to write.
// RUN: not broadloom check %s 2>&1 | FileCheck %s
func.func @triangle(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    // CHECK: affine-operands.mlir:[[# @LINE + 1]]:5: error: 'affine.for' op has %i as a symbol, but loops change it; give it as a dimension: affine_map<(d0) -> (d0)>(%i)
    affine.for %j = 0 to %i {
    }
  }
  return
}
