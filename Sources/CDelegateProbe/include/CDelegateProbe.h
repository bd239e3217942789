#pragma once
/* Tells whether a delegate has an optional method.
 *
 * An optional method is a protocol requirement with a default implementation on Linux, and nothing in the language says
 * which of the two a type has without calling it. But it can be read: the requirement's entry in the type's witness
 * table leads, by direct calls, to the default implementation or to the program's own. Each default implementation in
 * question calls a mark of its own, and nothing else does; so a witness that reaches the mark is the default one. */

/* Called by the default implementation of centralManager(_:willRestoreState:), and by nothing else. */
void cdp_mark_central_restore(void);
/* Called by the default implementation of peripheralManager(_:willRestoreState:), and by nothing else. */
void cdp_mark_peripheral_restore(void);

enum cdp_answer {
    /* The witness is the default implementation. */
    CDP_DEFAULT = 0,
    /* It is the program's own. */
    CDP_OWN = 1,
    /* It can't be told: another processor, or code without unwind tables. */
    CDP_UNKNOWN = 2,
};

/* Follows the direct calls of the function, and those of the functions called, to the mark. The code is only read. */
enum cdp_answer cdp_follow(const void *function, void (*mark)(void));
