/* Written by FUN: Futhark's C interface to the entry points of a program. What functions do, and who frees what, is in
   docs/libraries.md. Functions that can fail give 0, or a code and a text from futhark_context_get_error; or NULL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FUTHARK_BACKEND_c
#define FUTHARK_SUCCESS 0
#define FUTHARK_PROGRAM_ERROR 2
#define FUTHARK_OUT_OF_MEMORY 3

/* Configurations: made first, freed after their context. */
struct futhark_context_config;
struct futhark_context_config *futhark_context_config_new(void);
void futhark_context_config_free(struct futhark_context_config *cfg);
void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n);
void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname);
int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value);
int futhark_get_tuning_param_count(void);
const char *futhark_get_tuning_param_name(int i);
const char *futhark_get_tuning_param_class(int i);

/* Contexts: what all other functions work in. Several threads may use one at once. */
struct futhark_context;
struct futhark_context *futhark_context_new(struct futhark_context_config *cfg);
void futhark_context_free(struct futhark_context *ctx);
int futhark_context_sync(struct futhark_context *ctx);
int futhark_context_clear_caches(struct futhark_context *ctx);
char *futhark_context_get_error(struct futhark_context *ctx);
char *futhark_context_report(struct futhark_context *ctx);
void futhark_context_pause_profiling(struct futhark_context *ctx);
void futhark_context_unpause_profiling(struct futhark_context *ctx);
void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f);

/* Of our own: a limit for the memory of arrays and a call together, 0 for none; bytes that were copied between the caller's memory and
   the library's; bytes in arrays now, and in arrays and calls at most. */
void fun_context_config_set_memory_limit(struct futhark_context_config *cfg, uint64_t bytes);
uint64_t fun_context_copied_bytes(struct futhark_context *ctx);
uint64_t fun_context_bytes(struct futhark_context *ctx);
uint64_t fun_context_peak_bytes(struct futhark_context *ctx);

/* Of our own: a call that goes on while its caller does something else, and whether it has ended. */
struct fun_call;
bool fun_call_is_done(const struct fun_call *call);

/* Arrays, and opaque values. */
/* TYPES */

/* FUNCTIONS */

#ifdef __cplusplus
}
#endif
