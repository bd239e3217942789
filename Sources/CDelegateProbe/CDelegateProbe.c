#include "CDelegateProbe.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bodies differ, so that a linker that folds equal functions leaves them apart. */
__attribute__((noinline)) void cdp_mark_central_restore(void) { __asm__ volatile("" ::"r"(1)); }
__attribute__((noinline)) void cdp_mark_peripheral_restore(void) { __asm__ volatile("" ::"r"(2)); }

/* The unwinder's table of functions, which every program has that can throw or print a backtrace. */
struct dwarf_eh_bases {
    void *text, *data, *function;
};
extern const void *_Unwind_Find_FDE(void *pc, struct dwarf_eh_bases *bases);

struct extent {
    uintptr_t start, end;
};

/* Where the function that holds the address begins and ends; false where nothing is known of it. */
static int find_function(uintptr_t address, struct extent *extent) {
    struct dwarf_eh_bases bases;
    const uint8_t *entry = _Unwind_Find_FDE((void *)address, &bases);
    if (!entry) return 0;
    /* Length, distance to the common entry, start as a 32-bit distance, length as 32 bits: what Linux compilers write
     * (DW_EH_PE_pcrel | DW_EH_PE_sdata4). Anything else doesn't lead to the start that the unwinder found. */
    int32_t distance;
    uint32_t length;
    memcpy(&distance, entry + 8, sizeof distance);
    memcpy(&length, entry + 12, sizeof length);
    extent->start = (uintptr_t)bases.function;
    extent->end = extent->start + length;
    return (uintptr_t)(entry + 8) + (intptr_t)distance == extent->start && address < extent->end;
}

/* Walks over the direct branches of a function. In machine code of variable length some that are found aren't any;
 * they lead to no function's start, and are passed over by the caller. */
#if defined(__x86_64__)
static uintptr_t branch_at(uintptr_t *at, uintptr_t end) {
    while (*at + 5 <= end) {
        const uint8_t *code = (const uint8_t *)*at;
        *at += 1;
        if (code[0] != 0xE8 && code[0] != 0xE9) continue; /* call, jmp */
        int32_t distance;
        memcpy(&distance, code + 1, sizeof distance);
        return (uintptr_t)(code + 5) + (intptr_t)distance;
    }
    return 0;
}
#elif defined(__aarch64__)
static uintptr_t branch_at(uintptr_t *at, uintptr_t end) {
    while (*at + 4 <= end) {
        uint32_t code;
        memcpy(&code, (const void *)*at, sizeof code);
        uintptr_t here = *at;
        *at += 4;
        if ((code & 0x7C000000) != 0x14000000) continue; /* b, bl */
        int32_t words = (int32_t)(code << 6) >> 6;
        return here + (intptr_t)words * 4;
    }
    return 0;
}
#else
static uintptr_t branch_at(uintptr_t *at, uintptr_t end) {
    (void)at, (void)end;
    return 0;
}
#define CDP_UNREADABLE 1
#endif

/* Whether the function calls the mark itself. */
static int calls(struct extent function, uintptr_t mark) {
    uintptr_t at = function.start, target;
    while ((target = branch_at(&at, function.end)))
        if (target == mark) return 1;
    return 0;
}

enum cdp_answer cdp_follow(const void *function, void (*mark)(void)) {
#ifdef CDP_UNREADABLE
    (void)function, (void)mark;
    return CDP_UNKNOWN;
#else
    struct extent witness;
    if (!find_function((uintptr_t)function, &witness)) return CDP_UNKNOWN;
    /* The witness calls the implementation, and that the mark; an optimizer may have merged the two. */
    if (calls(witness, (uintptr_t)mark)) return CDP_DEFAULT;
    uintptr_t at = witness.start, target;
    int branches = 0, followed = 0;
    while ((target = branch_at(&at, witness.end))) {
        struct extent called;
        branches += 1;
        if (!find_function(target, &called) || called.start != target) continue;
        followed += 1;
        if (calls(called, (uintptr_t)mark)) return CDP_DEFAULT;
    }
    /* A default witness does nothing but this one call. Where it leads into a library that is linked at run time, it
     * can't be followed. */
    return branches == 1 && followed == 0 ? CDP_UNKNOWN : CDP_OWN;
#endif
}
