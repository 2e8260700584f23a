"""The words that dates, numbers and units are made of, as patterns. All quantifiers are bounded."""

from __future__ import annotations

from tacit.language.identifiers.base import Late, any_word

MONTHS = "January February March April May June July August September October November December".split()
MONTHS_SHORT = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SEASONS = "spring summer autumn fall winter".split()
HOLIDAYS = ["Christmas", "Easter", "Thanksgiving", "Halloween", "Ramadan", "Hanukkah", "Passover", "New Year's"]
ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first"
).split()
VAGUE = ["several", "few", "couple of", "half a", "half an", "hundred", "dozen", "many"]
CURRENCIES = (
    "EUR USD GBP CHF JPY CNY RUB RUR TRY TRL YTL PLN CZK HUF RON BGN HRK SEK NOK DKK ISK UAH GEL AMD AZN MDL RSD "
    "CAD AUD NZD MXN BRL ARS PKR ZAR ILS AED SAR EGP KRW SGD HKD THB DEM ATS FRF ITL ESP PTE GRD NLG BEF FIM IEP "
    "CYP MTL SIT SKK LTL LVL EEK"
).split()

MONTH = (
    r"(?:" + any_word([*MONTHS, *(m.upper() for m in MONTHS)]) + r"|"
    + any_word([*MONTHS_SHORT, *(m.upper() for m in MONTHS_SHORT)]) + r"\.?)(?![a-z])"
)  # fmt: skip
MONTH_ANY_CASE = (
    r"(?i:" + any_word([m.lower() for m in MONTHS]) + r"|" + any_word(m.lower() for m in MONTHS_SHORT) + r")"
)
DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\d)"
YEAR = r"(?:1[0-9]|20)\d\d(?![\d%])"
NUMBER = r"(?>\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,6})?)"
NUMBER_WORD = (
    r"(?i:(?:" + any_word(TENS) + r"(?:[- ]" + any_word(ONES[:9]) + r")?|" + any_word([*ONES, *VAGUE])
    + r")(?:[- ](?:hundred|thousand|million|dozen)){0,2})"
)  # fmt: skip
RANGE_SIGN = r"(?:\s?[-–—−/x×]\s?|\s(?:to|and|or|by)\s)"
_TIME_WORDS = (
    "year month week day hour minute second decade night fortnight hr min sec wk yr mo semester quarter".split()
)
_TIME_WORDS = [form for word in _TIME_WORDS for form in (word, word + "s")] + ["century", "centuries"]
_OF_TIME = "calendar working business school consecutive full more further whole".split()
TIME_UNIT = rf"(?:(?:{any_word(_OF_TIME)})\s)?(?i:{any_word(_TIME_WORDS)})(?!\w)"
_UNITS = (
    "mg mcg µg μg ug kg ng pg g ml mL dl dL cl l L cc mmol mol mEq meq mm cm m km µm nm km/h kph mph m/s inches inch "
    "in\\. feet foot ft\\.? yards? miles? acres? hectares? ha lbs? pounds? oz ounces? litres? liters? gallons? pints? "
    "metres? meters? kilometres? kilometers? centimetres? centimeters? millimetres? millimeters? grammes? grams? "
    "kilograms? kilogrammes? kilos? milligrams? micrograms? millilitres? milliliters? tons? "
    "tonnes? °C °F ° degrees? bpm mmHg kPa "
    "kcal calories units? IU U tablets? capsules? drops? puffs? watts? W kW MW V kV volts? Hz kHz MHz GHz KB MB GB TB "
    "bytes? Fr French gauge pack-years? ppd pages? psi dB ppm packs? cigarettes? cm² m² km² cm³ m³ beats breaths"
).split()
_SIZES = ["square", "cubic", "sq.", "sq", "cu.", "cu"]
MEASURE = (
    rf"(?:(?:{any_word(_SIZES)})\s)?(?:" + "|".join(sorted(_UNITS, key=lambda unit: (-len(unit), unit)))
    + r")(?:(?:\s?/\s?|\sper\s)(?i:kg|g|dl|l|ml|min|minute|hour|hr|h|day|d|week|m2|m²|sec|s|dose)(?!\w)){0,2}(?!\w)"
)  # fmt: skip
MONEY = (
    "euros? dollars? pounds? cents? pence francs? marks? liras? lire zlotys? kronor kroner krona kronas krone roubles? "
    "rubles? yen yuan rupees? pesos? reais rand shekels? schillings? shillings? drachmas? forints? koruny korunas? "
    "crowns? leva? lei hryvnias? dinars? dirhams? guilders? pesetas? escudos? mark"
).split()
SCALE = r"(?:\s?(?:hundred|thousand|million|billion|trillion|mn|bn|[kKmM])(?!\w))?"
FRACTION = r"(?:\sand\s(?:a\shalf|one\shalf|a\squarter)|½)?"


def _forms(unit: str) -> list[str]:
    """The words that one of the patterns above stands for."""
    plain = unit.replace("\\", "")
    return [plain[:-2], plain[:-1]] if plain.endswith("?") else [plain]


_COUNTED = [
    *(form for unit in (*_UNITS, *MONEY) for form in _forms(unit)),
    *(*_TIME_WORDS, *_OF_TIME, *_SIZES, "per", "percent", "percentage", "y", "yo"),
]
COUNTS = Late(
    rf"[3-7]\s?['’′f]|{NUMBER}{SCALE}(?:(?:{RANGE_SIGN}|\s?(?:and|or)\s)(?:{NUMBER}|{NUMBER_WORD}){SCALE}){{0,3}}"
    rf"{FRACTION}[\s-]{{0,2}}(?:[%€£°A-Z]|(?i:{any_word(word.lower() for word in _COUNTED)})(?!\w))"
)
"""What every amount, duration and age that begins with a digit begins with: numbers, then the first word of a unit.

Most numbers are years and pages: one look tells that none of six patterns can match there.
"""
