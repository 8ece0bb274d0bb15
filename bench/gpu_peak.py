"""How many floating-point operations a second a GPU does at most, by CUDA: threads that do nothing but fused multiply-adds of f32, eight chains
each, for as long as takes some milliseconds. It needs what FUN needs: libcuda.so.1 and libnvrtc.so.13 or .12.

usage: gpu_peak.py      (prints GFLOP/s of the best of some runs; exit status 1 and why not where it can't be measured)"""

import ctypes
import sys

CHAINS, STEPS, THREADS = 8, 16, 256
# What an operation takes is hidden by that of other chains and threads; the sum is written, so that nothing can be left out.
TEXT = f"""
extern "C" __global__ void fma_chains(float *to, float a, float b, int rounds) {{
    float x[{CHAINS}];
    for (int k = 0; k < {CHAINS}; k++) x[k] = (float)(threadIdx.x + k);
    for (int round = 0; round < rounds; round++) {{
#pragma unroll
        for (int step = 0; step < {STEPS}; step++) {{
#pragma unroll
            for (int k = 0; k < {CHAINS}; k++) x[k] = fmaf(x[k], a, b);
        }}
    }}
    float sum = 0;
    for (int k = 0; k < {CHAINS}; k++) sum += x[k];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}}
"""
MAJOR, MINOR, PROCESSORS = 75, 76, 16


def library(*names):
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    sys.exit(f"no {names[0]}")


def ask(function, *arguments):
    status = function(*arguments)
    if status != 0:
        sys.exit(f"{function.__name__} fails with error {status}")


def machine_code(architecture):
    """The kernel, compiled for a device."""
    nvrtc = library("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
    program, length = ctypes.c_void_p(), ctypes.c_size_t()
    ask(nvrtc.nvrtcCreateProgram, ctypes.byref(program), TEXT.encode(), b"peak.cu", 0, None, None)
    option = ctypes.c_char_p(f"--gpu-architecture=sm_{architecture}".encode())
    ask(nvrtc.nvrtcCompileProgram, program, 1, ctypes.byref(option))
    ask(nvrtc.nvrtcGetCUBINSize, program, ctypes.byref(length))
    code = ctypes.create_string_buffer(length.value)
    ask(nvrtc.nvrtcGetCUBIN, program, code)
    return code


def main():
    cuda = library("libcuda.so.1")
    ask(cuda.cuInit, 0)
    device, context, value = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
    ask(cuda.cuDeviceGet, ctypes.byref(device), 0)

    def attribute(number):
        ask(cuda.cuDeviceGetAttribute, ctypes.byref(value), number, device)
        return value.value

    ask(cuda.cuDevicePrimaryCtxRetain, ctypes.byref(context), device)
    ask(cuda.cuCtxSetCurrent, context)
    module, kernel, block = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    code = machine_code(attribute(MAJOR) * 10 + attribute(MINOR))
    ask(cuda.cuModuleLoadData, ctypes.byref(module), code)
    ask(cuda.cuModuleGetFunction, ctypes.byref(kernel), module, b"fma_chains")
    blocks = 8 * attribute(PROCESSORS)
    ask(cuda.cuMemAlloc_v2, ctypes.byref(block), ctypes.c_size_t(4 * blocks * THREADS))
    begin, end = ctypes.c_void_p(), ctypes.c_void_p()
    for event in begin, end:
        ask(cuda.cuEventCreate, ctypes.byref(event), 0)

    def milliseconds(rounds):
        values = [block, ctypes.c_float(0.999), ctypes.c_float(0.001), ctypes.c_int(rounds)]
        pointers = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
        ask(cuda.cuEventRecord, begin, None)
        ask(cuda.cuLaunchKernel, kernel, blocks, 1, 1, THREADS, 1, 1, 0, None, pointers, None)
        ask(cuda.cuEventRecord, end, None)
        ask(cuda.cuEventSynchronize, end)
        taken = ctypes.c_float()
        ask(cuda.cuEventElapsedTime, ctypes.byref(taken), begin, end)
        return taken.value

    rounds = 1
    while milliseconds(rounds) < 5:
        rounds *= 2
    best = min(milliseconds(rounds) for _ in range(10))
    print(f"{2 * CHAINS * STEPS * rounds * blocks * THREADS / best / 1e6:.0f}")


main()
