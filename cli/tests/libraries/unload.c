/* Opens a library, runs a parallel loop in it, frees the context and closes the library, again and again: nothing of it may stay, neither
   mappings nor threads. usage: unload LIBRARY */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GET(name) name = (name##_t)symbol(library, #name)

typedef void *(*futhark_context_config_new_t)(void);
typedef void (*futhark_context_config_free_t)(void *);
typedef void *(*futhark_context_new_t)(void *);
typedef void (*futhark_context_free_t)(void *);
typedef int (*futhark_context_sync_t)(void *);
typedef int (*futhark_entry_main_t)(void *, int64_t *, int64_t);

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

/* Lines of a file of /proc that have the text. */
static int lines(const char *path, const char *text) {
    FILE *file = fopen(path, "r");
    char line[4096];
    int found = 0;
    if (file == NULL) {
        exit(77);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        found += strstr(line, text) != NULL;
    }
    fclose(file);
    return found;
}

static int once(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    futhark_context_config_new_t GET(futhark_context_config_new);
    futhark_context_config_free_t GET(futhark_context_config_free);
    futhark_context_new_t GET(futhark_context_new);
    futhark_context_free_t GET(futhark_context_free);
    futhark_context_sync_t GET(futhark_context_sync);
    futhark_entry_main_t GET(futhark_entry_main);
    void *config = futhark_context_config_new();
    void *context = futhark_context_new(config);
    int64_t sum = 0;
    int status = futhark_entry_main(context, &sum, 1000000) | futhark_context_sync(context);
    futhark_context_free(context);
    futhark_context_config_free(config);
    if (status != 0 || sum != 1000000) {
        fprintf(stderr, "status %d, sum %lld\n", status, (long long)sum);
        return 1;
    }
    return dlclose(library);
}

int main(int count, char **arguments) {
    if (count < 2) {
        return 2;
    }
    for (int k = 0; k < 50; k++) {
        if (once(arguments[1]) != 0) {
            return 1;
        }
    }
    printf("%d mappings, %d threads\n", lines("/proc/self/maps", "unloaded.so"), lines("/proc/self/status", "Threads:\t1\n"));
    return 0;
}
