// What `reference.c` takes from `more.c`.
#include "../reference.h"

// The arrays of `lbm`.
void lbm_start(void);
double lbm(void);
double option_pricing(void);
double locvolcalib(void);
