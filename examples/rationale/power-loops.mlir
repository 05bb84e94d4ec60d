// A loop bound that is no affine function of outer loops, 2 to the power of j: a
// call computes it, and the inner nest is a function of its own, where the bound
// is a symbol. It counts its iterations in 'count'. (Rationale: "Non-affine loop
// bounds")
func.func @outer_nest(%n: index, %count: memref<i64>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %c2 = arith.constant 2 : index
      %pow = func.call @pow(%c2, %j) : (index, index) -> index
      func.call @inner_nest(%pow, %n, %count) : (index, index, memref<i64>) -> ()
    }
  }
  return
}

func.func private @inner_nest(%m: index, %n: index, %count: memref<i64>) {
  %one = arith.constant 1 : i64
  affine.for %k = 0 to %m {
    affine.for %l = 0 to %n {
      %before = affine.load %count[] : memref<i64>
      %after = arith.addi %before, %one : i64
      affine.store %after, %count[] : memref<i64>
    }
  }
  return
}

func.func private @pow(%base: index, %exponent: index) -> index {
  %one = arith.constant 1 : index
  %power = affine.for %i = 0 to %exponent iter_args(%product = %one) -> (index) {
    %next = arith.muli %product, %base : index
    affine.yield %next : index
  }
  return %power : index
}
