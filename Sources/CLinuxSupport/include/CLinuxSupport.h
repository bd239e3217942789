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

/* Sends the packets of a list to a socket that keeps packets apart, as few system calls as can be. `lengths` says how
 * `octets` is cut. Answers how many packets went, or -errno where none did. */
int cls_send_packets(int descriptor, const uint8_t *octets, const size_t *lengths, int count);
