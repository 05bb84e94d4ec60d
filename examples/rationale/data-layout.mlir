// A program brings its data layout along, which is compared with that of the
// machine. Vectors in memory are their numbers, without padding: three of i64
// take 24 bytes. (Rationale: "Data layout of non-primitive types")
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 64 : i64, i64 = dense<64> : vector<2xi64>>} {
  func.func @scale(%points: memref<?xvector<3xi64>>, %by: i64) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %points, %c0 : memref<?xvector<3xi64>>
    %factors = vector.broadcast %by : i64 to vector<3xi64>
    affine.for %i = 0 to %n {
      %point = affine.load %points[%i] : memref<?xvector<3xi64>>
      %scaled = arith.muli %point, %factors : vector<3xi64>
      affine.store %scaled, %points[%i] : memref<?xvector<3xi64>>
    }
    return
  }
}
