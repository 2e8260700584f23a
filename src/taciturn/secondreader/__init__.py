"""The second reader: what is protected, and what was removed, searched in a released text.

Planning and checking both find terms by the same language layer, so what that layer misses both miss. This package
searches the text for the written forms of names by code of its own: it has no tagger, no keys and no taxonomy, and
imports nothing of Taciturn. It looks at letters only, after undoing what hides a word from a search: look-alike
letters, invisible characters, accents, capitals, separators, line ends, spelling variants and single wrong letters.

>>> forms = forms_of(["HIV", "hepatitis C"])
>>> text = "Known #hiv_status; Hepatitis-\\nC, H.I.V. and \\u041dIV."
>>> [(text[h.start : h.end], h.form.text) for h in read(text, forms)]
[('hiv', 'HIV'), ('Hepatitis-\\nC', 'hepatitis C'), ('H.I.V', 'HIV'), ('\u041dIV', 'HIV')]
"""

from taciturn.secondreader.forms import Form, Forms, How, form_of, forms_of
from taciturn.secondreader.search import Hit, read

__all__ = ["Form", "Forms", "Hit", "How", "form_of", "forms_of", "read"]
