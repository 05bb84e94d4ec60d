shape.function_library @l {
  shape.func @f(%a: tensor<?x!shape.value_shape>) -> !shape.shape {
    %0 = index.constant 0
    %1 = index.constant 1
    %n = tensor.dim %a, %0 : tensor<?x!shape.value_shape>
    %x = tensor.extract %a[%0] : tensor<?x!shape.value_shape>
    %s = shape.shape_of %x : !shape.value_shape -> !shape.shape
    %r = scf.for %i = %1 to %n step %1 iter_args(%t = %s) -> (!shape.shape) {
      %y = tensor.extract %a[%i] : tensor<?x!shape.value_shape>
      %u = shape.shape_of %y : !shape.value_shape -> !shape.shape
      %v = shape.broadcast %t, %u : !shape.shape, !shape.shape -> !shape.shape
      scf.yield %v : !shape.shape
    }
    shape.return %r : !shape.shape
  }
} mapping { tosa.custom = @f }
