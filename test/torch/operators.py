"""A call of each operator that the importer has a rule for, with inputs of any extents. Most are made of the
operator's own signature; the table has the others."""

import dataclasses

import torch
from broadloom.torch import _importer  # noqa: F401
from broadloom.torch._context import OPERATIONS


@dataclasses.dataclass
class Inputs:
    """Tensors of two extents, a and b."""

    x: torch.Tensor
    y: torch.Tensor
    z: torch.Tensor
    numbers: torch.Tensor
    others: torch.Tensor
    #: Valid indices of each axis that has an element.
    zeros: torch.Tensor
    holds: torch.Tensor
    either: torch.Tensor
    #: [a], in order, and [b].
    rows: torch.Tensor
    columns: torch.Tensor
    #: Of [a], as indices are.
    places: torch.Tensor
    #: [2, a, b], [1, 2, a, b] and [1, 2, 2, a, b].
    stack: torch.Tensor
    image: torch.Tensor
    volume: torch.Tensor


def make_inputs(a: int, b: int) -> Inputs:
    draw = torch.Generator().manual_seed(a * 16 + b)
    floats = lambda *shape: torch.rand(shape, generator=draw) + 0.5
    integers = lambda: torch.randint(1, 3, (a, b), generator=draw)
    booleans = lambda: torch.rand((a, b), generator=draw) > 0.5
    return Inputs(
        floats(a, b), floats(a, b), floats(a, b), integers(), integers(), torch.zeros(a, b, dtype=torch.long), booleans(), booleans(),
        floats(a).sort()[0], floats(b), torch.zeros(a, dtype=torch.long), floats(2, a, b), floats(1, 2, a, b), floats(1, 2, 2, a, b),
    )  # fmt: skip


