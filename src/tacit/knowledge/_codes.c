/* The inner loops of postings.py, compiled where a compiler is at hand when Tacit is installed.

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

static uint64_t load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
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

static PyMethodDef methods[] = {
    {"decode", decode, METH_VARARGS, "decode(data, rows, out): the numbers of sets, one set after the other."},
    {"meet", meet, METH_VARARGS, "meet(data, rows, held): the numbers of sets that are held, as triples."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_codes", "The inner loops of postings.", 0, methods};

PyMODINIT_FUNC PyInit__codes(void) { return PyModule_Create(&module); }
