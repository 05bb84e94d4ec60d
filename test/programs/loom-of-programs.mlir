// RUN: split-file %s %t && cd %t
// RUN: broadloom run assume.mlir --input=3xf32=1,2,3 --input=i64=2 | FileCheck %s --check-prefix=HELD
// RUN: not broadloom run assume.mlir --input=3xf32=1 --input=i64=5000000 2>&1 | FileCheck %s --check-prefix=ASSUMED
// RUN: broadloom run extents.mlir --input=3xf32=1 --input=2x5xf32=1 | FileCheck %s --check-prefix=EXTENTS
// RUN: broadloom shapes extents.mlir --input=3 --input=2x5 --function=shaped | FileCheck %s --check-prefix=SHAPED
// RUN: broadloom run negative.mlir --input=3xf32=1,2,3 --input=i64=2 | FileCheck %s --check-prefix=HELD
// RUN: not broadloom run negative.mlir --input=3xf32=1 --input=i64=-2 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not broadloom run negative.mlir --input=3xf32=1 --input=i64=2 --function=declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: broadloom run fused.mlir --input=2x2xf32=1,2,3,4 --input=2x2xf32=1 | FileCheck %s --check-prefix=FUSED
// RUN: not broadloom run fused.mlir --input=3x4xf32=1 --input=2x4xf32=1 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not broadloom shapes fused.mlir --input=3x4 --input=2x4 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not broadloom run fused.mlir --input=3x4xf32=1 --function=declared 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: broadloom run fused.mlir --input=2x2xf32=1,2,3,4 --function=reduced | FileCheck %s --check-prefix=REDUCED
// RUN: not broadloom run fused.mlir --input=3x2xf32=1 --function=reduced 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not broadloom run shapes.mlir --input=3xf32=1 --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not broadloom run shapes.mlir --input=3xf32=1 --input=3xf32=1 --function=declared 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: broadloom run shapes.mlir --input=3x2xf32=1 --input=2xf32=1 --function=unranked | FileCheck %s --check-prefix=RANK
// RUN: not broadloom run shapes.mlir --input=3xf32=1 --input=3xf32=1 --function=unranked 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not broadloom check retain.mlir 2>&1 | FileCheck %s --check-prefix=RETAIN
// RUN: not broadloom check any.mlir 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: not broadloom check broadcast.mlir 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: not broadloom check divided.mlir 2>&1 | FileCheck %s --check-prefix=DIVIDED
// RUN: not broadloom check nested.mlir 2>&1 | FileCheck %s --check-prefix=NESTED

// What passes make of loom rests on constraints of what it was made of. Where a
// program has such operations itself, they are checked as any others (rt-11).

// HELD: {{^}}3.0{{$}}
// ASSUMED: assume.mlir:5:3: 'loom.assume': an assumption does not hold: the caller
// EXTENTS: [1 3 2 5 5 1 1]
// SHAPED: {{^}}1x3x2x5x5x1x1{{$}}
// NEGATIVE: negative.mlir:2:8: 'loom.from_extents': axis 0 of the shape would have extent -2
// DECLARED: negative.mlir:8:8: 'loom.from_extents': axis 0 of the shape has extent 2 but is declared to have 3
// FUSED: {{\[\[}}-2. -2.]
// OPERANDS: fused.mlir:2:8: 'loom.fused_reduction': operands are not broadcast-compatible along axis 0: extents 3 and 2 (operand shapes 3x4 and 2x4
// RESULT: fused.mlir:15:8: 'loom.fused_reduction': result axis 0 has extent 3 but is declared to have 300
// REDUCED: {{\[\[}}3.]
// ROWS: fused.mlir:30:8: 'loom.fused_reduction': result axis 0 has extent 3 but is declared to have 2
// SHAPES: shapes.mlir:4:8: 'loom.broadcast': operands are not broadcast-compatible along axis 0: extents 3 and 2
// SHAPE: shapes.mlir:11:8: 'loom.broadcast': result axis 0 has extent 7 but the operands give 3
// RANK: {{^}}2{{$}}
// RANKS: shapes.mlir:18:8: 'loom.broadcast': result has rank 2 but the operands give rank 1
// RETAIN: note: loom.retain: the compiler makes it where tensors have become memory; a program has tensors alone
// ANY: 'loom.any' op takes elements of i1, not of 'f32'
// BROADCAST: 'loom.broadcast' op gives '!loom.shape<[?, ?, ?]>', but the operands broadcast to rank 1
// NESTED: error: the program has 5 operations that cannot be compiled
// NESTED: note: arith.divsi: the divisor must be a constant; divide in a 'loom.map', whose elements are checked
// NESTED: note: arith.divsi: the divisor must be a constant
// NESTED: note: arith.divsi: the divisor must be a constant
// NESTED: note: affine.apply: the divisor must be a constant
// NESTED: note: scf.for: the step must be a positive constant; write the loop in a 'loom.map', whose elements are checked
// DIVIDED: note: arith.divsi: the divisor must be a constant; divide in a 'loom.map', whose elements are checked

