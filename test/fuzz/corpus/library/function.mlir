irdl.dialect @m {
  irdl.operation @o {
    %t = irdl.base "!builtin.tensor"
    irdl.operands(a: %t)
    irdl.results(r: %t)
  }
}
shape.function_library @l {
  shape.func @f(%a: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %n, %m = loom.extents %a, "{0} axes"
    %c = index.constant 2
    %k = index.floordivs %n, %c
    %h = index.cmp sge(%k, %m)
    loom.constraint %h, "{0} {1}"(%k, %m)
    %s = shape.from_extents %k, %m : index, index
    %t = loom.element_type %a
    shape.return %s, %t : !shape.shape, !loom.element_type
  }
} mapping { m.o = @f }
