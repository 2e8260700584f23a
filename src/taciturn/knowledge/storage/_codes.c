/* The inner loops of postings.py, compiled where a compiler is at hand when Taciturn is installed.

   Nothing depends on this module: postings.py does the same with numpy where it is absent, and a test holds the two
   against each other. A set is a code of sorted numbers: low bits as they are, then high parts in unary (Elias-Fano),
   or plain bits for a dense set. Every offset, rank and number is checked against the arrays it leads into, so that
   a damaged pack raises an error and never reads or writes elsewhere. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
static int lowest_bit(uint64_t word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
#else
static int lowest_bit(uint64_t word) { return __builtin_ctzll(word); }
#endif

enum { PADDING = 8, WIDEST = 32 };

/* Where a code lies and how it is to be read. */
typedef struct {
    const uint8_t *low, *high;
    int64_t high_bytes, size, total;
    int width, dense;
} Code;

/* The columns that describe the codes of sets, one row a set: as postings.Codes.described gives them. */
enum { END, LOW_BYTES, HIGH_BYTES, SIZE, WIDTH, DENSE, TOTAL, COLUMNS };

/* Eight bytes as a number, the first the lowest, whatever the machine's own order. */
static uint64_t load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint8_t *store(uint8_t *to, uint64_t word)
{
    word = load((const uint8_t *)&word);
    memcpy(to, &word, sizeof word);
    return to + sizeof word;
}

/* Does a row describe a code that lies in the data? */
static int open_code(Code *code, const int64_t *row, const uint8_t *data, Py_ssize_t length)
{
    int64_t room = (int64_t)length - PADDING;
    for (int column = END; column <= HIGH_BYTES; column++)
        if (row[column] < 0 || row[column] > room) return 0;
    int64_t start = row[END] - row[LOW_BYTES] - row[HIGH_BYTES];
    code->dense = row[DENSE] != 0;
    if (start < 0 || row[SIZE] < 0 || row[SIZE] > room * 8 || (!code->dense && (row[WIDTH] < 0 || row[WIDTH] > WIDEST)))
        return 0;
    code->low = data + start;
    code->high = data + start + row[LOW_BYTES];
    code->high_bytes = row[HIGH_BYTES];
    code->size = row[SIZE];
    code->total = row[TOTAL];
    code->width = code->dense ? 0 : (int)row[WIDTH];
    return row[SIZE] * code->width <= row[LOW_BYTES] * 8;
}

/* Run BODY for each NUMBER of a code with its RANK; FAILED is set where the code does not fit its size or total. */
#define EACH_NUMBER(CODE, NUMBER, RANK, FAILED, BODY)                                                              \
    do {                                                                                                           \
        const uint64_t mask = ((uint64_t)1 << (CODE).width) - 1;                                                   \
        int64_t RANK = 0;                                                                                          \
        for (int64_t byte = 0; byte < (CODE).high_bytes && !(FAILED); byte += 8) {                                 \
            uint64_t word = load((CODE).high + byte);                                                              \
            if ((CODE).high_bytes - byte < 8) word &= ((uint64_t)1 << 8 * ((CODE).high_bytes - byte)) - 1;         \
            for (; word; word &= word - 1) {                                                                       \
                if (RANK >= (CODE).size) { (FAILED) = 1; break; }                                                  \
                int64_t NUMBER = byte * 8 + lowest_bit(word);                                                      \
                if (!(CODE).dense) {                                                                               \
                    int64_t bit = RANK * (CODE).width;                                                             \
                    NUMBER = ((NUMBER - RANK) << (CODE).width)                                                     \
                        | (int64_t)(load((CODE).low + (bit >> 3)) >> (bit & 7) & mask);                            \
                }                                                                                                  \
                if (NUMBER >= (CODE).total) { (FAILED) = 1; break; }                                               \
                BODY;                                                                                              \
                RANK++;                                                                                            \
            }                                                                                                      \
        }                                                                                                          \
        if (RANK != (CODE).size) (FAILED) = 1;                                                                     \
    } while (0)

static PyObject *damaged(void)
{
    PyErr_SetString(PyExc_ValueError, "the codes do not fit the sizes of their sets");
    return NULL;
}

/* decode(data, rows, out): the numbers of sets, one set after the other, into an array of as many uint32. */
static PyObject *decode(PyObject *self, PyObject *args)
{
    Py_buffer data, rows, out;
    if (!PyArg_ParseTuple(args, "y*y*w*", &data, &rows, &out)) return NULL;
    int failed = 0;
    uint32_t *to = out.buf;
    int64_t left = (int64_t)(out.len / sizeof(uint32_t));
    Py_BEGIN_ALLOW_THREADS
    const int64_t *row = rows.buf, *last = row + rows.len / sizeof(int64_t) / COLUMNS * COLUMNS;
    for (; row < last && !failed; row += COLUMNS) {
        Code code;
        if (!open_code(&code, row, data.buf, data.len) || code.size > left || code.total > (int64_t)UINT32_MAX + 1) {
            failed = 1;
            break;
        }
        EACH_NUMBER(code, number, rank, failed, to[rank] = (uint32_t)number);
        to += code.size;
        left -= code.size;
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&data);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&out);
    if (failed || left) return damaged();
    Py_RETURN_NONE;
}

/* A table of int64 that grows, three to a row. */
typedef struct { int64_t *cells; size_t used, room; } Table;

static int grow(Table *table)
{
    size_t room = table->room ? table->room * 2 : 3 << 12;
    int64_t *cells = realloc(table->cells, room * sizeof(int64_t));
    if (!cells) return 0;
    table->cells = cells;
    table->room = room;
    return 1;
}

