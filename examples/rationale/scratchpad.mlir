// A copy to memory of another space by a function that is not part of the
// program: here the C library's memcpy, elsewhere a DMA. (Rationale:
// "Read/Write/May_Read/May_Write sets for external functions")
func.func private @memcpy(memref<1024xf32, 1>, memref<1024xf32>, i64)
    attributes {loom.effects = @effects_of_memcpy}

func.func private @effects_of_memcpy(%to: memref<1024xf32, 1>, %from: memref<1024xf32>, %bytes: i64) {
  %size = arith.index_cast %bytes : i64 to index
  affine.for %i = 0 to affine_map<()[bytes] -> (bytes ceildiv 4)>()[%size] {
    %value = affine.load %from[%i] : memref<1024xf32>
    affine.store %value, %to[%i] : memref<1024xf32, 1>
  }
  return
}

// The sum of squares of the first n elements, from the scratchpad.
func.func @sum_of_squares(%a: memref<1024xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4 : i64
  %pad = memref.alloc() : memref<1024xf32, 1>
  %count = arith.index_cast %n : index to i64
  %bytes = arith.muli %count, %four : i64
  call @memcpy(%pad, %a, %bytes) : (memref<1024xf32, 1>, memref<1024xf32>, i64) -> ()
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> f32 {
    %x = affine.load %pad[%i] : memref<1024xf32, 1>
    %y = arith.mulf %x, %x : f32
    %t = arith.addf %s, %y : f32
    affine.yield %t : f32
  }
  memref.dealloc %pad : memref<1024xf32, 1>
  return %sum : f32
}
