#define _GNU_SOURCE
#include "CLinuxSupport.h"

#include <asm/termbits.h> /* termios2 and BOTHER; clashes with <termios.h>, so it is included here only */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
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

int cls_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

int cls_send_packets(int descriptor, const uint8_t *octets, const size_t *lengths, int count) {
    /* Not sendmmsg: it marks all messages but the last with MSG_BATCH, and HCI sockets refuse flags that they don't
     * know with EINVAL. */
    for (int sent = 0; sent < count;) {
        if (send(descriptor, octets, lengths[sent], MSG_NOSIGNAL) < 0) {
            if (errno == EINTR) continue;
            return sent > 0 ? sent : -errno;
        }
        octets += lengths[sent++];
    }
    return count;
}

int cls_poller_open(void) {
    int poller = epoll_create1(EPOLL_CLOEXEC);
    return poller < 0 ? -errno : poller;
}

static int poller_control(int poller, int operation, int descriptor, uint64_t token, int for_writing) {
    struct epoll_event event = {.events = EPOLLIN | (for_writing ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(poller, operation, descriptor, &event) < 0 ? -errno : 0;
}

int cls_poller_add(int poller, int descriptor, uint64_t token, int for_writing) {
    return poller_control(poller, EPOLL_CTL_ADD, descriptor, token, for_writing);
}

int cls_poller_change(int poller, int descriptor, uint64_t token, int for_writing) {
    return poller_control(poller, EPOLL_CTL_MOD, descriptor, token, for_writing);
}

int cls_poller_remove(int poller, int descriptor) {
    return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL) < 0 ? -errno : 0;
}

int cls_poller_wait(int poller, int64_t nanoseconds, struct cls_ready *ready, int capacity) {
    enum { BATCH = 64 };
    struct epoll_event events[BATCH];
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    if (capacity > BATCH) capacity = BATCH;
    int count = epoll_pwait2(poller, events, capacity, nanoseconds < 0 ? NULL : &time, NULL);
    if (count < 0 && errno == ENOSYS) {
        /* A kernel before 5.11 counts in milliseconds; better a little late than in a circle. */
        int64_t milliseconds = nanoseconds < 0 ? -1 : nanoseconds / 1000000 + (nanoseconds % 1000000 != 0);
        count = epoll_wait(poller, events, capacity, milliseconds > 3600000 ? 3600000 : (int)milliseconds);
    }
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        uint32_t what = events[index].events;
        ready[index].token = events[index].data.u64;
        ready[index].readable = (what & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0;
        ready[index].writable = (what & EPOLLOUT) != 0;
    }
    return count;
}

int cls_signal_open(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

void cls_signal_raise(int descriptor) {
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written; /* It fails only where it is raised already. */
}

void cls_signal_clear(int descriptor) {
    uint64_t count;
    ssize_t got = read(descriptor, &count, sizeof count);
    (void)got;
}

struct thread_start {
    char name[16];
    void *(*body)(void *);
    void *context;
};

static void *thread_main(void *argument) {
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    prctl(PR_SET_NAME, start.name);
    prctl(PR_SET_TIMERSLACK, 1000UL);
    return start.body(start.context);
}

int cls_thread_start(const char *name, void *(*body)(void *), void *context) {
    struct thread_start *start = calloc(1, sizeof *start);
    if (start == NULL) return -ENOMEM;
    strncpy(start->name, name, sizeof start->name - 1);
    start->body = body;
    start->context = context;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, thread_main, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0) free(start);
    return -error;
}
