// The floor of the HCI bearer: a host without a stack. It advertises by one command and answers MTU, discovery, reads and
// writes of the database of peerdrv.c from a switch; no flow control, no queues, no checks. Commands: read, write,
// wcmd, notify. gcc -O2 -o floor_hci floor_hci.c; run as peerdrv's system under test on a socket pair.
#define _GNU_SOURCE
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t in[1 << 18], out[1 << 17];
static size_t have, filled;
static unsigned credits = 32, owed;
static int length;

static void flush(void) {
    for (size_t done = 0; done < filled;) {
        ssize_t count = write(3, out + done, filled - done);
        if (count > 0) done += count;
    }
    filled = 0;
}

static uint8_t *room(int size) {
    if (filled + size > sizeof out) flush();
    uint8_t *place = out + filled;
    filled += size;
    return place;
}

// An ATT PDU in one ACL packet on the handle 0x0040.
static uint8_t *att(int size) {
    uint8_t *p = room(9 + size);
    uint8_t head[9] = {2, 0x40, 0, (size + 4) & 255, (size + 4) >> 8, size & 255, size >> 8, 4, 0};
    memcpy(p, head, 9);
    return p + 9;
}

static void uuid(uint8_t *p, int number) {
    static const uint8_t base[16] = {0x23, 0xD1, 0xBC, 0xEA, 0x5F, 0x78, 0x23, 0x15, 0xDE, 0xEF, 0x12, 0x12, 0, 0, 0, 0};
    memcpy(p, base, 16);
    p[12] = number;
    p[13] = number >> 8;
}

static void error(const uint8_t *request) {
    uint8_t *p = att(5);
    p[0] = 1, p[1] = request[0], p[2] = request[1], p[3] = request[2], p[4] = 0x0A;
}

static void request(const uint8_t *r) {
    int handle = r[1] | r[2] << 8;
    uint8_t *p;
    switch (r[0]) {
    case 0x02: p = att(3); p[0] = 3, p[1] = 5, p[2] = 2; break;
    case 0x0A: p = att(21); p[0] = 0x0B; memset(p + 1, 0x5A, 20); break;
    case 0x12:
        att(1)[0] = 0x13;
        if (handle == 6 && r[3] == 1) {
            owed = r[4] | r[5] << 8 | r[6] << 16 | (uint32_t)r[7] << 24;
            length = r[8] | r[9] << 8;
        }
        break;
    case 0x10:
        if (handle > 1) { error(r); break; }
        p = att(22); p[0] = 0x11, p[1] = 20, p[2] = 1, p[3] = 0, p[4] = 6, p[5] = 0; uuid(p + 6, 0xA000);
        break;
    case 0x08:
        if (handle > 2) { error(r); break; }
        p = att(44); p[0] = 9, p[1] = 21, p[2] = 2, p[3] = 0, p[4] = 0x1E, p[5] = 3, p[6] = 0; uuid(p + 7, 0xA001);
        p[23] = 5, p[24] = 0, p[25] = 8, p[26] = 6, p[27] = 0; uuid(p + 28, 0xA002);
        break;
    case 0x04:
        if (handle != 4) { error(r); break; }
        p = att(6); p[0] = 5, p[1] = 1, p[2] = 4, p[3] = 0, p[4] = 2, p[5] = 0x29;
        break;
    default: break;
    }
}

static void event(const uint8_t *e) {
    static const uint8_t advertise[5] = {1, 0x0A, 0x20, 1, 1};
    if (e[1] == 0x0E && e[4] == 0x03 && e[5] == 0x0C) memcpy(room(5), advertise, 5);
    if (e[1] == 0x05) memcpy(room(5), advertise, 5);
    if (e[1] == 0x13) credits += e[6] | e[7] << 8;
}

int main(void) {
    static const uint8_t reset[4] = {1, 3, 0x0C, 0};
    memcpy(room(4), reset, 4);
    for (;;) {
        while (owed && credits) {
            uint8_t *p = att(3 + length);
            p[0] = 0x1B, p[1] = 3, p[2] = 0;
            memset(p + 3, 0, length);
            owed--, credits--;
        }
        flush();
        ssize_t count = read(3, in + have, sizeof in - have);
        if (count <= 0) return 0;
        have += count;
        size_t start = 0;
        while (have - start >= 3) {
            uint8_t *p = in + start;
            size_t size = p[0] == 4 ? 3 + p[2] : have - start >= 5 ? 5 + (p[3] | p[4] << 8) : 1 << 20;
            if (have - start < size) break;
            if (p[0] == 4) event(p);
            else {
                uint8_t head = p[9];
                request(p + 9);
                if (head != 0x52 && credits) credits--;
            }
            start += size;
        }
        memmove(in, in + start, have - start);
        have -= start;
    }
}
