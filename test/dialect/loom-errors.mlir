// RUN: broadloom-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%a: tensor<?xf32>) {
  // expected-error @+1 {{body argument 0 has type 'f64' but operand 0 gives 'f32'}}
  %r = "loom.map"(%a) ({
  ^bb0(%x: f64):
    loom.yield %x : f64
  }) : (tensor<?xf32>) -> tensor<?xf64>
  return
}

// -----

func.func @count(%a: tensor<?xf32>) {
  // expected-error @+1 {{has 1 operands but its body has 0 arguments}}
  %r = "loom.map"(%a) ({
    %c = arith.constant 1.0 : f32
    loom.yield %c : f32
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @yields(%a: tensor<?xf32>) {
  // expected-error @+1 {{yields 'f32' for result 0, whose element type is 'f64'}}
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf64> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @yieldCount(%a: tensor<?xf32>) {
  // expected-error @+1 {{has 1 results but yields 2 values}}
  %r = loom.map(%x = %a : tensor<?xf32>) -> tensor<?xf32> {
    loom.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @shapes(%a: tensor<?xf32>) {
  // expected-error @+1 {{results have types 'tensor<2xf32>' and 'tensor<3xf32>'; all results of a map have one shape}}
  %r:2 = loom.map(%x = %a : tensor<?xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    loom.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @vectors(%a: vector<4xf32>) {
  // expected-error @+1 {{operand of type 'vector<4xf32>' is neither a tensor nor a scalar}}
  %r = loom.map(%x = %a : vector<4xf32>) -> tensor<4xf32> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @shapeOf(%a: tensor<?x4xf32>) {
  // expected-error @+1 {{result type '!loom.shape<[?]>' is not the shape of 'tensor<?x4xf32>', which is '!loom.shape<[?, 4]>'}}
  %s = loom.shape_of %a : tensor<?x4xf32> -> !loom.shape<[?]>
  return
}

// -----

// Memory may have other extents open than the tensor whose place it takes, but
// no other number.
func.func @shape_of_memory(%a: memref<?x4xf32>) {
  %less = loom.shape_of %a : memref<?x4xf32> -> !loom.shape<[?, ?]>
  %more = loom.shape_of %a : memref<?x4xf32> -> !loom.shape<[3, 4]>
  // expected-error @+1 {{result type '!loom.shape<[?, 5]>' is not the shape of 'memref<?x4xf32>', which is '!loom.shape<[?, 4]>'}}
  %other = loom.shape_of %a : memref<?x4xf32> -> !loom.shape<[?, 5]>
  return
}

// -----

// expected-error @+1 {{extent -1 is negative}}
func.func private @negative(!loom.shape<[-1]>)

// -----

func.func @rowsAxes(%a: tensor<?x?xf32>) {
  // expected-error @+1 {{axes must be in order and within rank 2, but axis 2 follows 1}}
  %r = loom.fused_reduction(%a) over [1, 2] : (tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%x: f32):
    loom.yield %x : f32
  }
  return
}

// -----

func.func @indexOfTwoAxes(%a: tensor<?x?xi64>) {
  %r = loom.fused_reduction(%a) over [0, 1] : (tensor<?x?xi64>) -> tensor<?x?xi64> {
  ^bb0(%x: i64):
    // expected-error @+1 {{'loom.index' op counts along one axis, but 2 are reduced}}
    %p = loom.index : i64
    %s = arith.subi %x, %p : i64
    loom.yield %s : i64
  }
  return
}

// -----

func.func @rowsRanks(%a: tensor<?x?xf32>) {
  // expected-error @+1 {{results have ranks 2 and 1; all results have the rank of the space}}
  %r:2 = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32):
    loom.yield %x, %x : f32, f32
  }
  return
}

// -----

func.func @rowsArguments(%a: tensor<?x?xf32>) {
  // expected-error @+1 {{body argument 0 has type 'f64' but operand 0 gives 'f32'}}
  %r = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> tensor<?x?xf64> {
  ^bb0(%x: f64):
    loom.yield %x : f64
  }
  return
}

// -----

func.func @foldTypes(%a: tensor<?x?xf32>) {
  %r = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> tensor<?x1xf32> {
  ^bb0(%x: f32):
    // expected-error @+1 {{reduces 'f32' from 'f64' into 'f32'; all three must be one type}}
    %s = loom.reduce %x from 0.0 : f64 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      loom.yield %l : f32
    }
    loom.yield %s : f32
  }
  return
}

// -----

func.func @foldCombines(%a: tensor<?x?xf32>) {
  %r = loom.fused_reduction(%a) over [1] : (tensor<?x?xf32>) -> tensor<?x1xf32> {
  ^bb0(%x: f32):
    // expected-error @+1 {{combines two values of 'f32' into one}}
    %s = loom.reduce %x from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32):
      loom.yield %l : f32
    }
    loom.yield %s : f32
  }
  return
}

// -----

func.func @kindsCount(%a: tensor<?xf32>) {
  // expected-error @+1 {{has 1 operands but kinds of 2}}
  %r = loom.map(%x = %a : tensor<?xf32>) attributes {kinds = [#loom.access<[match]>, #loom.access<*>]} -> tensor<?xf32> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @kindsRank(%a: tensor<?xf32>) {
  // expected-error @+1 {{has kinds for 2 axes of operand 0, whose rank is 1}}
  %r = loom.map(%x = %a : tensor<?xf32>) attributes {kinds = [#loom.access<[match, one]>]} -> tensor<?xf32> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @kindsOfScalar(%a: tensor<?xf32>, %s: f32) {
  // expected-error @+1 {{has kinds for 1 axes of operand 1, whose rank is 0}}
  %r = loom.map(%x = %a : tensor<?xf32>, %y = %s : f32) attributes {kinds = [#loom.access<[match]>, #loom.access<[one]>]} -> tensor<?xf32> {
    loom.yield %y : f32
  }
  return
}

// -----

func.func @kindsAreAccesses(%a: tensor<?xf32>) {
  // expected-error @+1 {{attribute 'kinds' failed to satisfy constraint: an access for each operand}}
  %r = loom.map(%x = %a : tensor<?xf32>) attributes {kinds = ["match"]} -> tensor<?xf32> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @accessIsKnown(%a: tensor<?xf32>) {
  // expected-error @+1 {{expected one of [match, one, run_time]}}
  %r = loom.map(%x = %a : tensor<?xf32>) attributes {kinds = [#loom.access<[perhaps]>]} -> tensor<?xf32> {
    loom.yield %x : f32
  }
  return
}

// -----

func.func @orderCount(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{'loom.transposed' op has an order of 1 axes for 'tensor<4x5xf32>' and 'tensor<5x4xf32>'; all must have the same number of axes}}
  %0 = loom.transposed %a order [0] : tensor<4x5xf32> -> tensor<5x4xf32>
  return
}

// -----

func.func @orderRank(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{has an order of 2 axes for 'tensor<4x5xf32>' and 'tensor<20xf32>'}}
  %0 = loom.transposed %a order [1, 0] : tensor<4x5xf32> -> tensor<20xf32>
  return
}

// -----

func.func @orderBeyond(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{has the order array<i64: 0, 7>, which is not each axis from 0 to 1 once}}
  %0 = loom.transposed %a order [0, 7] : tensor<4x5xf32> -> tensor<4x5xf32>
  return
}

// -----

func.func @orderTwice(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{has the order array<i64: 1, 1>, which is not each axis from 0 to 1 once}}
  %0 = loom.transposed %a order [1, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @orderNegative(%a: tensor<?xf32>) {
  // expected-error @+1 {{has the order array<i64: -1>, which is not each axis from 0 to 0 once}}
  %0 = loom.transposed %a order [-1] : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @orderElements(%a: tensor<?xf32>) {
  // expected-error @+1 {{reads elements of 'f32' but gives 'f64'}}
  %0 = loom.transposed %a order [0] : tensor<?xf32> -> tensor<?xf64>
  return
}

// -----

func.func @orderExtents(%a: tensor<4x?xf32>) {
  // expected-error @+1 {{axis 1 of the result has extent 5, but axis 0 of the source has 4}}
  %0 = loom.transposed %a order [1, 0] : tensor<4x?xf32> -> tensor<7x5xf32>
  return
}

// -----

func.func @launchSlots(%a: memref<?xf32>) {
  // expected-error @+1 {{'loom.launch' op has 1 results but 2 slots}}
  %0 = loom.launch (%a) slots [0, 1] : (memref<?xf32>) -> memref<?xf32> {
  ^bb0(%x: f32):
    loom.yield %x : f32
  }
  return
}

// -----

func.func @runSlots(%a: memref<?xf32>) {
  // expected-error @+1 {{'loom.run' op has 1 results but 0 slots}}
  %0 = loom.run @program(%a) slots [] : (memref<?xf32>) -> memref<?xf32>
  return
}

// -----

func.func @contiguousScalar(%a: f32) {
  // expected-error @+1 {{'loom.contiguous' op takes 'f32' and gives 'f32'; both must have a shape}}
  %0 = loom.contiguous %a : f32 -> f32
  return
}

// -----

func.func @contiguousElements(%a: tensor<4xf32>) {
  // expected-error @+1 {{makes 'tensor<4xi32>' of 'tensor<4xf32>'; it changes strides alone}}
  %0 = loom.contiguous %a : tensor<4xf32> -> tensor<4xi32>
  return
}

// -----

func.func @contiguousShape(%a: tensor<4xf32>) {
  // expected-error @+1 {{makes 'tensor<2x2xf32>' of 'tensor<4xf32>'; it changes strides alone}}
  %0 = loom.contiguous %a : tensor<4xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @allocExtents(%n: index) {
  // expected-error @+1 {{'loom.alloc' op has 1 extents for the 2 open ones of 'memref<?x3x?xf32>'}}
  %0 = loom.alloc(%n) : memref<?x3x?xf32>
  return
}

// -----

func.func @launchAxes(%a: memref<?x?xf32>) -> memref<?x1xf32> {
  // expected-error @+1 {{'loom.launch' op axes must be in order and within rank 2, but axis 2147483647 follows -1}}
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 2147483647>} : (memref<?x?xf32>) -> memref<?x1xf32> {
  ^bb0(%x: f32):
    %e = math.sin %x : f32
    %s = loom.reduce %e from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    loom.yield %s : f32
  }
  return %r : memref<?x1xf32>
}

// -----

// What is computed of a value and of the sum of its row.
func.func @launchAxesOrder(%a: memref<?x?xf32>, %n: memref<?x?xf32>) -> memref<?x?xf32> {
  // expected-error @+1 {{'loom.launch' op axes must be in order and within rank 2, but axis 0 follows 1}}
  %r = loom.launch(%a, %n) slots [-1] {axes = array<i64: 1, 0>} : (memref<?x?xf32>, memref<?x?xf32>) -> memref<?x?xf32> {
  ^bb0(%x: f32, %y: f32):
    %q = arith.mulf %x, %y : f32
    %s = loom.reduce %q from 0.0 : f32 : f32 -> f32 {
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      loom.yield %t : f32
    }
    %g = arith.divf %x, %s : f32
    loom.yield %g : f32
  }
  return %r : memref<?x?xf32>
}

// -----

func.func @launchAxesOfNoRank(%a: memref<*xf32>) -> memref<*xf32> {
  // expected-error @+1 {{'loom.launch' op reduces axes and needs results of known rank}}
  %r = loom.launch(%a) slots [-1] {axes = array<i64: 0>} : (memref<*xf32>) -> memref<*xf32> {
  ^bb0(%x: f32):
    loom.yield %x : f32
  }
  return %r : memref<*xf32>
}

// -----

func.func @copies(%x: memref<4xf64>) {
  // expected-error @+1 {{has 2 names for its 1 inputs}}
  loom.external_call "f"(%x) writes [] copies ["x", "y"] : (memref<4xf64>) -> ()
  return
}
