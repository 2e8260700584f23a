/* The search of strings.py, compiled where a compiler is at hand when Taciturn is installed.

   Nothing depends on this module: strings.py does the same with numpy where it is absent, and a test holds the two
   against each other. Every place is checked against the bytes it leads into, so that a damaged table raises an error
   and never reads elsewhere. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

enum { BLOCK = 16, HEAD = 8, MOST = 255, MISSING = -1, DAMAGED = -2 };

typedef struct {
    const uint8_t *blob;
    const uint32_t *starts;
    const uint64_t *heads;
    int64_t bytes, blocks, length;
} Strings;

/* The first eight bytes of a string as a number that sorts like them. */
static uint64_t head_of(const uint8_t *string, int64_t size)
{
    uint64_t head = 0;
    for (int i = 0; i < HEAD; i++) head = head << 8 | (i < size ? string[i] : 0);
    return head;
}

/* The number coded at a place in seven bits a byte, and the place behind it; a size that does not fit is -1. */
static int64_t size_at(const Strings *table, int64_t *at)
{
    int64_t size = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        if (*at >= table->bytes) return -1;
        uint8_t byte = table->blob[(*at)++];
        size |= (int64_t)(byte & 127) << shift;
        if (byte < 128) return size <= table->bytes - *at ? size : -1;
    }
    return -1;
}

/* How bytes of the table sort against a string: less than, equal to or greater than 0; and how many both share. */
static int compare(const uint8_t *here, int64_t size, const uint8_t *string, int64_t length, int64_t *shared)
{
    int64_t both = size < length ? size : length, at = 0;
    while (at < both && here[at] == string[at]) at++;
    *shared = at;
    if (at < both) return here[at] < string[at] ? -1 : 1;
    return size < length ? -1 : size > length;
}

/* The first block whose head is at least (or, if beyond, more than) a given one. */
static int64_t bound(const Strings *table, uint64_t head, int beyond)
{
    int64_t low = 0, high = table->blocks;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (table->heads[middle] < head || (beyond && table->heads[middle] == head)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int64_t find_one(const Strings *table, const uint8_t *string, int64_t length)
{
    uint64_t head = head_of(string, length);
    int64_t low = bound(table, head, 0), high = bound(table, head, 1), at, size, common;
    /* Blocks from low to high begin like the string; the one before begins lower and may hold it as well. */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        at = table->starts[middle];
        if ((size = size_at(table, &at)) < 0) return DAMAGED;
        if (compare(table->blob + at, size, string, length, &common) <= 0) low = middle + 1;
        else high = middle;
    }
    int64_t block = low - 1;
    if (block < 0) return MISSING;
    at = table->starts[block];
    if ((size = size_at(table, &at)) < 0) return DAMAGED;
    int order = compare(table->blob + at, size, string, length, &common);
    for (int64_t number = block * BLOCK;; number++) {
        if (!order) return number;
        if (order > 0 || number + 1 >= table->length || number % BLOCK == BLOCK - 1) return MISSING;
        if (common > MOST) common = MOST;
        /* What shares more with the string before sorts before the one looked for as well, what shares less after. */
        at += size;
        if (at >= table->bytes) return DAMAGED;
        int64_t shared = table->blob[at++], more;
        if ((size = size_at(table, &at)) < 0) return DAMAGED;
        if (shared > common) continue;
        if (shared < common) return MISSING;
        order = compare(table->blob + at, size, string + common, length - common, &more);
        common += more;
    }
}

/* find(blob, starts, heads, length, strings, out): the number of each of the byte strings, -1 for one not here. */
static PyObject *find(PyObject *self, PyObject *args)
{
    Py_buffer blob, starts, heads, out;
    Py_ssize_t length;
    PyObject *strings;
    if (!PyArg_ParseTuple(args, "y*y*y*nO!w*", &blob, &starts, &heads, &length, &PyList_Type, &strings, &out))
        return NULL;
    int64_t blocks = (int64_t)(heads.len / sizeof(uint64_t));
    Strings table = {blob.buf, starts.buf, heads.buf, blob.len, blocks, length};
    int64_t *to = out.buf;
    Py_ssize_t count = PyList_GET_SIZE(strings);
    int failed = (size_t)starts.len < blocks * sizeof(uint32_t) || (size_t)out.len < count * sizeof(int64_t)
        || length > blocks * BLOCK;
    for (Py_ssize_t i = 0; i < count && !failed; i++) {
        char *string;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyList_GET_ITEM(strings, i), &string, &size) < 0) { failed = 1; break; }
        to[i] = find_one(&table, (const uint8_t *)string, size);
        failed = to[i] == DAMAGED;
    }
    PyBuffer_Release(&blob);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&heads);
    PyBuffer_Release(&out);
    if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the table of strings is damaged");
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"find", find, METH_VARARGS, "find(blob, starts, heads, length, strings, out): the number of each string."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_strings", "The search of strings.", 0, methods};

PyMODINIT_FUNC PyInit__strings(void) { return PyModule_Create(&module); }