ones, zeros = torch.ones, torch.zeros
_norm = lambda op, p, *more: op(p.stack.transpose(0, 1), None, None, zeros(2), ones(2), *more)
_square = lambda p: p.x @ p.x.t() + 2 * torch.eye(p.x.shape[0])
_joined = lambda u, s, v: (u[..., : s.shape[-1]] * s.unsqueeze(-2)) @ v[..., : s.shape[-1], :]
_of_square = lambda op, p: op(_square(p))
_bag = lambda op, p: op(p.x, p.places, torch.zeros(1, dtype=torch.long))[0]
CALLS = {
    "_adaptive_avg_pool2d.default": lambda op, p: op(p.image, [2, 1]),
    "_adaptive_avg_pool3d.default": lambda op, p: op(p.volume, [1, 2, 1]),
    "_assert_async.default": lambda op, p: (op((p.x > -1).all()), p.x)[1],
    "_assert_async.msg": lambda op, p: (op((p.x > -1).all(), "holds"), p.x)[1],
    "_cdist_forward.default": lambda op, p: op(p.x, p.y, 2.0, None),
    "_convolution.default": lambda op, p: op(
        p.image, ones(3, 2, 2, 1), None, [1, 2], [0, 1], [1, 1], False, [0, 0], 1, False, False, True, True
    ),
    "_embedding_bag.default": _bag,
    "_embedding_bag_forward_only.default": _bag,
    "_is_all_true.default": lambda op, p: (op(p.holds), op(p.x > 0), op(p.x > 3)),
    "_is_any_true.default": lambda op, p: (op(p.holds), op(p.x > 0), op(p.x > 3)),
    "_fused_rms_norm.default": lambda op, p: op(p.volume, [2, p.x.shape[0], p.x.shape[1]], None, 1e-5)[0],
    "_native_batch_norm_legit.no_stats": lambda op, p: op(p.stack.transpose(0, 1), None, None, True, 0.1, 1e-5)[0],
    "_native_batch_norm_legit_no_training.default": lambda op, p: _norm(op, p, 0.1, 1e-5)[0],
    "_reshape_alias.default": lambda op, p: op(p.x, p.x.shape, p.x.stride()),
    "_scaled_dot_product_attention_math.default": lambda op, p: op(p.image, p.image, p.image)[0],
    "_unsafe_index.Tensor": lambda op, p: op(p.x, [p.places]),
    "_unsafe_index_put.default": lambda op, p: op(p.x, [p.places], p.columns),
    "_unsafe_view.default": lambda op, p: op(p.x, [p.x.shape[1], p.x.shape[0]]),
    "adaptive_avg_pool1d.default": lambda op, p: op(p.stack, [2]),
    "adaptive_avg_pool2d.default": lambda op, p: op(p.image, [2, 1]),
    "adaptive_avg_pool3d.default": lambda op, p: op(p.volume, [1, 2, 1]),
    "adaptive_max_pool2d.default": lambda op, p: op(p.image, [2, 1]),
    "adaptive_max_pool3d.default": lambda op, p: op(p.volume, [1, 2, 1]),
    "addbmm.default": lambda op, p: op(p.columns, p.stack.transpose(1, 2), p.stack),
    "addmm.default": lambda op, p: op(p.columns, p.x.t(), p.y),
    "arange.default": lambda op, p: op(p.x.shape[0]),
    "arange.start": lambda op, p: op(0, p.x.shape[0]),
    "arange.start_step": lambda op, p: op(0, p.x.shape[0], 2),
    "argsort.stable": lambda op, p: op(p.x, stable=True),
    "avg_pool2d.default": lambda op, p: op(p.image, [2, 1], [1, 1], [1, 0]),
    "avg_pool3d.default": lambda op, p: op(p.volume, [1, 2, 1], [1, 1, 1], [0, 1, 0]),
    "baddbmm.default": lambda op, p: op(p.columns, p.stack.transpose(1, 2), p.stack),
    "batch_norm.default": lambda op, p: _norm(op, p, False, 0.1, 1e-5, False),
    "bmm.default": lambda op, p: op(p.stack, p.stack.transpose(1, 2)),
    "broadcast_to.default": lambda op, p: op(p.columns, p.x.shape),
    "bucketize.Scalar": lambda op, p: op(1.0, p.rows),
    "bucketize.Tensor": lambda op, p: op(p.x, p.rows),
    "_upsample_bicubic2d_aa.default": lambda op, p: op(p.image, [2, 3], False),
    "_upsample_bilinear2d_aa.default": lambda op, p: op(p.image, [2, 3], True),
    "as_strided.default": lambda op, p: op(p.x, [p.x.shape[0]], [p.x.shape[1]]),
    "as_strided_copy.default": lambda op, p: op(p.x, [p.x.shape[0]], [p.x.shape[1]]),
    "as_strided_scatter.default": lambda op, p: op(p.x, p.rows, [p.x.shape[0]], [p.x.shape[1]]),
    **dict.fromkeys(("view.dtype", "view_copy.dtype"), lambda op, p: op(p.x, torch.int32)),
    "index_reduce.default": lambda op, p: op(p.x, 0, p.places, p.y, "mean"),
    "max_unpool2d.default": lambda op, p: op(p.image, torch.zeros(1, 2, *p.x.shape, dtype=torch.long), [2, 3]),
    "max_unpool3d.default": lambda op, p: op(
        p.volume, torch.zeros(1, 2, 2, *p.x.shape, dtype=torch.long), [2, 3, 1], [1, 1, 1], [0, 0, 0]
    ),
    "chunk.default": lambda op, p: op(p.stack, 2),
    "clamp.Tensor": lambda op, p: op(p.x, p.y),
    "clamp.default": lambda op, p: op(p.x, 0.7),
    "clip.default": lambda op, p: op(p.x, 0.7),
    "_local_scalar_dense.default": lambda op, p: p.x * op(p.numbers.sum()),
    "_unique2.default": lambda op, p: op(p.numbers, True, True, True),
    "bincount.default": lambda op, p: (op(p.places), op(p.places, minlength=3)),
    "histc.default": lambda op, p: (op(p.x, 4, 0, 2), op(p.x, 3), op(p.x, 2, 1, 1)),
    "mode.default": lambda op, p: (op(p.numbers), op(p.numbers, 0, True)[0]),
    "nonzero.default": lambda op, p: (op(p.holds), op(p.x.sum())),
    "nonzero_numpy.default": lambda op, p: op(p.holds),
    "nonzero_static.default": lambda op, p: op(p.holds, size=5),
    "repeat_interleave.Tensor": lambda op, p: (op(p.places), op(p.numbers.flatten())),
    "unique_consecutive.default": lambda op, p: op(p.numbers, True, True),
    "unique_dim.default": lambda op, p: op(p.numbers, 1, True, True, True),
    **dict.fromkeys(
        (
            "inverse.default",
            "linalg_inv.default",
            "linalg_inv_ex.default",
            "cholesky.default",
            "linalg_cholesky.default",
            "linalg_cholesky_ex.default",
            "cholesky_inverse.default",
            "linalg_det.default",
            "det.default",
            "slogdet.default",
            "linalg_slogdet.default",
            "logdet.default",
            "linalg_lu.default",
            "linalg_lu_factor.default",
            "linalg_cond.default",
            "linalg_lu_factor_ex.default",
            "matrix_exp.default",
            "linalg_matrix_exp.default",
            "linalg_eigvalsh.default",
            "_lu_with_info.default",
        ),
        _of_square,
    ),
    "linalg_solve.default": lambda op, p: (op(_square(p), p.x), op(_square(p), p.x.t(), left=False)),
    "linalg_solve_ex.default": lambda op, p: op(_square(p), p.rows),
    "_linalg_solve_ex.default": lambda op, p: op(_square(p), p.x)[0],
    "linalg_solve_triangular.default": lambda op, p: (
        op(_square(p), p.x, upper=True),
        op(_square(p), p.x.t(), upper=False, left=False, unitriangular=True),
    ),
    "triangular_solve.default": lambda op, p: op(p.x, _square(p), False, True)[0],
    **dict.fromkeys(
        ("linalg_matrix_power.default", "matrix_power.default"),
        lambda op, p: (op(_square(p), 3), op(_square(p), 0), op(_square(p), -1)),
    ),
    "linalg_tensorinv.default": lambda op, p: op(_square(p), 1),
    "linalg_tensorsolve.default": lambda op, p: op(_square(p), p.rows),
    "cholesky_solve.default": lambda op, p: (op(p.x, _square(p)), op(p.x, _square(p), True)),
    "linalg_qr.default": lambda op, p: (op(p.x), op(p.x, "complete"), op(p.x, "r")),
    "qr.default": lambda op, p: op(p.x),
    "linalg_svd.default": lambda op, p: (_joined(*op(p.stack, False)), _joined(*op(p.stack))),
    "_linalg_svd.default": lambda op, p: (op(p.stack)[1], _joined(*op(p.stack, True))),
    "svd.default": lambda op, p: (lambda u, s, v: _joined(u, s, v.mT))(*op(p.stack)),
    **dict.fromkeys(
        ("linalg_eigh.default", "_linalg_eigh.default"),
        lambda op, p: (lambda s, v: (s, _joined(v, s, v.mT)))(*op(_square(p), "U")),
    ),
    "_linalg_check_errors.default": lambda op, p: (op(p.places.int(), "linalg.inv", is_matrix=False), p.x)[1],
    "_linalg_det.default": lambda op, p: op(_square(p))[0],
    "_linalg_slogdet.default": lambda op, p: op(_square(p))[:2],
    "lu_unpack.default": lambda op, p: op(*torch.ops.aten.linalg_lu_factor_ex(p.x)[:2]),
    "linalg_lu_solve.default": lambda op, p: [
        op(*torch.ops.aten.linalg_lu_factor_ex(_square(p))[:2], p.x if left else p.x.t(), left=left, adjoint=adjoint)
        for left in (True, False)
        for adjoint in (True, False)
    ],
    **dict.fromkeys(
        ("linalg_pinv.atol_rtol_tensor", "linalg_matrix_rank.atol_rtol_tensor"),
        lambda op, p: (op(_square(p)), op(_square(p), atol=ones(()) * 0.1, hermitian=True)),
    ),
    **dict.fromkeys(
        ("linalg_pinv.atol_rtol_float", "linalg_matrix_rank.atol_rtol_float"),
        lambda op, p: (op(p.stack, rtol=0.1), op(p.x, atol=0.1, rtol=0.01)),
    ),
    **dict.fromkeys(("linalg_pinv.default", "pinverse.default"), lambda op, p: op(p.x, 0.01)),
    **dict.fromkeys(
        ("linalg_pinv.rcond_tensor", "linalg_matrix_rank.tol_tensor"), lambda op, p: op(p.x, ones(()) * 0.1)
    ),
    "linalg_matrix_rank.default": lambda op, p: op(p.x, 0.1),
    "linalg_cond.p_str": lambda op, p: (op(_square(p), "fro"), op(_square(p), "nuc")),
    "mvlgamma.default": lambda op, p: op(p.x + 2, 3),
    "special_multigammaln.default": lambda op, p: op(p.x + 2, 3),
    **dict.fromkeys(("polygamma.default", "special_polygamma.default"), lambda op, p: op(2, p.x)),
    "special_zeta.default": lambda op, p: op(p.x + 1, p.y),
    "special_zeta.self_scalar": lambda op, p: op(2.5, p.y),
    "special_zeta.other_scalar": lambda op, p: op(p.x + 1, 1.5),
    "constant_pad_nd.default": lambda op, p: op(p.x, [1, 2, -1, 1]),
    "conv1d.default": lambda op, p: op(p.stack.transpose(0, 1), ones(3, 2, 2)),
    "conv2d.default": lambda op, p: op(p.image, ones(3, 2, 2, 1)),
    "conv3d.default": lambda op, p: op(p.volume, ones(3, 2, 1, 2, 1)),
    "convolution.default": lambda op, p: op(p.image, ones(3, 2, 2, 1), None, [1, 2], [0, 1], [1, 1], False, [0, 0], 1),
    "diagonal_scatter.default": lambda op, p: op(p.x, torch.diagonal(p.y)),
    "div.Scalar_mode": lambda op, p: op(p.x, 2, rounding_mode="floor"),
    "div.Tensor_mode": lambda op, p: op(p.x, p.y, rounding_mode="trunc"),
    "dot.default": lambda op, p: op(p.rows, p.rows),
    "dropout.default": lambda op, p: op(p.x, 0.5, False),
    "embedding.default": lambda op, p: op(p.x, p.zeros),
    "empty.memory_format": lambda op, p: op([p.x.shape[0], 0]),
    "expand.default": lambda op, p: op(p.columns, p.x.shape),
    "expand_copy.default": lambda op, p: op(p.columns, p.x.shape),
    "full.default": lambda op, p: op(p.x.shape, 2.0),
    "gather.default": lambda op, p: op(p.x, 1, p.zeros),
    "group_norm.default": lambda op, p: op(p.image, 2),
    "index.Tensor": lambda op, p: op(p.x, [p.places]),
    "index_add.default": lambda op, p: op(p.x, 0, p.places, p.y),
    "index_copy.default": lambda op, p: op(p.x, 0, p.places, torch.ones_like(p.y)),
    "index_fill.int_Scalar": lambda op, p: op(p.x, 0, p.places, 2.0),
    "index_fill.int_Tensor": lambda op, p: op(p.x, 0, p.places, ones(())),
    "index_put.default": lambda op, p: op(p.x, [p.places], p.columns),
    "index_select.default": lambda op, p: op(p.x, 0, p.places),
    "layer_norm.default": lambda op, p: op(p.x, [p.x.shape[1]]),
    "linear.default": lambda op, p: op(p.x, p.y),
    "masked_fill.Tensor": lambda op, p: op(p.x, p.holds, ones(())),
    "masked_scatter.default": lambda op, p: op(p.x, p.holds, p.y),
    "matmul.default": lambda op, p: op(p.x, p.y.t()),
    "max_pool2d.default": lambda op, p: op(p.image, [2, 1], [1, 1], [1, 0]),
    "max_pool2d_with_indices.default": lambda op, p: op(p.image, [2, 1], [1, 1], [1, 0]),
    "max_pool3d.default": lambda op, p: op(p.volume, [1, 2, 1], [1, 1, 1], [0, 1, 0]),
    "max_pool3d_with_indices.default": lambda op, p: op(p.volume, [1, 2, 1], [1, 1, 1], [0, 1, 0]),
    "mm.default": lambda op, p: op(p.x, p.y.t()),
    "mv.default": lambda op, p: op(p.x, p.columns),
    "narrow.default": lambda op, p: op(p.stack, 0, 1, 1),
    "native_batch_norm.default": lambda op, p: _norm(op, p, False, 0.1, 1e-5)[0],
    **dict.fromkeys(
        ("grid_sampler.default", "grid_sampler_2d.default"),
        lambda op, p: op(p.image, p.image.permute(0, 2, 3, 1), 0, 0, False),
    ),
    "grid_sampler_3d.default": lambda op, p: op(
        p.image[:, :, None], p.image.permute(0, 2, 3, 1)[:, None].repeat(1, 1, 1, 1, 2)[..., :3], 0, 0, False
    ),
    "native_group_norm.default": lambda op, p: op(p.image, None, None, 1, 2, p.x.shape[0] * p.x.shape[1], 2, 1e-5)[0],
    "native_layer_norm.default": lambda op, p: op(p.x, [p.x.shape[1]], None, None, 1e-5)[0],
    "empty_like.default": lambda op, p: op(p.x).shape[0] + p.x,
    "new_empty.default": lambda op, p: op(p.x, [p.x.shape[0], 0]),
    "one_hot.default": lambda op, p: op(p.zeros, 3),
    "pad.default": lambda op, p: op(p.x, [1, 2, -1, 1]),
    "put.default": lambda op, p: op(p.x, p.places, p.rows),
    "reflection_pad1d.default": lambda op, p: op(p.stack, [1, 1]),
    "reflection_pad2d.default": lambda op, p: op(p.image, [1, 1, 0, 1]),
    "reflection_pad3d.default": lambda op, p: op(p.volume, [1, 1, 0, 1, 1, 0]),
    "replication_pad1d.default": lambda op, p: op(p.stack, [1, 2]),
    "replication_pad2d.default": lambda op, p: op(p.image, [1, 2, 0, 1]),
    "replication_pad3d.default": lambda op, p: op(p.volume, [1, 2, 0, 1, 1, 0]),
    "reshape.default": lambda op, p: op(p.x, [p.x.shape[1], p.x.shape[0]]),
    "rms_norm.default": lambda op, p: op(p.x, [p.x.shape[1]], None, 1e-5),
    "roll.default": lambda op, p: (op(p.x, [1]), op(p.x, [1, -2], [0, 1])),
    "scaled_dot_product_attention.default": lambda op, p: op(p.image, p.image, p.image),
    "scatter.reduce": lambda op, p: op(p.x, 1, p.zeros, p.y, reduce="add"),
    "scatter.src": lambda op, p: op(p.x, 1, p.zeros, p.y),
    "scatter.value": lambda op, p: op(p.x, 1, p.zeros, 2.0),
    "scatter.value_reduce": lambda op, p: op(p.x, 1, p.zeros, 2.0, reduce="multiply"),
    "scatter_add.default": lambda op, p: op(p.x, 1, p.zeros, p.y),
    "scatter_reduce.two": lambda op, p: (
        op(p.x, 1, p.zeros, p.y, "amax"),
        op(p.x, 1, p.zeros, p.y, "mean", include_self=False),
    ),
    "searchsorted.Scalar": lambda op, p: op(p.rows, 1.0),
    "searchsorted.Tensor": lambda op, p: op(p.rows, p.y),
    "select_scatter.default": lambda op, p: op(p.stack, p.y, 0, 1),
    "slice_scatter.default": lambda op, p: op(p.x, p.y),
    "sort.stable": lambda op, p: op(p.x, stable=True),
    "split.Tensor": lambda op, p: op(p.stack, 1),
    "split.sizes": lambda op, p: op(p.stack, [1, 1]),
    "split_with_sizes.default": lambda op, p: op(p.stack, [1, 1]),
    "split_with_sizes_copy.default": lambda op, p: op(p.stack, [1, 1]),
    "squeeze.dim": lambda op, p: op(p.image, 0),
    "squeeze.dims": lambda op, p: op(p.image, [0]),
    "tensor_split.sections": lambda op, p: op(p.stack, 2),
    "unbind.int": lambda op, p: op(p.stack),
    "unflatten.int": lambda op, p: op(p.stack, 0, [2, 1]),
    "upsample_bilinear2d.vec": lambda op, p: op(p.image, None, False, [2.0, 1.5]),
    "upsample_linear1d.vec": lambda op, p: op(p.stack, None, False, [2.0]),
    "upsample_nearest2d.vec": lambda op, p: op(p.image, None, [2.0, 1.0]),
    "upsample_trilinear3d.vec": lambda op, p: op(p.volume, None, False, [1.0, 2.0, 1.0]),
    "view.default": lambda op, p: op(p.x, [p.x.shape[1], p.x.shape[0]]),
    "prims.convert_element_type.default": lambda op, p: op(p.x, torch.long),
    "prims.iota.default": lambda op, p: op(
        p.x.shape[0], start=0, step=1, dtype=torch.long, device="cpu", requires_grad=False
    ),
    "view_copy.default": lambda op, p: op(p.x, [p.x.shape[1], p.x.shape[0]]),
}
#: What eager mode on the processor does not call with these extents: noise of modules in training mode, other devices, complex
#: numbers, a function of a dozen weights, which test_encoders.py has, and one that ends the process where an extent is 0.
ELSEWHERE = {
    "_conj.default",
    "_grouped_mm.default",
    "cudnn_batch_norm.default",
    "rrelu_with_noise.default",
    "rrelu_with_noise_functional.default",
    "_transformer_encoder_layer_fwd.default",
    "_scaled_dot_product_flash_attention_for_cpu.default",
    # test_recurrent.py has them.
    *(f"{kind}.input" for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu")),
    *(f"{kind}_cell.default" for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu")),
    *(f"broadloom.{kind}.default" for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu")),
    *(f"broadloom.{kind}_cell.default" for kind in ("lstm", "gru", "rnn_tanh", "rnn_relu")),
    # torch.export itself does not take them.
    "_batch_norm_no_update.default",
    "_upsample_bicubic2d_aa.vec",
    "_upsample_bilinear2d_aa.vec",
    "_index_put_impl_.default",
    "_trilinear.default",
    # Eager mode refuses them here: eigenvalues that are complex are refused by both.
    "linalg_eig.default",
    "linalg_eigvals.default",
    "_linalg_eigvals.default",
}


#: Of these PyTorch traces not all extents at once: what it notes of them is checked, and keeps others from being called.
APART = (
    "aten._safe_softmax.default",
    "aten.lift_fresh.default",
    "aten.lift_fresh_copy.default",
    "aten.scaled_dot_product_attention.default",
    "aten.linalg_matrix_rank.atol_rtol_tensor",
    "aten.linalg_pinv.atol_rtol_tensor",
)
#: torch.export does not take them with open extents, or has one rank for all of these.
NOT_OPEN = (
    "aten._fused_rms_norm.default",
    "aten._linalg_svd.default",
    "aten._scaled_dot_product_attention_math.default",
    "aten.as_strided_scatter.default",
    "aten.linalg_solve_triangular.default",
    "aten.linalg_svd.default",
    "aten.linalg_tensorinv.default",
    "aten.squeeze.default",
    "aten.svd.default",
)
#: What eager mode refuses of them has no element.
EMPTY = (
    "aten.group_norm.default",
    "aten.native_group_norm.default",
    "aten._native_batch_norm_legit.no_stats",
    "aten.unique_dim.default",
)


def find_operator(target: str):
    """The operator; None for a name that PyTorch has not."""
    space, name, overload = target.split(".")
    try:
        return getattr(getattr(getattr(torch.ops, space), name), overload)
    except AttributeError:
        return None


def _fill(operator, floats, integers, p: Inputs):
    """Arguments of the operator's types."""
    tensors = iter(floats)
    given = []
    for argument in operator._schema.arguments:
        if argument.has_default_value() or argument.kwarg_only:
            continue
        match str(argument.type):
            case "Tensor":
                given.append(next(tensors))
            case "List[Tensor]":
                given.append([p.x, p.y])
            case "List[int]":
                given.append([1, 0])
            case "int":
                given.append(1)
            case "number" | "Scalar" | "float":
                given.append(2)
            case "bool":
                given.append(False)
            case _:
                given.append(None)
    return given


def find_call(target: str):
    """A function of Inputs that calls the operator; None where the table must have one."""
    operator, name = find_operator(target), target.removeprefix("aten.")
    if name in CALLS:
        call = CALLS[name]
        return lambda p: call(operator, p)
    for pick in (
        lambda p: (p.x, p.y, p.z, p.x),
        lambda p: (p.numbers, p.others, p.numbers),
        lambda p: (p.holds, p.either, p.holds),
    ):
        function = lambda p, pick=pick: operator(*_fill(operator, pick(p), None, p))
        try:
            function(make_inputs(3, 4))
        except Exception:
            continue
        return function
    return None


def known_targets() -> list[str]:
    """The operators that there are."""
    found = (t for t in OPERATIONS if not t.startswith(("higher_order.", "quantized_decomposed.")))
    return sorted(t for t in found if find_operator(t) is not None and t.removeprefix("aten.") not in ELSEWHERE)
