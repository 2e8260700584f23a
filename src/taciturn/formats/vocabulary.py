"""Words that belong to a format and not to a text: they are neither swept nor taken for leaks.

A page that hides the word "center" may still be centred. These lists are shared by writers and leak check, as data.
"""

from __future__ import annotations

import re

__all__ = ["HTML_STRUCTURE", "OFFICE_VALUES", "PDF_NAMES", "is_office_value"]

HTML_STRUCTURE = frozenset(
    "style type lang dir rel role width height viewbox d points transform fill stroke charset http-equiv colspan "
    "rowspan align valign border cellpadding cellspacing target method media sizes tabindex scope xmlns content "
    "loading".split()
)
"""Attributes of HTML and SVG whose values are numbers or fixed words."""

OFFICE_VALUES = frozenset(
    "none auto default single double thick dotted dashed dash dotDash wave words left right center both start end "
    "top bottom middle justify distribute baseline superscript subscript continuous nextPage nextColumn evenPage "
    "oddPage even odd first page column line text textWrapping paragraph character table numbering decimal bullet "
    "lowerLetter upperLetter lowerRoman upperRoman tab space nothing clear nil pct dxa exact atLeast portrait "
    "landscape begin separate preserve on off true false yes no black blue cyan green magenta red yellow white "
    "gray darkBlue darkCyan darkGreen darkMagenta darkRed darkYellow darkGray lightGray eastAsia hAnsi ascii cs "
    "minor major minorHAnsi majorHAnsi minorEastAsia majorEastAsia minorBidi majorBidi fixed autofit margin "
    "around tight square through behind inline anchor content title subtitle body heading normal hidden visible "
    "restart continue solid rect shape picture simple chapter bold italic underline header footer footnote "
    "endnote comment graphic frame section style color size font language spelling grammar clean dirty print web "
    "outline master draft view full hyperlink field date time number string float boolean percentage currency "
    "paragraph-content standard automatic always avoid scroll repeat no-repeat stretch transparent collapsing "
    "separating margins wrap parallel dynamic as-char char from-left from-top to-left below above collapse ltr "
    "rtl tb lr-tb rl-tb tb-rl accent1 accent2 accent3 accent4 accent5 accent6 dark1 dark2 light1 light2 "
    "followedHyperlink background1 text1 background2 text2 phClr tx1 tx2 bg1 bg2 dk1 dk2 lt1 lt2 hlink folHlink "
    "latin".split()
)
"""Enumerated values of word processing formats."""

PDF_NAMES = frozenset(
    "Type Page Pages Catalog Font Name Names Title Author Subject Keywords Creator Producer Contents Resources "
    "Parent Kids Count Length Filter Root Info Size Prev Index First Last Next Dest Dests Action Annot Annots "
    "Border Rect Subtype Link Text Image Form Group Pattern Shading Color Space Mask Matrix Domain Range Function "
    "Functions Bounds Encode Decode Width Widths Height Weight Flags Ascent Descent Leading Italic Angle Style "
    "Family Stretch Encoding Differences Standard Table Row Cell List Item Figure Caption Document Part Section "
    "Article Quote Note Reference Code Span Label Header Footer Artifact Lang Layout Placement Block Inline "
    "Before After Start End Center Justify Left Right Top Bottom Black White Gray Normal Multiply Screen Overlay "
    "Darken Lighten Difference Exclusion Saturation Luminosity Identity Alternate Metadata Version Extensions "
    "Mark Marked Order Base State Event Usage Export Print View Zoom User Open Close Crop Media Trim Bleed Tabs "
    "Rotate Helvetica Times Courier Symbol Roman Bold Oblique".split()
)
"""Words of the PDF syntax."""

_MEASURE = re.compile(
    r"-?[0-9.]{1,6}(?:pt|in|cm|mm|px|em|%)?|#?[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8}|\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?"
    r"|https?://(?:schemas\.|www\.w3\.org|purl\.org|openoffice\.org)[^\s]*|urn:[a-z:-]+[^\s]*|(?:application|image|text)/[\w.+-]+"
)


def is_office_value(value: str) -> bool:
    """Whether an attribute's value is a measure, an enumerated word or a name of the standard.

    >>> [is_office_value(v) for v in ("center", "12.5pt", "00FF00", "Antonio")]
    [True, True, True, False]
    """
    return value in OFFICE_VALUES or _MEASURE.fullmatch(value) is not None