//--- assume.mlir
func.func @main(%a: tensor<?xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %c = arith.cmpi ult, %i, %n : index
  loom.assume %c, "the caller"
  %v = tensor.extract %a[%i] : tensor<?xf32>
  return %v : f32
}
//--- extents.mlir
func.func private @read(%a: tensor<?xf32>, %b: tensor<*xf32>) -> (index, index, index, index, index, index, index) {
  %s = loom.shape_of %a : tensor<?xf32> -> <[?]>
  %0 = loom.extent %s[100] : <[?]>
  %1 = loom.extent %s[-1] : <[?]>
  %t = loom.shape_of %b : tensor<*xf32> -> <*>
  %2 = loom.extent %t[0] : <*>
  %3 = loom.extent %t[1] : <*>
  %4 = loom.extent %t[-1] : <*>
  %5 = loom.extent %t[7] : <*>
  %6 = loom.extent %t[-3] : <*>
  return %0, %1, %2, %3, %4, %5, %6 : index, index, index, index, index, index, index
}
func.func @main(%a: tensor<?xf32>, %b: tensor<*xf32>) -> tensor<7xindex> {
  %0:7 = func.call @read(%a, %b) : (tensor<?xf32>, tensor<*xf32>) -> (index, index, index, index, index, index, index)
  %r = tensor.from_elements %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<7xindex>
  return %r : tensor<7xindex>
}
func.func @shaped(%a: tensor<?xf32>, %b: tensor<*xf32>) -> tensor<?x?x?x?x?x?x?xf32> {
  %0:7 = func.call @read(%a, %b) : (tensor<?xf32>, tensor<*xf32>) -> (index, index, index, index, index, index, index)
  %z = arith.constant 0.0 : f32
  %r = tensor.splat %z[%0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6] : tensor<?x?x?x?x?x?x?xf32>
  return %r : tensor<?x?x?x?x?x?x?xf32>
}
//--- negative.mlir
func.func @main(%a: tensor<?xf32>, %i: index) -> f32 {
  %s = loom.from_extents %i : <[?]>
  %n = loom.extent %s[0] : <[?]>
  %v = tensor.extract %a[%n] : tensor<?xf32>
  return %v : f32
}
func.func @declared(%a: tensor<?xf32>, %i: index) -> index {
  %s = loom.from_extents %i : <[3]>
  %n = loom.extent %s[0] : <[3]>
  return %n : index
}
//--- fused.mlir
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = loom.fused_reduction(%a, %b) over [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%x: f32, %y: f32):
    %1 = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%p: f32, %q: f32):
      %7 = arith.addf %p, %q : f32
      loom.yield %7 : f32
    }
    %2 = arith.subf %y, %1 : f32
    loom.yield %2 : f32
  }
  return %0 : tensor<?x?xf32>
}
func.func @declared(%a: tensor<?x?xf32>) -> f32 {
  %0 = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> tensor<300x700xf32> {
  ^bb0(%x: f32):
    %1 = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%p: f32, %q: f32):
      %7 = arith.addf %p, %q : f32
      loom.yield %7 : f32
    }
    %2 = arith.subf %x, %1 : f32
    loom.yield %2 : f32
  }
  %i = arith.constant 299 : index
  %v = tensor.extract %0[%i, %i] : tensor<300x700xf32>
  return %v : f32
}
func.func @reduced(%a: tensor<?x?xf32>) -> tensor<2x1xf32> {
  %0 = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> tensor<2x1xf32> {
  ^bb0(%x: f32):
    %1 = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%p: f32, %q: f32):
      %7 = arith.addf %p, %q : f32
      loom.yield %7 : f32
    }
    loom.yield %1 : f32
  }
  return %0 : tensor<2x1xf32>
}
//--- shapes.mlir
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %sa = loom.shape_of %a : tensor<?xf32> -> <[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> <[?]>
  %u = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?]>
  %e = loom.extent %u[0] : <[?]>
  return %e : index
}
func.func @declared(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %sa = loom.shape_of %a : tensor<?xf32> -> <[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> <[?]>
  %u = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[7]>
  %e = loom.extent %u[0] : <[7]>
  return %e : index
}
func.func @unranked(%a: tensor<*xf32>, %b: tensor<?xf32>) -> index {
  %sa = loom.shape_of %a : tensor<*xf32> -> <*>
  %sb = loom.shape_of %b : tensor<?xf32> -> <[?]>
  %u = loom.broadcast %sa, %sb : (!loom.shape<*>, !loom.shape<[?]>) -> !loom.shape<[?, ?]>
  %e = loom.extent %u[1] : <[?, ?]>
  return %e : index
}
//--- retain.mlir
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  "loom.retain"(%a) : (tensor<?xf32>) -> ()
  return %a : tensor<?xf32>
}
//--- any.mlir
func.func @main(%a: tensor<?xf32>) -> i1 {
  %q = loom.any %a : tensor<?xf32>
  return %q : i1
}
//--- broadcast.mlir
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %sa = loom.shape_of %a : tensor<?xf32> -> <[?]>
  %sb = loom.shape_of %b : tensor<?xf32> -> <[?]>
  %u = loom.broadcast %sa, %sb : (!loom.shape<[?]>, !loom.shape<[?]>) -> !loom.shape<[?, ?, ?]>
  %e = loom.extent %u[2] : <[?, ?, ?]>
  return %e : index
}
//--- divided.mlir
func.func @main(%a: tensor<?xi32>) -> tensor<?xi32> {
  %0 = loom.fused_reduction(%a) over [0] : (tensor<?xi32>) -> tensor<?xi32> {
  ^bb0(%x: i32):
    %1 = loom.reduce %x from 0 : i32 : i32 -> i32 {
    ^bb0(%p: i32, %q: i32):
      %7 = arith.addi %p, %q : i32
      loom.yield %7 : i32
    }
    %y = arith.divsi %1, %x : i32
    loom.yield %y : i32
  }
  return %0 : tensor<?xi32>
}
//--- nested.mlir
func.func @combined(%a: tensor<?xi32>) -> tensor<?xi32> {
  %0 = loom.fused_reduction(%a) over [0] : (tensor<?xi32>) -> tensor<?xi32> {
  ^bb0(%x: i32):
    %1 = loom.reduce %x from 0 : i32 : i32 -> i32 {
    ^bb0(%p: i32, %q: i32):
      %7 = arith.divsi %p, %q : i32
      loom.yield %7 : i32
    }
    loom.yield %1 : i32
  }
  return %0 : tensor<?xi32>
}
func.func @branch(%a: tensor<?xi32>) -> tensor<?xi32> {
  %0 = loom.fused_reduction(%a) over [0] : (tensor<?xi32>) -> tensor<?xi32> {
  ^bb0(%x: i32):
    %1 = loom.reduce %x from 0 : i32 : i32 -> i32 {
    ^bb0(%p: i32, %q: i32):
      %7 = arith.addi %p, %q : i32
      loom.yield %7 : i32
    }
    %t = arith.constant true
    %y = scf.if %t -> i32 {
      %z = arith.divsi %1, %x : i32
      scf.yield %z : i32
    } else {
      scf.yield %x : i32
    }
    loom.yield %y : i32
  }
  return %0 : tensor<?xi32>
}
func.func @tail(%x: tensor<1x1x4xi8>, %w: tensor<4x2xi8>) -> tensor<1x1x2xi32> {
  %r = loom.contract(%x, %w) window {strides = array<i64>, dilations = array<i64>, pads = array<i64>} : (tensor<1x1x4xi8>, tensor<4x2xi8>) -> tensor<1x1x2xi32> {
  ^bb0(%v: i32):
    %t = arith.constant 0 : i32
    %c = arith.cmpi sgt, %v, %t : i32
    %q = scf.if %c -> i32 {
      %d = arith.divsi %v, %v : i32
      scf.yield %d : i32
    } else {
      scf.yield %t : i32
    }
    loom.yield %q : i32
  }
  return %r : tensor<1x1x2xi32>
}
func.func @affine(%a: tensor<?xindex>) -> tensor<?xindex> {
  %0 = loom.fused_reduction(%a) over [0] : (tensor<?xindex>) -> tensor<?xindex> {
  ^bb0(%x: index):
    %1 = loom.reduce %x from 0 : index : index -> index {
    ^bb0(%p: index, %q: index):
      %7 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%p)[%q]
      loom.yield %7 : index
    }
    loom.yield %1 : index
  }
  return %0 : tensor<?xindex>
}
func.func @step(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = loom.fused_reduction(%a) over [0] : (tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%x: f32):
    %1 = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%p: f32, %q: f32):
      %7 = arith.addf %p, %q : f32
      loom.yield %7 : f32
    }
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %st = arith.fptosi %x : f32 to i64
    %si = arith.index_cast %st : i64 to index
    %s = scf.for %i = %c0 to %c10 step %si iter_args(%acc = %x) -> f32 {
      %t = arith.addf %acc, %x : f32
      scf.yield %t : f32
    }
    loom.yield %s : f32
  }
  return %0 : tensor<?xf32>
}
