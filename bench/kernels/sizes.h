// How much data the ten kernels get.
enum { VECTOR = 10000000, PRODUCT = 1024, PLATE = 512, STEPS = 1000, IMAGE = 4096, ALIGN = 2048, BINS = 1024, LONG = 40000000 };
