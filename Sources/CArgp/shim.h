#pragma once
#include <argp.h>
#include <getopt.h>
#include <stdio.h>

/* Macros and variables that Swift does not import as they are. */
static inline int cargp_error_unknown(void) { return ARGP_ERR_UNKNOWN; }
static inline int cargp_key_argument(void) { return ARGP_KEY_ARG; }
