#define _GNU_SOURCE
#include "CLinuxSupport.h"

#include <asm/termbits.h> /* termios2 and BOTHER; clashes with <termios.h>, so it is included here only */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef AF_BLUETOOTH
#define AF_BLUETOOTH 31
#endif
#ifndef TIOCEXCL
#define TIOCEXCL 0x540C
#endif

/* Kernel ABI of an HCI socket's address. */
struct cls_sockaddr_hci {
    uint16_t family;
    uint16_t device;
    uint16_t channel;
};
enum { CLS_BTPROTO_HCI = 1, CLS_HCI_CHANNEL_USER = 1 };

int cls_hci_user_socket(uint16_t device) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, CLS_BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    struct cls_sockaddr_hci address = {AF_BLUETOOTH, device, CLS_HCI_CHANNEL_USER};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int cls_serial_configure(int descriptor, uint32_t baud, int flow_control) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
    settings.c_iflag = 0;
    settings.c_oflag = 0;
    settings.c_lflag = 0;
    settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | (BOTHER << IBSHIFT) | (flow_control ? CRTSCTS : 0);
    settings.c_ispeed = baud;
    settings.c_ospeed = baud;
    memset(settings.c_cc, 0, sizeof settings.c_cc);
    settings.c_cc[VMIN] = 1;
    if (ioctl(descriptor, TCSETS2, &settings) < 0) return -errno;
    if (ioctl(descriptor, TIOCEXCL) < 0) return -errno;
    /* What came before the port was ours is no HCI traffic of ours. */
    return ioctl(descriptor, TCFLSH, 2 /* TCIOFLUSH */) < 0 ? -errno : 0;
}

int cls_serial_baud(int descriptor, uint32_t *baud) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) < 0) return -errno;
    *baud = settings.c_ospeed;
    return 0;
}

int cls_accept(int listener) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int cls_peer_user(int descriptor, uid_t *user) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *user = credentials.uid;
    return 0;
}

int cls_send_packets(int descriptor, const uint8_t *octets, const size_t *lengths, int count) {
    enum { BATCH = 64 };
    int sent = 0;
    while (sent < count) {
        struct mmsghdr messages[BATCH];
        struct iovec parts[BATCH];
        int batch = count - sent < BATCH ? count - sent : BATCH;
        const uint8_t *next = octets;
        memset(messages, 0, sizeof messages);
        for (int index = 0; index < batch; index++) {
            parts[index] = (struct iovec){(void *)next, lengths[sent + index]};
            next += lengths[sent + index];
            messages[index].msg_hdr.msg_iov = &parts[index];
            messages[index].msg_hdr.msg_iovlen = 1;
        }
        int done = sendmmsg(descriptor, messages, (unsigned)batch, MSG_NOSIGNAL);
        if (done < 0) {
            if (errno == EINTR) continue;
            return sent > 0 ? sent : -errno;
        }
        for (int index = 0; index < done; index++) octets += lengths[sent + index];
        sent += done;
        if (done < batch) continue; /* the next call tells why */
    }
    return sent;
}
