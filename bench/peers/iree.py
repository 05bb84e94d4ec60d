"""IREE through its runtime, the result in memory that is there before the call
(iree.abi.output). Dynamic types keep the extents 1, which it needs to know."""

import importlib.metadata

import arrays as memory
import iree.compiler
import iree.runtime
import iree.runtime.flags
import tosa_text

from peers import PythonPeer

FLAGS = [
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
    "--iree-input-type=tosa",
    "--iree-llvmcpu-enable-ukernels=default",
]


class Peer(PythonPeer):
    def __init__(self, threads, fresh, mode):
        self.fresh, self.mode = fresh, mode
        self.version = f"IREE {importlib.metadata.version('iree-base-compiler')}"
        driver = "local-sync"
        if threads > 1:
            driver = "local-task"
            iree.runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
        self.config = iree.runtime.Config(driver)

    def prepare(self, case, arrays):
        text = tosa_text.program(
            case, self.mode, strided=False, output="" if self.fresh else "iree.abi.output = 0 : index"
        )
        code = iree.compiler.compile_str(text, target_backends=["llvm-cpu"], extra_args=FLAGS)
        instance = self.config.vm_instance
        module = iree.runtime.VmModule.copy_buffer(instance, code)
        context = iree.runtime.VmContext(instance, [*self.config.default_vm_modules, module])
        function = module.lookup_function("main")
        device = self.config.device
        self.out = None if self.fresh else iree.runtime.asdevicearray(device, memory.empty(case.shape, case.dtype))
        operands = [iree.runtime.asdevicearray(device, a) for a in arrays]
        inputs = iree.runtime.VmVariantList(len(arrays) + 1)
        for operand in operands if self.fresh else [*operands, self.out]:
            inputs.push_ref(operand._buffer_view)
        self.keep = module, context, operands

        def call():
            self.results = iree.runtime.VmVariantList(1)
            context.invoke(function, inputs, self.results)

        self.call = call

    def result(self):
        if not self.fresh:
            return self.out.to_host()
        view = self.results.get_as_object(0, iree.runtime.HalBufferView)
        return iree.runtime.DeviceArray(self.config.device, view, implicit_host_transfer=True).to_host()

    def release(self):
        super().release()
        self.keep = self.out = self.results = None
