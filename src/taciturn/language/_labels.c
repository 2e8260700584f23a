/* The best labels of sentences (tagger.py), compiled where a compiler is at hand when Taciturn is installed.

   Nothing depends on this module: tagger.py does the same with numpy where it is absent, and a test holds the two
   against each other. Sums are made of the same float32 numbers in the same order, so that ties fall alike. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>

/* As in tagger.LABELS: outside a phrase; its begin, inside, end; a phrase of a single token. */
enum { O, B, I, E, S, LABELS };

/* The best of O, S and E to come from, given what each way there is worth; of equal ones the first of O, E, S. */
static int best_closed(float outside, float single, float after, float *worth)
{
    int from = O;
    *worth = outside;
    if (after > *worth) { from = E; *worth = after; }
    if (single > *worth) { from = S; *worth = single; }
    return from;
}

static void label_sentence(const float *scores, int64_t tokens, const float *moves, int8_t *before, int8_t *labels)
{
    const float never = -1e9f;
    float best[LABELS], next[LABELS];
    for (int label = 0; label < LABELS; label++) best[label] = scores[label];
    best[E] += never;
    best[I] += never;
    for (int64_t t = 1; t < tokens; t++) {
        const float *score = scores + t * LABELS;
        int8_t *from = before + t * LABELS;
        for (int label = 0; label < LABELS; label++) {
            if (label == E || label == I) {
                float begun = best[B] + moves[B * LABELS + label], inside = best[I] + moves[I * LABELS + label];
                from[label] = inside > begun ? I : B;
                next[label] = inside > begun ? inside : begun;
            } else {
                from[label] = (int8_t)best_closed(best[O] + moves[O * LABELS + label], best[S] + moves[S * LABELS + label],
                                                  best[E] + moves[E * LABELS + label], next + label);
            }
        }
        for (int label = 0; label < LABELS; label++) best[label] = next[label] + score[label];
    }
    float worth;
    int label = best_closed(best[O], best[S], best[E], &worth);
    for (int64_t t = tokens - 1; t >= 0; t--) {
        labels[t] = (int8_t)label;
        if (t) label = before[t * LABELS + label];
    }
}

/* decode(scores, lasts, moves, labels): the best legal labels of sentences whose last tokens are given, in order. */
static PyObject *decode(PyObject *self, PyObject *args)
{
    Py_buffer scores, lasts, moves, labels;
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &scores, &lasts, &moves, &labels)) return NULL;
    int64_t tokens = labels.len, sentences = (int64_t)(lasts.len / sizeof(int64_t)), longest = 0, first = 0;
    const int64_t *last = lasts.buf;
    int fits = (size_t)scores.len == tokens * LABELS * sizeof(float) && moves.len == LABELS * LABELS * sizeof(float);
    for (int64_t i = 0; i < sentences && fits; i++) {
        fits = last[i] >= first && last[i] < tokens;
        if (fits && last[i] + 1 - first > longest) longest = last[i] + 1 - first;
        first = last[i] + 1;
    }
    fits = fits && first == tokens;
    int8_t *before = fits ? malloc((size_t)(longest * LABELS + 1)) : NULL;
    if (before) {
        Py_BEGIN_ALLOW_THREADS
        first = 0;
        for (int64_t i = 0; i < sentences; i++) {
            const float *here = (const float *)scores.buf + first * LABELS;
            label_sentence(here, last[i] + 1 - first, moves.buf, before, (int8_t *)labels.buf + first);
            first = last[i] + 1;
        }
        Py_END_ALLOW_THREADS
    } else if (fits) PyErr_NoMemory();
    else PyErr_SetString(PyExc_ValueError, "the sentences do not fit the scores");
    free(before);
    PyBuffer_Release(&scores);
    PyBuffer_Release(&lasts);
    PyBuffer_Release(&moves);
    PyBuffer_Release(&labels);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"decode", decode, METH_VARARGS, "decode(scores, lasts, moves, labels): the best legal labels of sentences."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_labels", "The best labels of sentences.", 0, methods};

PyMODINIT_FUNC PyInit__labels(void) { return PyModule_Create(&module); }
