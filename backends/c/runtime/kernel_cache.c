/* What compilers made of the kernels, on disk: a file for each text of kernels, device, driver and options. A file says all of these
   itself, with a hash of what it holds, so that one that is of something else, cut short or spoilt is as good as none. Nothing here
   fails: a program whose file can't be read or written compiles its kernels. */

#include <fcntl.h>
#include <sys/stat.h>

struct fun_kernel_file {
    char magic[8];
    /* bytes of the parts that follow: what the code is for, the text of the kernels, the code */
    uint64_t purpose, text, code;
    /* of all three parts */
    uint64_t hash;
};
static const char fun_kernel_magic[8] = "FUNKERN1";

/* FNV-1a, from what it is before these bytes. */
static uint64_t fun_kernel_hash(uint64_t hash, const void *bytes, uint64_t count) {
    for (uint64_t k = 0; k < count; k++) {
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3;
    }
    return hash;
}

/* Says, before the device is opened, in which file its code is kept; elsewhere than usual, and also where the usual folder is not wanted. */
FUN_RUNTIME void fun_keep_kernels_in(const char *path) {
    pthread_mutex_lock(&fun_device_mutex);
    free(fun_device_state.kernel_file);
    fun_device_state.kernel_file = path == NULL ? NULL : strdup(path);
    pthread_mutex_unlock(&fun_device_mutex);
}

/* Makes the folders above a path, for this user alone: code is loaded from there. */
static void fun_kernel_folders(char *path) {
    for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
}

/* The path of the file for a purpose; none where FUN_KERNEL_CACHE is `off`, and for who has no home. */
static bool fun_kernel_path(const char *purpose, char *path, size_t room) {
    if (fun_device_state.kernel_file != NULL) {
        return (size_t)snprintf(path, room, "%s", fun_device_state.kernel_file) < room;
    }
    const char *wanted = getenv("FUN_KERNEL_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (wanted != NULL && strcmp(wanted, "off") == 0) {
        return false;
    }
    uint64_t names[2] = {0xcbf29ce484222325, 0x9e3779b97f4a7c15};
    for (uint32_t k = 0; k < 2; k++) {
        names[k] = fun_kernel_hash(names[k], purpose, strlen(purpose) + 1);
        names[k] = fun_kernel_hash(names[k], fun_kernel_text, strlen(fun_kernel_text));
    }
    const bool own = caches != NULL && *caches == '/';
    if (!own && (home == NULL || *home != '/')) {
        return false;
    }
    return (size_t)snprintf(path, room, "%s%s/fun/c/%016llx%016llx.kernels", own ? caches : home, own ? "" : "/.cache",
        (unsigned long long)names[0], (unsigned long long)names[1]) < room;
}

/* The code that is kept for this purpose, of so many bytes, and a zero behind them; NULL where there is none. */
static char *fun_kept_kernels(const char *purpose, size_t *bytes) {
    char path[4096];
    FILE *file = fun_kernel_path(purpose, path, sizeof path) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return NULL;
    }
    struct stat about = {0};
    struct fun_kernel_file head;
    const uint64_t purposes = strlen(purpose), texts = strlen(fun_kernel_text);
    char *parts = NULL, *code = NULL;
    /* lengths are compared before anything is allocated or added up */
    if (fstat(fileno(file), &about) == 0 && fread(&head, sizeof head, 1, file) == 1 &&
        memcmp(head.magic, fun_kernel_magic, sizeof head.magic) == 0 && head.purpose == purposes && head.text == texts &&
        head.code > 0 && head.code < (uint64_t)about.st_size &&
        (uint64_t)about.st_size == sizeof head + purposes + texts + head.code) {
        parts = calloc(1, purposes + texts + head.code + 1);
    }
    if (parts != NULL && fread(parts, purposes + texts + head.code, 1, file) == 1 && memcmp(parts, purpose, purposes) == 0 &&
        memcmp(parts + purposes, fun_kernel_text, texts) == 0 &&
        fun_kernel_hash(0, parts, purposes + texts + head.code) == head.hash) {
        code = parts;
        *bytes = head.code;
        memmove(code, parts + purposes + texts, head.code + 1);
    } else {
        free(parts);
    }
    fclose(file);
    return code;
}

/* Keeps code: the file is there whole or not at all. */
static void fun_keep_kernels(const char *purpose, const char *code, size_t bytes) {
    char path[4096], part[sizeof path + 8];
    if (bytes == 0 || !fun_kernel_path(purpose, path, sizeof path)) {
        return;
    }
    if (fun_device_state.kernel_file == NULL) {
        fun_kernel_folders(path);
    }
    snprintf(part, sizeof part, "%s.XXXXXX", path);
    const int number = mkstemp(part);
    FILE *file = number < 0 ? NULL : fdopen(number, "wb");
    if (file == NULL) {
        return;
    }
    struct fun_kernel_file head = {.purpose = strlen(purpose), .text = strlen(fun_kernel_text), .code = bytes};
    memcpy(head.magic, fun_kernel_magic, sizeof head.magic);
    head.hash = fun_kernel_hash(fun_kernel_hash(fun_kernel_hash(0, purpose, head.purpose), fun_kernel_text, head.text), code, bytes);
    bool whole = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(purpose, head.purpose, 1, file) == 1 &&
        fwrite(fun_kernel_text, head.text, 1, file) == 1 && fwrite(code, bytes, 1, file) == 1;
    whole &= fclose(file) == 0;
    if (!whole || rename(part, path) != 0) {
        unlink(part);
    }
}
