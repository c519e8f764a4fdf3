/* A file system that fails on command: stands between a process and libc (LD_PRELOAD).
 *
 * It counts the system calls that change anything below one folder, whoever makes them: Python,
 * SQLite or a library. One of them, by its number, can be made to fail, to write half of its bytes,
 * or to kill the process; and what they did can be written to a trace, from which a power loss is
 * played. It does nothing until it is armed, which a process does for itself through ctypes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, FSYNC = 2, RENAME = 4, LINK = 8, UNLINK = 16, MKDIR = 32, OPEN = 64, TRUNCATE = 128 };
enum { COUNT, FAIL, SHORT, KILL, KILL_HALF_WAY };
enum verdict { GO_ON, REFUSE, HALF };

static int armed, mode, error_number, lasting, trace = -1, unsynced;
static unsigned mask;
static long fail_at, met, injected;
static unsigned hit_kind;
static char root[PATH_MAX];
static size_t root_length;

#define REAL(name) ({ static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

/* -- for the process itself, through ctypes -- */

void faults_arm(const char *folder, unsigned kinds, long at, int how, int error, int stays, int trace_to,
                int leave_unsynced) {
    strncpy(root, folder, sizeof root - 1);
    root_length = strlen(root);
    mask = kinds;
    fail_at = at;
    mode = how;
    error_number = error;
    lasting = stays;
    trace = trace_to;
    unsynced = leave_unsynced;
    met = injected = 0;
    hit_kind = 0;
    armed = 1;
}

void faults_disarm(void) { armed = 0; }
long faults_met(void) { return met; }
long faults_injected(void) { return injected; }
unsigned faults_hit_kind(void) { return hit_kind; }

/* Kill the process in a while, wherever it is then. */
int faults_kill_in(long microseconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec when = {.it_value = {microseconds / 1000000, microseconds % 1000000 * 1000}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer)) return -1;
    return timer_settime(timer, 0, &when, NULL);
}

/* -- what is decided about one call -- */

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

static int is_below(const char *path) {
    return strncmp(path, root, root_length) == 0 && (path[root_length] == '/' || !path[root_length]);
}

static enum verdict decide(unsigned kind, const char *path) {
    if (!armed || !(kind & mask) || !is_below(path)) return GO_ON;
    long number = __sync_fetch_and_add(&met, 1);
    if (mode == COUNT || number < fail_at || (number > fail_at && !lasting)) return GO_ON;
    injected++;
    if (number == fail_at) hit_kind = kind;
    if (kind == WRITE && number == fail_at && (mode == SHORT || mode == KILL_HALF_WAY)) return HALF;
    if (mode == KILL || mode == KILL_HALF_WAY) die();
    errno = error_number;
    return REFUSE;
}

static void path_of(int descriptor, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    out[length < 0 ? 0 : length] = 0;
}

static void path_at(int folder, const char *path, char *out) {
    char base[PATH_MAX] = "";
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) base[0] = 0;
        } else {
            path_of(folder, base);
        }
        strncat(base, "/", sizeof base - strlen(base) - 1);
    }
    snprintf(out, PATH_MAX, "%.2000s%.2000s", base, path);
}

/* One line of the trace: what, offset, length of the data and of both paths; then these. */
static void note(const char *what, long offset, const char *path, const char *other, const void *data,
                 size_t length) {
    if (!armed || trace < 0 || !(is_below(path) || is_below(other))) return;
    char head[128];
    int saved = errno;
    int size = snprintf(head, sizeof head, "%s %ld %zu %zu %zu\n", what, offset, length, strlen(path), strlen(other));
    if (REAL(write)(trace, head, size) < 0 || REAL(write)(trace, path, strlen(path)) < 0 ||
        REAL(write)(trace, other, strlen(other)) < 0 || REAL(write)(trace, data, length) < 0)
        abort();
    errno = saved;
}

/* -- the calls -- */

static int opened(int folder, const char *path, int flags, mode_t permissions) {
    char full[PATH_MAX] = "";
    int is_new = 0;
    if (armed) {
        path_at(folder, path, full);
        if (flags & (O_CREAT | O_WRONLY | O_RDWR)) {
            if (decide(OPEN, full) != GO_ON) return -1;
            is_new = (flags & O_CREAT) && faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
        }
    }
    int descriptor = REAL(openat64)(folder, path, flags, permissions);
    if (descriptor >= 0 && is_new) note("create", 0, full, "", "", 0);
    if (descriptor >= 0 && !is_new && (flags & O_TRUNC)) note("truncate", 0, full, "", "", 0);
    return descriptor;
}

