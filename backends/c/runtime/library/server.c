/* The program as a server: Futhark's protocol, a command a line on standard input, what it gives on standard output. */

/* The commands, and how many words must follow at least. */
static const struct {
    const char *name;
    void (*run)(struct fun_server *);
    int least;
} fun_commands[] = {
    {"types", fun_cmd_types, 0}, {"entry_points", fun_cmd_entry_points, 0}, {"call", fun_cmd_call, 2},
    {"restore", fun_cmd_restore, 1}, {"store", fun_cmd_store, 1}, {"free", fun_cmd_free, 0}, {"rename", fun_cmd_rename, 2},
    {"inputs", fun_cmd_inputs, 1}, {"output", fun_cmd_output, 1}, {"clear", fun_cmd_clear, 0}, {"kind", fun_cmd_kind, 1},
    {"type", fun_cmd_type, 1}, {"pause_profiling", fun_cmd_pause_profiling, 0},
    {"unpause_profiling", fun_cmd_unpause_profiling, 0}, {"report", fun_cmd_report, 0},
    {"set_tuning_param", fun_cmd_set_tuning_param, 2}, {"tuning_params", fun_cmd_tuning_params, 1},
    {"tuning_param_class", fun_cmd_tuning_param_class, 1}, {"attributes", fun_cmd_attributes, 1}, {"rank", fun_cmd_rank, 1},
    {"elemtype", fun_cmd_elemtype, 1}, {"new_array", fun_cmd_new_array, 2}, {"set", fun_cmd_set, 2},
    {"shape", fun_cmd_shape, 1}, {"index", fun_cmd_index, 2}, {"zip", fun_cmd_zip, 2}, {"unzip", fun_cmd_unzip, 1},
    {"fields", fun_cmd_fields, 1}, {"new", fun_cmd_new, 2}, {"project", fun_cmd_project, 3},
    {"variants", fun_cmd_variants, 1}, {"construct", fun_cmd_construct, 3}, {"destruct", fun_cmd_destruct, 1},
    {"variant", fun_cmd_variant, 1},
};

/* Cuts a line into words, which blanks part but not within quotes. Gives how many there are; `words` has room for one in two characters. */
static int fun_split(char *line, char **words) {
    int count = 0;
    char *c = line;
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c == '\0') {
            return count;
        }
        const bool quoted = *c == '"';
        c += quoted;
        words[count++] = c;
        c += strcspn(c, quoted ? "\"\n" : " \t\r\n");
        if (*c == '\0') {
            return count;
        }
        *c++ = '\0';
    }
}

static void fun_run_command(struct fun_server *server) {
    for (size_t k = 0; k < sizeof fun_commands / sizeof *fun_commands; k++) {
        if (strcmp(fun_commands[k].name, server->words[0]) == 0) {
            if (server->count < fun_commands[k].least) {
                fun_failed("The command %s needs %d arguments or more.", fun_commands[k].name, fun_commands[k].least);
            } else {
                fun_commands[k].run(server);
            }
            return;
        }
    }
    fun_failed("Unknown command: %s", server->words[0]);
}

int main(int count, char **words) {
    struct fun_options options = {.program = words[0], .entry = "main"};
    struct fun_server server = {.config = futhark_context_config_new()};
    if (server.config == NULL) {
        fun_end(&options, 1, "Error: no memory");
    }
    fun_read_options(&options, server.config, count, words);
    server.ctx = fun_begin(&options, server.config);
    char *line = NULL;
    size_t room = 0;
    do {
        puts("%%% OK");
        fflush(stdout);
        const ssize_t length = getline(&line, &room, stdin);
        if (length < 0) {
            break;
        }
        char **list = malloc(((size_t)length / 2 + 2) * sizeof *list);
        if (list == NULL) {
            fun_failed("Out of memory.");
            continue;
        }
        server.words = list;
        server.count = fun_split(line, list) - 1;
        if (server.count >= 0) {
            fun_run_command(&server);
        }
        free(list);
    } while (true);
    free(line);
    while (server.variables != NULL) {
        fun_drop_variable(&server, &server.variables);
    }
    futhark_context_free(server.ctx);
    futhark_context_config_free(server.config);
    return 0;
}