/* meet(data, rows, held): for each number of a set that is held, the place of the set, the rank in it, the number. */
static PyObject *meet(PyObject *self, PyObject *args)
{
    Py_buffer data, rows, held;
    if (!PyArg_ParseTuple(args, "y*y*y*", &data, &rows, &held)) return NULL;
    int failed = 0, full = 0;
    Table table = {NULL, 0, 0};
    Py_BEGIN_ALLOW_THREADS
    const uint8_t *is_held = held.buf;
    const int64_t *first = rows.buf, *last = first + rows.len / sizeof(int64_t) / COLUMNS * COLUMNS;
    for (const int64_t *row = first; row < last && !failed && !full; row += COLUMNS) {
        Code code;
        if (!open_code(&code, row, data.buf, data.len) || code.total > held.len) { failed = 1; break; }
        int64_t place = (row - first) / COLUMNS;
        EACH_NUMBER(code, number, rank, failed, {
            if (is_held[number]) {
                if (table.used == table.room && !grow(&table)) { full = 1; failed = 1; break; }
                table.cells[table.used++] = place;
                table.cells[table.used++] = rank;
                table.cells[table.used++] = number;
            }
        });
    }
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&data);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&held);
    PyObject *found = NULL;
    if (full) PyErr_NoMemory();
    else if (failed) damaged();
    else found = PyByteArray_FromStringAndSize((const char *)table.cells, (Py_ssize_t)(table.used * sizeof(int64_t)));
    free(table.cells);
    return found;
}

/* Little-endian bytes. */
static uint8_t *put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

enum { CHUNK = 1 << 16, CHUNK_WORDS = CHUNK / 64, LISTED = 4096, COOKIE = 12346 };

/* A set of bits in the portable format of roaring bitmaps: chunks of up to LISTED numbers as lists, others as bits. */
static PyObject *serialized(const uint64_t *bits, const uint32_t *sizes, int64_t chunks)
{
    uint64_t filled = 0, size = 8;
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        if (sizes[chunk]) {
            filled++;
            size += 8 + (sizes[chunk] <= LISTED ? 2 * sizes[chunk] : CHUNK / 8);
        }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!bytes) return NULL;
    uint8_t *to = (uint8_t *)PyBytes_AS_STRING(bytes);
    uint64_t place = 8 + 8 * filled;
    to = put(put(to, COOKIE, 4), filled, 4);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        if (sizes[chunk]) to = put(put(to, (uint64_t)chunk, 2), sizes[chunk] - 1, 2);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        if (sizes[chunk]) {
            to = put(to, place, 4);
            place += sizes[chunk] <= LISTED ? 2 * sizes[chunk] : CHUNK / 8;
        }
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        for (int64_t at = 0; sizes[chunk] && at < CHUNK_WORDS; at++) {
            uint64_t word = bits[chunk * CHUNK_WORDS + at];
            if (sizes[chunk] > LISTED) to = store(to, word);
            else for (; word; word &= word - 1) to = put(to, (uint64_t)(at * 64 + lowest_bit(word)), 2);
        }
    return bytes;
}

/* unite(numbers, ranges, total): the union of ranges of uint32 numbers below total, as a serialized roaring bitmap. */
static PyObject *unite(PyObject *self, PyObject *args)
{
    Py_buffer numbers, ranges;
    Py_ssize_t total;
    if (!PyArg_ParseTuple(args, "y*y*n", &numbers, &ranges, &total)) return NULL;
    int64_t chunks = total > 0 && total <= (Py_ssize_t)UINT32_MAX + 1 ? ((int64_t)total + CHUNK - 1) / CHUNK : 0;
    uint64_t *bits = calloc((size_t)(chunks ? chunks : 1) * CHUNK_WORDS, sizeof(uint64_t));
    uint32_t *sizes = calloc((size_t)(chunks ? chunks : 1), sizeof(uint32_t));
    int failed = 0;
    if (bits && sizes) {
        Py_BEGIN_ALLOW_THREADS
        const uint32_t *number = numbers.buf;
        const int64_t *range = ranges.buf, *last = range + ranges.len / sizeof(int64_t) / 2 * 2;
        int64_t count = (int64_t)(numbers.len / sizeof(uint32_t));
        for (; range < last && !failed; range += 2) {
            if (range[0] < 0 || range[0] > range[1] || range[1] > count) { failed = 1; break; }
            for (int64_t i = range[0]; i < range[1]; i++) {
                if (number[i] >= (uint64_t)total || !chunks) { failed = 1; break; }
                uint64_t *word = bits + (number[i] >> 6), bit = (uint64_t)1 << (number[i] & 63);
                sizes[number[i] / CHUNK] += !(*word & bit);
                *word |= bit;
            }
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&ranges);
    PyObject *found = !bits || !sizes ? PyErr_NoMemory() : failed ? damaged() : serialized(bits, sizes, chunks);
    free(bits);
    free(sizes);
    return found;
}

static PyMethodDef methods[] = {
    {"decode", decode, METH_VARARGS, "decode(data, rows, out): the numbers of sets, one set after the other."},
    {"meet", meet, METH_VARARGS, "meet(data, rows, held): the numbers of sets that are held, as triples."},
    {"unite", unite, METH_VARARGS, "unite(numbers, ranges, total): a union, as a serialized roaring bitmap."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_codes", "The inner loops of postings.", 0, methods};

PyMODINIT_FUNC PyInit__codes(void) { return PyModule_Create(&module); }
