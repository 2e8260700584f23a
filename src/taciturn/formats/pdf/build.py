"""The released PDF is a new document: only what is known to be needed is copied, and every string on the way is swept.

So earlier revisions, orphans, scripts, metadata and whatever else hangs on the old file cannot come along.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Pdf, Stream, String

from taciturn.formats.base import Options
from taciturn.formats.pdf.cmaps import to_unicode_stream
from taciturn.formats.pdf.fonts import FONT_ERRORS, Font, numbers_by_cid, spelled
from taciturn.formats.pdf.raster import picture_of
from taciturn.formats.pdf.resources import inherited
from taciturn.formats.pdf.source import Key, Scope, Source
from taciturn.formats.pdf.subset import shrink_program
from taciturn.formats.pictures import without_metadata
from taciturn.formats.sweep import Sweeper
from taciturn.formats.vocabulary import PDF_NAMES

__all__ = ["Builder", "Written"]

_CATEGORIES = ("/ExtGState", "/ColorSpace", "/Pattern", "/Shading", "/XObject", "/Font", "/Properties")
_NEVER = frozenset(
    "/Parent /P /StructParent /StructParents /Metadata /PieceInfo /LastModified /AA /A /Alternates /OPI /Ref "
    "/Measure /PtData /ID /Thumb /B /Annots /AF /Alt /ActualText /E /T /TU /TM /Contents /JS /FontFamily /CharSet "
    "/CIDSet /Style /Lang /Usage /CreatorInfo /SeparationInfo /Tabs /TemplateInstantiated /PresSteps /VP /DPart "
    "/Trans /Dur /Private".split()
)
_IMAGE_KEYS = frozenset(
    "/Type /Subtype /Width /Height /ColorSpace /BitsPerComponent /Intent /ImageMask /Mask /Decode /Interpolate /SMask "
    "/SMaskInData /OC".split()
)
_GREY = b"\xcc"
_INKS = frozenset(("All", "None", "Cyan", "Magenta", "Yellow", "Black"))


def _is_spot(array: Any) -> bool:
    return len(array) >= 4 and isinstance(array[0], Name) and array[0] in (Name.Separation, Name.DeviceN)


@dataclass(slots=True)
class Written:
    """A scope after redaction: its new bytes, the standard fonts they use, resources that got another name."""

    data: bytes
    fonts: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Builder:
    """Copies what is needed into a new document."""

    source: Source
    sweeper: Sweeper
    options: Options
    written: Mapping[Key, Written]
    codes: Mapping[Key, set[int]]  # of fonts that lost letters: the codes still used
    layers: Mapping[Key, str]
    scans: Mapping[Key, Callable[[Any], Any]]  # of the pictures of scanned pages: their pixels after redaction
    new: Pdf = field(default_factory=Pdf.new)
    made: dict[Key, Any] = field(default_factory=dict)
    standard: dict[str, Any] = field(default_factory=dict)

    def page(self, scope: Scope) -> None:
        """One page: size, rotation, content, resources; nothing else."""
        old = scope.stream
        box = [float(v) for v in inherited(old, "/MediaBox")]
        page = self.new.add_blank_page(page_size=(max(abs(box[2] - box[0]), 3), max(abs(box[3] - box[1]), 3))).obj
        page["/MediaBox"] = Array(box)
        for key in ("/CropBox", "/Rotate", "/UserUnit"):
            value = inherited(old, key)
            if isinstance(value, Array):
                page[key] = Array([float(v) for v in value])
            elif isinstance(value, int):
                page[key] = value
        group = old.get("/Group")
        if isinstance(group, Dictionary):
            page["/Group"] = self.copy(group)
        written = self.written[scope.key]
        page["/Contents"] = self.new.make_stream(written.data)
        page["/Resources"] = self.resources(scope.resources, written)

    def resources(self, old: Object, written: Written) -> Dictionary:
        made = Dictionary()
        for category in _CATEGORIES:
            items = old.get(category)
            if not isinstance(items, Dictionary):
                continue
            copied = Dictionary()
            for name in sorted(items.keys()):
                item = items[name]
                if category == "/Properties" and not (
                    isinstance(item, Dictionary) and str(item.get("/Type", "")) in ("/OCG", "/OCMD")
                ):
                    continue
                if category == "/XObject" and not isinstance(item, Stream):
                    continue
                copied[written.renamed.get(name, name)] = self.copy(item)
            if len(copied.keys()):
                made[category] = copied
        for name, likeness in written.fonts.items():
            if "/Font" not in made:
                made["/Font"] = Dictionary()
            made["/Font"][name] = self.standard_font(likeness)
        return made

    def standard_font(self, likeness: str) -> Any:
        if likeness not in self.standard:
            self.standard[likeness] = self.new.make_indirect(
                Dictionary(
                    Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{likeness}"), Encoding=Name.WinAnsiEncoding
                )
            )
        return self.standard[likeness]

    def copy(self, old: Any) -> Any:
        """A copy of any object, swept, once for each numbered object."""
        if isinstance(old, String):
            return self._string(old)
        if isinstance(old, Name):
            return self._name(old)
        if isinstance(old, Array):
            return self._colour(old) if _is_spot(old) else Array([self.copy(item) for item in old])
        if not isinstance(old, Dictionary | Stream):
            return old
        key = old.objgen
        if key != (0, 0) and key in self.made:
            return self.made[key]
        if isinstance(old, Stream):
            return self._stream(old)
        new: Any = Dictionary()
        if key != (0, 0):
            new = self.made[key] = self.new.make_indirect(new)
        if key in self.layers and str(old.get("/Type", "")) == "/OCG":
            new["/Type"], new["/Name"] = Name.OCG, String(self.layers[key])
            return new
        graphics_state = str(old.get("/Type", "")) == "/ExtGState"
        for name in sorted(old.keys()):
            if name not in _NEVER and not (graphics_state and name == "/Font"):
                new[self._key(name)] = self.copy(old[name])
        if key in self.codes:
            self._shrink(old, new, self.source.fonts[key], self.codes[key])
        return new

    def _colour(self, old: Any) -> Any:
        """A colour with a name of its own, which somebody chose: it says nothing to a reader, and goes if it tells."""
        kind, names, *rest = list(old)[:4]  # what may follow is for printers, and names the colours again
        if isinstance(names, Array):
            return Array([kind, Array([self._ink(name) for name in names]), *map(self.copy, rest)])
        return Array([kind, self._ink(names), *map(self.copy, rest)])

    def _ink(self, name: Any) -> Any:
        text = spelled(name)[1:]
        return Name.Ink if text not in _INKS and self.sweeper.hits(text) else Object.parse(name.unparse())

    def _string(self, old: String) -> Any:
        text = str(old)
        return String(self.sweeper.clean(text)) if self.sweeper.hits(text) else String(bytes(old))

    def _name(self, old: Any) -> Any:
        text = spelled(old)[1:]
        if text in PDF_NAMES or not self.sweeper.hits(text, structure=True):
            return Object.parse(old.unparse())
        return Name("/" + re.sub(r"[^\w+-]", "", self.sweeper.clean(text, structure=True, mark="X")))

    def _key(self, key: str) -> str:
        if key[1:] in PDF_NAMES or not self.sweeper.hits(key[1:], structure=True):
            return key
        return "/" + re.sub(r"[^\w+-]", "", self.sweeper.clean(key[1:], structure=True, mark="X"))

    def _stream(self, old: Any) -> Any:
        key = old.objgen
        new = self.made[key] = self.new.make_stream(b"")
        if key in self.written:
            written = self.written[key]
            new.write(written.data)
            for name in sorted(old.keys()):
                if name not in _NEVER and name not in ("/Resources", "/Filter", "/DecodeParms", "/Length", "/Name"):
                    new[name] = self.copy(old[name])
            scope_resources = old.get("/Resources")
            if isinstance(scope_resources, Dictionary) or written.fonts:
                new["/Resources"] = self.resources(
                    scope_resources if isinstance(scope_resources, Dictionary) else Dictionary(), written
                )
            return new
        if key in self.scans:
            picture_of(new, self.scans[key](old))
        elif str(old.get("/Subtype", "")) == "/Image":
            self._picture(old, new)
        elif str(old.get("/Subtype", "")) in ("/PS", "/Form"):
            new["/Type"], new["/Subtype"], new["/BBox"] = Name.XObject, Name.Form, Array([0, 0, 0, 0])
        else:
            self._data(old, new)
        return new

    def _data(self, old: Any, new: Any) -> None:
        """Fonts, functions, profiles, maps: as they are, but for comments in those that are programs."""
        if "/FunctionType" in old or "/CMapName" in old:
            new.write(re.sub(rb"%[^\r\n]*", b"", old.read_bytes()))
            skipped = ("/Filter", "/DecodeParms", "/Length")
        else:
            raw = old.read_raw_bytes()
            new.write(raw, filter=self.copy(old.get("/Filter")), decode_parms=self.copy(old.get("/DecodeParms")))
            skipped = ("/Filter", "/DecodeParms", "/Length")
        for name in sorted(old.keys()):
            if name not in _NEVER and name not in skipped:
                new[self._key(name)] = self.copy(old[name])

    def _picture(self, old: Any, new: Any) -> None:
        filters = old.get("/Filter")
        names = (
            [str(f) for f in filters] if isinstance(filters, Array) else [str(filters)] if filters is not None else []
        )
        keep = self.options.pictures == "keep" and "/JPXDecode" not in names
        raw = old.read_raw_bytes() if keep else b""
        coding, parameters = self.copy(old.get("/Filter")), self.copy(old.get("/DecodeParms"))
        if keep and "/DCTDecode" in names:
            # Metadata stands in the JPEG, so whatever it is packed in is taken off first.
            clean = without_metadata(self._unpacked(old, names, parameters))
            keep, raw, coding = clean is not None, clean or b"", Name.DCTDecode
            if isinstance(parameters, Array):
                parameters = parameters[-1] if len(parameters) == len(names) else None
        if keep:
            new.write(raw, filter=coding, decode_parms=parameters)
            for name in sorted(old.keys()):
                if name in _IMAGE_KEYS:
                    new[name] = self.copy(old[name])
            return
        new.write(_GREY)
        new["/Type"], new["/Subtype"] = Name.XObject, Name.Image
        new["/Width"] = new["/Height"] = 1
        new["/ColorSpace"], new["/BitsPerComponent"] = Name.DeviceGray, 8

    def _unpacked(self, old: Any, names: list[str], parameters: Any) -> bytes:
        """The bytes of a JPEG, without the filters around it."""
        if len(names) == 1:
            return bytes(old.read_raw_bytes())
        if names.index("/DCTDecode") != len(names) - 1:
            return b""  # a picture of a picture: nobody writes that
        self.source.measure(old)
        inner = list(parameters)[:-1] if isinstance(parameters, Array) else []
        packed = self.new.make_stream(b"")
        packed.write(
            old.read_raw_bytes(),
            filter=Array([Name(n) for n in names[:-1]]),
            decode_parms=Array([p if isinstance(p, Dictionary) else Dictionary() for p in inner]) if inner else None,
        )
        return bytes(packed.read_bytes())

    def _shrink(self, old: Any, new: Any, font: Font, codes: set[int]) -> None:
        """Take letters that are used no more out of a font: outlines, map to Unicode, widths, names."""
        if "/ToUnicode" in new:
            width = 1 if font.simple else max((font.lengths.get(code, 2) for code in codes), default=2)
            texts = {code: text for code in sorted(codes) if (text := font.texts.get(code))}
            new["/ToUnicode"] = self.new.make_stream(to_unicode_stream(texts, width))
        if font.simple:
            if isinstance(old.get("/Widths"), Array):
                first = old.get("/FirstChar", 0)
                first = first if isinstance(first, int) else 0
                new["/Widths"] = Array([w if first + i in codes else 0 for i, w in enumerate(old["/Widths"])])
            self._drop_names(new, codes)
            if isinstance(new.get("/CharProcs"), Dictionary):
                self._drop_procedures(new)
        holder = new if font.simple else self._shrink_inner(new, font, codes)
        descriptor = holder.get("/FontDescriptor")
        if isinstance(descriptor, Dictionary):  # its own, for another font may share it and keep other letters
            descriptor = holder["/FontDescriptor"] = self.new.make_indirect(
                Dictionary({key: descriptor[key] for key in sorted(descriptor.keys())})
            )
        try:
            program = shrink_program(font, old, codes)
        except FONT_ERRORS:  # a program that cannot be taken apart stays whole: it says which letters there were
            return
        if program and isinstance(descriptor, Dictionary):
            stream = self.new.make_stream(program.data)
            if program.kind:
                stream["/Subtype"] = Name(program.kind)
            for number, length in enumerate(program.lengths, 1):
                stream[f"/Length{number}"] = length
            descriptor[program.key] = stream

    def _shrink_inner(self, new: Any, font: Font, codes: set[int]) -> Any:
        """The inner font of a composite one, with widths and numbers of the glyphs that are still used."""
        inner = Dictionary(new["/DescendantFonts"][0])
        new["/DescendantFonts"] = Array([self.new.make_indirect(inner)])
        assert font.code_map is not None
        found = (font.code_map.cid(font.lengths.get(code, 2), code) for code in codes)
        cids = sorted({cid for cid in found if cid is not None})
        for key, each in (("/W", 1), ("/W2", 3)):
            if isinstance(inner.get(key), Array):
                numbers = dict(numbers_by_cid(inner[key], each))
                inner[key] = Array([x for cid in cids if cid in numbers for x in (cid, Array(numbers[cid]))])
        mapping = inner.get("/CIDToGIDMap")
        if isinstance(mapping, Stream):
            table = bytes(mapping.read_bytes())
            kept = bytearray(len(table))
            for cid in cids:
                kept[2 * cid : 2 * cid + 2] = table[2 * cid : 2 * cid + 2]
            inner["/CIDToGIDMap"] = self.new.make_stream(bytes(kept))
        return inner

    def _drop_names(self, new: Any, codes: set[int]) -> None:
        encoding = new.get("/Encoding")
        if not isinstance(encoding, Dictionary) or not isinstance(encoding.get("/Differences"), Array):
            return
        kept: list[Any] = []
        code, expected = 0, -1
        for item in encoding["/Differences"]:
            if not isinstance(item, Name):
                code = int(item)
                continue
            if code in codes:
                if code != expected:
                    kept.append(code)
                kept.append(item)
                expected = code + 1
            code += 1
        fresh = Dictionary({k: encoding[k] for k in sorted(encoding.keys()) if k != "/Differences"})
        fresh["/Differences"] = Array(kept)
        new["/Encoding"] = fresh

    def _drop_procedures(self, new: Any) -> None:
        encoding = new.get("/Encoding")
        names = (
            {str(n) for n in encoding["/Differences"] if isinstance(n, Name)}
            if isinstance(encoding, Dictionary)
            else set()
        )
        if names:
            procedures = new["/CharProcs"]
            for name in sorted(procedures.keys()):
                if name not in names:
                    del procedures[name]

    def finish(self, version: str) -> bytes:
        """The bytes of the new document; the same document gives the same bytes."""
        self._links()
        self._layers()
        buffer = io.BytesIO()
        self.new.remove_unreferenced_resources()
        self.new.save(
            buffer,
            deterministic_id=True,
            object_stream_mode=ObjectStreamMode.generate,
            compress_streams=True,
            min_version=version,
        )
        return buffer.getvalue()

    def _links(self) -> None:
        for link in self.source.links:
            page = self.new.pages[link.page].obj
            annotation = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array(link.area), Border=Array([0, 0, 0]))
            if link.address:
                address = self.sweeper.clean(link.address, mark="redacted")
                annotation["/A"] = Dictionary(S=Name.URI, URI=String(address))
            else:
                annotation["/Dest"] = Array([self.new.pages[link.target].obj, Name.Fit])
            if "/Annots" not in page:
                page["/Annots"] = Array()
            page["/Annots"].append(self.new.make_indirect(annotation))

    def _layers(self) -> None:
        """Which layers are shown: without it, layers that were hidden would show."""
        old = self.source.pdf.Root.get("/OCProperties")
        if not isinstance(old, Dictionary):
            return
        groups = [g for g in old.get("/OCGs", Array()) if isinstance(g, Dictionary)]
        default = old.get("/D", Dictionary())
        config = Dictionary()
        for key in ("/BaseState", "/ON", "/OFF", "/RBGroups", "/Locked"):
            if isinstance(default, Dictionary) and key in default:
                config[key] = self.copy(default[key])
        config["/Order"] = Array([self.copy(g) for g in groups])
        self.new.Root["/OCProperties"] = Dictionary(OCGs=Array([self.copy(g) for g in groups]), D=config)
