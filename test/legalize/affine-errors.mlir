// RUN: broadloom-opt %s --split-input-file --broadloom-prepare --convert-tosa-to-loom --verify-diagnostics

// Maps whose divisors are no divisors are no maps (rt-11).
func.func @generic(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'linalg.generic' op has a map with 'd0 floordiv 0', whose divisor is 0, expected at least 1}}
  %0 = "linalg.generic"(%a, %a) <{indexing_maps = [affine_map<(i) -> (i floordiv 0)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @apply(%i: index) -> index {
  // expected-error @+1 {{'affine.apply' op has a map with 'd0 floordiv -2', whose divisor is -2, expected at least 1}}
  %0 = affine.apply affine_map<(i) -> (i floordiv -2 + 1)>(%i)
  return %0 : index
}

// -----

func.func @branch(%i: index) {
  // expected-error @+1 {{'affine.if' op has a map with 'd0 mod 0', whose divisor is 0, expected at least 1}}
  affine.if affine_set<(i) : (i mod 0 == 0)>(%i) {
  }
  return
}

// -----

// Nothing can be assigned before the first iteration.
func.func @assign(%n: index, %x: i32) -> i32 {
  // expected-error @+2 {{the program has 1 operation that cannot be compiled}}
  // expected-note @+1 {{affine.parallel: its reduction is 'assign', which gives nothing where the loop has no iteration; give another one}}
  %r = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("assign") -> (i32) {
    affine.yield %x : i32
  }
  return %r : i32
}
