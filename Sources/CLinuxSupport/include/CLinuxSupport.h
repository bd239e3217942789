#pragma once
/* What Linux offers and Swift's Glibc module doesn't export. No BlueZ header is used: the few kernel ABI facts that an
 * HCI socket needs are written out here. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Every function answers a descriptor or 0, or -errno. */

/* Opens the user channel of hciN: raw, exclusive HCI, one packet (indicator first) a read and a write. */
int cls_hci_user_socket(uint16_t device);

/* Puts a terminal device into raw mode, 8 data bits, no parity, one stop bit, at any baud rate, with or without
 * RTS/CTS, for this process alone. */
int cls_serial_configure(int descriptor, uint32_t baud, int flow_control);
int cls_serial_baud(int descriptor, uint32_t *baud);

/* Accepts a connection: non-blocking, closed on exec. */
int cls_accept(int listener);
/* The user at the other end of a unix socket. */
int cls_peer_user(int descriptor, uid_t *user);

/* Makes a pipe that no program started meanwhile inherits. */
int cls_pipe(int ends[2]);

/* Sends the packets of a list to a socket that keeps packets apart. `lengths` says how `octets` is cut. Answers how many
 * packets went, or -errno where none did. */
int cls_send_packets(int descriptor, const uint8_t *octets, const size_t *lengths, int count);

/* A poller waits for many descriptors and a time at once (epoll). */
struct cls_ready {
    uint64_t token;
    /* Reading won't block: octets, an end, or a failure are there. */
    int readable;
    int writable;
};
int cls_poller_open(void);
/* Watches a descriptor, or changes what it is watched for. What is ready is told by its token. */
int cls_poller_add(int poller, int descriptor, uint64_t token, int for_writing);
int cls_poller_change(int poller, int descriptor, uint64_t token, int for_writing);
int cls_poller_remove(int poller, int descriptor);
/* Waits until something is ready or the time is over; a negative time is none. Answers how many are ready. */
int cls_poller_wait(int poller, int64_t nanoseconds, struct cls_ready *ready, int capacity);
/* A descriptor that is readable from the first signal on until it is cleared. */
int cls_signal_open(void);
void cls_signal_raise(int descriptor);
void cls_signal_clear(int descriptor);

/* Starts a detached thread that takes no signals and whose timers are exact to a microsecond. */
int cls_thread_start(const char *name, void *(*body)(void *), void *context);
