// Functions are compiled on several threads, and two constants of one value are two
// operations, which share nothing. The code is the same for any number of threads.
// (Rationale: "Multithreading the compiler")
func.func @scale(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %two : f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  return
}

func.func @shift(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %two : f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  return
}

func.func @main(%a: memref<?xf32>) {
  call @scale(%a) : (memref<?xf32>) -> ()
  call @shift(%a) : (memref<?xf32>) -> ()
  return
}
