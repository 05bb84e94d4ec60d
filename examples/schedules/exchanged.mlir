module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%program: !transform.any_op) {
    %i, %j = transform.loom.nest @wave 0 : 2
    %j2, %i2 = transform.loom.interchange %i, %j to [1, 0]
    transform.yield
  }
}