#define PERMISSIONS                                   \
    mode_t permissions = 0;                           \
    if (flags & (O_CREAT | __O_TMPFILE)) {            \
        va_list more;                                 \
        va_start(more, flags);                        \
        permissions = (mode_t)va_arg(more, unsigned); \
        va_end(more);                                 \
    }

int open(const char *path, int flags, ...) { PERMISSIONS return opened(AT_FDCWD, path, flags, permissions); }
int open64(const char *path, int flags, ...) { PERMISSIONS return opened(AT_FDCWD, path, flags, permissions); }
int openat(int folder, const char *path, int flags, ...) { PERMISSIONS return opened(folder, path, flags, permissions); }
int openat64(int folder, const char *path, int flags, ...) { PERMISSIONS return opened(folder, path, flags, permissions); }

ssize_t write(int descriptor, const void *data, size_t length) {
    if (!armed || descriptor == trace) return REAL(write)(descriptor, data, length);
    char path[PATH_MAX];
    path_of(descriptor, path);
    enum verdict verdict = decide(WRITE, path);
    if (verdict == REFUSE) return -1;
    ssize_t written = REAL(write)(descriptor, data, verdict == HALF ? length / 2 : length);
    if (written > 0) note("write", lseek(descriptor, 0, SEEK_CUR) - written, path, "", data, written);
    if (verdict == HALF && mode == KILL_HALF_WAY) die();
    return written;
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
    if (!armed) return REAL(pwrite64)(descriptor, data, length, offset);
    char path[PATH_MAX];
    path_of(descriptor, path);
    enum verdict verdict = decide(WRITE, path);
    if (verdict == REFUSE) return -1;
    ssize_t written = REAL(pwrite64)(descriptor, data, verdict == HALF ? length / 2 : length, offset);
    if (written > 0) note("write", offset, path, "", data, written);
    if (verdict == HALF && mode == KILL_HALF_WAY) die();
    return written;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    return pwrite64(descriptor, data, length, offset);
}

static int synced(int descriptor, int (*real)(int)) {
    if (!armed) return real(descriptor);
    char path[PATH_MAX];
    path_of(descriptor, path);
    if (decide(FSYNC, path) != GO_ON) return -1;
    int result = unsynced && is_below(path) ? 0 : real(descriptor);
    if (!result) note("fsync", 0, path, "", "", 0);
    return result;
}

int fsync(int descriptor) { return synced(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return synced(descriptor, REAL(fdatasync)); }

static int truncated(int descriptor, off64_t length, int (*real)(int, off64_t)) {
    if (!armed) return real(descriptor, length);
    char path[PATH_MAX];
    path_of(descriptor, path);
    if (decide(TRUNCATE, path) != GO_ON) return -1;
    int result = real(descriptor, length);
    if (!result) note("truncate", length, path, "", "", 0);
    return result;
}

int ftruncate(int descriptor, off_t length) { return truncated(descriptor, length, REAL(ftruncate64)); }
int ftruncate64(int descriptor, off64_t length) { return truncated(descriptor, length, REAL(ftruncate64)); }

int renameat(int from, const char *old, int to, const char *new) {
    char source[PATH_MAX] = "", target[PATH_MAX] = "";
    if (armed) {
        path_at(from, old, source);
        path_at(to, new, target);
        if (decide(RENAME, target) != GO_ON) return -1;
    }
    int result = REAL(renameat)(from, old, to, new);
    if (!result) note("rename", 0, source, target, "", 0);
    return result;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
    char source[PATH_MAX] = "", target[PATH_MAX] = "";
    if (armed) {
        path_at(from, old, source);
        path_at(to, new, target);
        if (decide(LINK, target) != GO_ON) return -1;
    }
    int result = REAL(linkat)(from, old, to, new, flags);
    if (!result) note("link", 0, source, target, "", 0);
    return result;
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *path, int flags) {
    char full[PATH_MAX] = "";
    if (armed) {
        path_at(folder, path, full);
        if (decide(UNLINK, full) != GO_ON) return -1;
    }
    int result = REAL(unlinkat)(folder, path, flags);
    if (!result) note("unlink", 0, full, "", "", 0);
    return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t permissions) {
    char full[PATH_MAX] = "";
    if (armed) {
        path_at(folder, path, full);
        if (decide(MKDIR, full) != GO_ON) return -1;
    }
    int result = REAL(mkdirat)(folder, path, permissions);
    if (!result) note("mkdir", 0, full, "", "", 0);
    return result;
}

int mkdir(const char *path, mode_t permissions) { return mkdirat(AT_FDCWD, path, permissions); }
