/* The command line of executables and servers. Options, messages and exit statuses are those of Futhark's. */

#include <errno.h>
#include <getopt.h>
#include <time.h>

/* What the command line asks for. */
struct fun_options {
    const char *program;
    const char *entry;
    FILE *times;
    /* zero: once, without a run before */
    int runs;
    bool binary, quiet;
};

static const char *const fun_usage =
    "Options:\n\n"
    "  -t/--write-runtime-to FILE Write the time of each run to this file, in microseconds, one a line.\n"
    "  -r/--runs INT              Run so many times, after a run to warm up.\n"
    "  -D/--debugging             Tell of allocations, and of the peak of memory.\n"
    "  -L/--log                   Tell of allocations.\n"
    "  -P/--profile               Accepted; there is nothing to collect.\n"
    "  -e/--entry-point NAME      The entry point to run; main when absent.\n"
    "  -b/--binary-output         Write the results in the binary format.\n"
    "  -n/--no-print-result       Write no results.\n"
    "  -h/--help                  Print this and exit.\n"
    "  --print-params             Print the tuning parameters that --param and --tuning can set.\n"
    "  --param ASSIGNMENT         Set a tuning parameter: NAME=INT.\n"
    "  --tuning FILE              Set the tuning parameters in this file, NAME=INT on each line.\n"
    "  --cache-file FILE          Keep compiled kernels in this file.\n"
    "  --num-threads INT          Use so many threads; as many as there are processors when absent.\n";

__attribute__((format(printf, 3, 4), noreturn)) static void fun_end(
    const struct fun_options *options, int status, const char *format, ...) {
    fflush(stdout);
    fprintf(stderr, "%s: ", options->program);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

/* Ends with the context's last error. */
__attribute__((noreturn)) FUN_HELPER void fun_end_with_error(const struct fun_options *options, struct futhark_context *ctx) {
    char *error = futhark_context_get_error(ctx);
    fun_end(options, 1, "%s", error == NULL ? "Error: no memory" : error);
}

/* A context; ends where there is no memory for it, or no device for the program. */
static struct futhark_context *fun_begin(const struct fun_options *options, struct futhark_context_config *config) {
    struct futhark_context *ctx = futhark_context_new(config);
    if (ctx == NULL) {
        fun_end(options, 1, "Error: no memory");
    }
    if (ctx->error != NULL) {
        fun_end_with_error(options, ctx);
    }
    return ctx;
}

/* The name and the number of `name = number`; false where it is nothing of the kind. Cuts the text behind the name. */
static bool fun_split_assignment(char *text, char **name, long long *value) {
    char *equals = strchr(text, '='), *end;
    if (equals == NULL) {
        return false;
    }
    *name = text + strspn(text, " \t");
    *value = strtoll(equals + 1, &end, 10);
    const bool whole = end != equals + 1 && end[strspn(end, " \t\r\n")] == '\0';
    while (equals > *name && (equals[-1] == ' ' || equals[-1] == '\t')) {
        equals--;
    }
    *equals = '\0';
    return whole;
}

/* Sets a tuning parameter. */
static void fun_set_parameter(const struct fun_options *options, struct futhark_context_config *config, char *assignment) {
    char *name = assignment;
    long long value;
    if (!fun_split_assignment(assignment, &name, &value)) {
        fun_end(options, 1, "Invalid argument for size option: %s", assignment);
    }
    if (futhark_context_config_set_tuning_param(config, name, (size_t)value) != 0) {
        fun_end(options, 1, "Unknown size: %s", name);
    }
}

/* Sets the tuning parameters in a file; lines may be blank or comments. */
static void fun_read_parameters(const struct fun_options *options, struct futhark_context_config *config, const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fun_end(options, 1, "When loading tuning file '%s': Cannot open file: %s", path, strerror(errno));
    }
    char line[1024];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *text = line + strspn(line, " \t\r\n");
        char *name;
        long long value;
        if (*text == '\0' || strncmp(text, "--", 2) == 0) {
            continue;
        }
        if (!fun_split_assignment(line, &name, &value)) {
            fun_end(options, 1, "When loading tuning file '%s': Invalid line %d (must be of form 'name=int').", path, number);
        }
        if (futhark_context_config_set_tuning_param(config, name, (size_t)value) != 0) {
            fun_end(options, 1, "When loading tuning file '%s': Unknown name '%s' on line %d.", path, name, number);
        }
    }
    fclose(file);
}

static struct option fun_long_options[] = {
    {"write-runtime-to", required_argument, NULL, 't'}, {"runs", required_argument, NULL, 'r'},
    {"debugging", no_argument, NULL, 'D'}, {"log", no_argument, NULL, 'L'}, {"profile", no_argument, NULL, 'P'},
    {"entry-point", required_argument, NULL, 'e'}, {"binary-output", no_argument, NULL, 'b'},
    {"no-print-result", no_argument, NULL, 'n'}, {"help", no_argument, NULL, 'h'},
    {"print-params", no_argument, NULL, 1}, {"param", required_argument, NULL, 2}, {"tuning", required_argument, NULL, 3},
    {"cache-file", required_argument, NULL, 4}, {"num-threads", required_argument, NULL, 5}, {NULL, 0, NULL, 0},
};

static void fun_read_options(
    struct fun_options *options, struct futhark_context_config *config, int count, char **words) {
    int option;
    while ((option = getopt_long(count, words, ":t:r:DLPe:bnh", fun_long_options, NULL)) != -1) {
        switch (option) {
        case 't':
            options->times = fopen(optarg, "w");
            if (options->times == NULL) {
                fun_end(options, 1, "Cannot open %s: %s", optarg, strerror(errno));
            }
            break;
        case 'r':
            options->runs = atoi(optarg);
            if (options->runs <= 0) {
                fun_end(options, 1, "Need a positive number of runs, not %s", optarg);
            }
            break;
        case 'D':
            futhark_context_config_set_debugging(config, 1);
            break;
        case 'L':
            futhark_context_config_set_logging(config, 1);
            break;
        case 'P':
            futhark_context_config_set_profiling(config, 1);
            break;
        case 'e':
            options->entry = optarg;
            break;
        case 'b':
            options->binary = true;
            break;
        case 'n':
            options->quiet = true;
            break;
        case 'h':
            printf("Usage: %s [OPTION]...\n%s", options->program, fun_usage);
            exit(0);
        case 1:
            for (int k = 0; k < futhark_get_tuning_param_count(); k++) {
                printf("%s (%s)\n", futhark_get_tuning_param_name(k), futhark_get_tuning_param_class(k));
            }
            exit(0);
        case 2:
            fun_set_parameter(options, config, optarg);
            break;
        case 3:
            fun_read_parameters(options, config, optarg);
            break;
        case 4:
            futhark_context_config_set_cache_file(config, optarg);
            break;
        case 5:
            if (atoi(optarg) <= 0) {
                fun_end(options, 1, "Need a positive number of threads, not %s", optarg);
            }
            futhark_context_config_set_num_threads(config, atoi(optarg));
            break;
        case ':':
            fun_end(options, 255, "Missing argument for option %s", words[optind - 1]);
        default:
            fprintf(stderr, "Usage: %s [OPTION]...\n%s\n", options->program, fun_usage);
            fun_end(options, 1, "Unknown option: %s", words[optind - 1]);
        }
    }
    if (optind < count) {
        fun_end(options, 1, "Excess non-option: %s", words[optind]);
    }
}

