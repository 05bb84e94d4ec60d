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

// -----

// What upstream refuses as an operand that "cannot be used as a symbol" is named, and
// what to write instead.
func.func @triangle(%a: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    // expected-error @+1 {{'affine.for' op has an operand as a symbol, but loops change it; give it as a dimension: affine_map<(d0) -> (d0)>(%i)}}
    affine.for %j = 0 to %i {
    }
  }
  return
}

// -----

func.func @loaded(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.load %a[%i] : memref<?xindex>
    // expected-error @+1 {{'affine.for' op has an operand in its map, which takes variables of affine loops, numbers that are known in front of all loops, and what 'affine.apply' computes of these; use 'scf.for'}}
    affine.for %j = 0 to %k {
    }
  }
  return
}

// -----

func.func @branch_on_data(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.load %a[%i] : memref<?xindex>
    // expected-error @+1 {{'affine.if' op has an operand in its map, which takes variables of affine loops, numbers that are known in front of all loops, and what 'affine.apply' computes of these; use 'scf.if'}}
    affine.if affine_set<(d0) : (d0 >= 0)>(%k) {
    }
  }
  return
}

// -----

func.func @symbol_of_apply(%a: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    // expected-error @+1 {{'affine.apply' op has an operand as a symbol, but loops change it}}
    %k = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%i]
  }
  return
}

// -----

// Variables as dimensions, sums of these, numbers of the function, and extents; `affine.apply` takes any number.
func.func @good_operands(%a: memref<?xindex>, %b: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %k = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]
    %data = affine.load %b[%i] : memref<?xindex>
    %l = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%k)[%data]
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%k) {
    }
    affine.if affine_set<(d0)[s0] : (s0 - d0 >= 0)>(%k)[%n] {
    }
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %data = memref.load %a[%i] : memref<?xindex>
    %k = affine.apply affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>(%i, %data)[%n]
  }
  %m = memref.dim %a, %c0 : memref<?xindex>
  affine.for %i = 0 to %m {
  }
  return
}
