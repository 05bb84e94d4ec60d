// Functions take and return tuples: a call hands over their elements, one
// behind another. A cast makes a tuple of its elements, and takes it apart.

func.func private @swap(%t: tuple<f32, tensor<?xf32>>) -> tuple<tensor<?xf32>, f32> {
  %x, %v = builtin.unrealized_conversion_cast %t : tuple<f32, tensor<?xf32>> to f32, tensor<?xf32>
  %s = builtin.unrealized_conversion_cast %v, %x : tensor<?xf32>, f32 to tuple<tensor<?xf32>, f32>
  return %s : tuple<tensor<?xf32>, f32>
}

// Its arguments are a number, a vector, and another number.
func.func @main(%pair: tuple<f32, tuple<tensor<?xf32>, f32>>) -> tuple<tensor<?xf32>, f32> {
  %x, %v, %y = builtin.unrealized_conversion_cast %pair : tuple<f32, tuple<tensor<?xf32>, f32>> to f32, tensor<?xf32>, f32
  %sum = arith.addf %x, %y : f32
  %t = builtin.unrealized_conversion_cast %sum, %v : f32, tensor<?xf32> to tuple<f32, tensor<?xf32>>
  %r = call @swap(%t) : (tuple<f32, tensor<?xf32>>) -> tuple<tensor<?xf32>, f32>
  return %r : tuple<tensor<?xf32>, f32>
}
