"""Words that belong to a format and not to a text: they are neither swept nor taken for leaks.

A page that hides the word "center" may still be centred. These lists are shared by writers and leak check, as data.
"""

from __future__ import annotations

import re

__all__ = ["HTML_ELEMENTS", "PDF_NAMES", "is_html_attribute", "is_html_value", "is_office_value", "is_shape_name"]

HTML_ELEMENTS = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote body br button "
    "canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed "
    "fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe "
    "img input ins kbd label legend li link listing main map mark marquee menu meta meter nav nobr noembed noframes "
    "noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp "
    "script search section select slot small source span strike strong style sub summary sup svg table tbody td "
    "template textarea tfoot th thead time title tr track tt u ul var video wbr xmp "
    "animate animatetransform animatemotion circle clippath defs desc ellipse fegaussianblur feoffset feblend "
    "fecolormatrix femerge femergenode filter foreignobject g image line lineargradient marker mask metadata path "
    "pattern polygon polyline radialgradient rect set stop switch symbol text textpath tspan use view "
    "math annotation semantics mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup "
    "msup mtable mtd mtext mtr munder munderover menclose merror mfenced".split()
)
"""The elements of HTML, SVG and MathML. What is not here, its author made up."""

_HTML_ATTRIBUTES = frozenset(
    "abbr accept accept-charset accesskey action align alink allow allowfullscreen alt async autocomplete autofocus "
    "autoplay axis bgcolor border capture cellpadding cellspacing char charoff charset checked cite class clear code "
    "codebase color cols colspan compact content contenteditable controls coords crossorigin data datetime decoding "
    "default defer dir dirname disabled download draggable enctype enterkeyhint face fetchpriority for form "
    "formmethod formnovalidate formtarget frame frameborder headers height hidden high href hreflang hspace "
    "http-equiv id imagesizes imagesrcset inert inputmode is ismap itemprop itemref itemscope itemtype kind label "
    "lang language link list loading longdesc loop low marginheight marginwidth max maxlength media method min "
    "minlength multiple muted name nohref nomodule noresize noshade novalidate nowrap open optimum part pattern "
    "placeholder playsinline popover poster preload prompt property readonly rel required rev reversed role rows "
    "rowspan rules sandbox scope scrolling selected shape size sizes slot span spellcheck src srclang srcset standby "
    "start step style summary tabindex target text title translate type typeof usemap valign value valuetype version "
    "vlink vspace width wrap xmlns "
    "clip-path clip-rule clippathunits cx cy d dominant-baseline dx dy fill fill-opacity fill-rule filter flood-color "
    "flood-opacity font-family font-size font-style font-weight fx fy gradienttransform gradientunits letter-spacing "
    "marker-end marker-mid marker-start markerheight markerunits markerwidth mask offset opacity orient "
    "patterntransform patternunits points preserveaspectratio r refx refy result rotate rx ry stddeviation "
    "stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin "
    "stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration textlength transform "
    "transform-origin vector-effect viewbox visibility word-spacing x x1 x2 y y1 y2 display in in2 mode "
    "xlink:href xlink:title xml:space xml:lang xmlns:xlink encoding mathvariant displaystyle".split()
)

_HTML_FIXED = frozenset(
    "style type lang dir rel role width height viewbox d points transform fill stroke charset http-equiv colspan "
    "rowspan align valign border cellpadding cellspacing target method media sizes tabindex scope xmlns content "
    "loading".split()
)
"""Attributes of HTML and SVG whose values are numbers or fixed words."""

_HTML_VALUES = frozenset(
    "left right center justify top bottom middle baseline ltr rtl auto none get post dialog row col rowgroup colgroup "
    "lazy eager all screen print speech and not only min max width height min-width max-width orientation landscape "
    "portrait device-width device-height initial-scale maximum-scale minimum-scale user-scalable shrink-to-fit no yes "
    "button checkbox color date datetime-local email file hidden image month number password radio range reset search "
    "submit tel text time url week module stylesheet icon shortcut alternate author canonical dns-prefetch external "
    "help license manifest modulepreload next nofollow noopener noreferrer opener pingback preconnect prefetch "
    "preload prev privacy-policy tag terms-of-service apple-touch-icon bookmark blank self parent top _blank _self "
    "_parent _top utf-8 content-type x-ua-compatible ie edge viewport noindex noarchive index follow dark light "
    "white black red green blue yellow gray grey silver orange currentcolor transparent inherit disc circle square a i "
    "presentation navigation main banner complementary contentinfo form region alert status heading list listitem "
    "link tab tablist tabpanel menu menuitem menubar table cell rowheader columnheader grid gridcell tree treeitem img "
    "group separator article application document en en-us en-gb de fr es it".split()
)
_HTML_MEASURE = re.compile(r"[-+]?[0-9.]*[0-9](?:px|em|rem|pt|%|vw|vh|cm|mm|in|e-?[0-9]+)?|#[0-9a-fA-F]{3,8}|[A-Za-z]")
_HTML_DRAWING = re.compile(r"[\sMmLlHhVvCcSsQqTtAaZzEe0-9.,+-]*")
_HTML_TYPE = re.compile(r"(?:text|image|audio|video|font|application)/[a-z0-9.+-]{1,60}")
_HTML_NAMESPACE = re.compile(r"https?://www\.w3\.org/[A-Za-z0-9/#.-]*")


def is_html_attribute(name: str) -> bool:
    """Whether an attribute is one of HTML or SVG, and none that an author made up."""
    return name.lower() in _HTML_ATTRIBUTES or re.fullmatch("aria-[a-z]{3,16}", name.lower()) is not None


def is_html_value(name: str, value: str) -> bool:
    """Whether the value of an attribute is nothing but numbers and fixed words, as that attribute's values are.

    >>> [is_html_value("rel", "noopener nofollow"), is_html_value("rel", "hiv"), is_html_value("id", "left")]
    [True, False, False]
    """
    if name.lower() not in _HTML_FIXED:
        return False
    if _HTML_TYPE.fullmatch(value) or _HTML_NAMESPACE.fullmatch(value):
        return True
    if name.lower() in ("d", "points", "viewbox") and _HTML_DRAWING.fullmatch(value):
        return True
    words = re.split(r"[\s,;:=()]+", value.lower())
    return all(not word or word in _HTML_VALUES or _HTML_MEASURE.fullmatch(word) is not None for word in words)


_OFFICE_VALUES = frozenset(
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

_SHAPE_NAME = re.compile(
    r"(?:(?:Title|Subtitle|Text|Content|Picture|Chart|Table|SmartArt|Media|Date|Footer|Header|Slide Number|Slide Image|"
    r"Notes|Vertical Text|Vertical Title|Online Image|ClipArt) Placeholder|Title|Subtitle|TextBox|Text Box|Picture|"
    r"Table|Chart|Diagram|Group|Rectangle|Oval|Line|Straight Connector|Straight Arrow Connector|Arrow|"
    r"Graphic|Shape|Freeform|Connector)(?: \d{1,5})?"
)


def is_shape_name(text: str) -> bool:
    """Whether a shape has the name that its program gave it; people give others.

    >>> [is_shape_name(text) for text in ("Slide Number Placeholder 5", "Title 1", "Picture of Ann")]
    [True, True, False]
    """
    return _SHAPE_NAME.fullmatch(text) is not None


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
    return value in _OFFICE_VALUES or _MEASURE.fullmatch(value) is not None
