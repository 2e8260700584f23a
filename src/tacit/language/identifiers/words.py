"""The words that dates, numbers and units are made of, as patterns. All quantifiers are bounded."""

from __future__ import annotations

from tacit.language.identifiers.base import any_word

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
TIME_UNIT = (
    r"(?:(?:calendar|working|business|school|consecutive|full|more|further|whole)\s)?"
    r"(?i:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies)|nights?|fortnights?|hrs?|mins?|"
    r"secs?|wks?|yrs?|mos?|semesters?|quarters?)(?!\w)"
)
_UNITS = (
    "mg mcg µg μg ug kg ng pg g ml mL dl dL cl l L cc mmol mol mEq meq mm cm m km µm nm km/h kph mph m/s inches inch "
    "in\\. feet foot ft\\.? yards? miles? acres? hectares? ha lbs? pounds? oz ounces? litres? liters? gallons? pints? "
    "metres? meters? kilometres? kilometers? centimetres? centimeters? millimetres? millimeters? grammes? grams? "
    "kilograms? kilogrammes? kilos? milligrams? micrograms? millilitres? milliliters? tons? "
    "tonnes? °C °F ° degrees? bpm mmHg kPa "
    "kcal calories units? IU U tablets? capsules? drops? puffs? watts? W kW MW V kV volts? Hz kHz MHz GHz KB MB GB TB "
    "bytes? Fr French gauge pack-years? ppd pages? psi dB ppm packs? cigarettes? cm² m² km² cm³ m³ beats breaths"
).split()
MEASURE = (
    r"(?:(?:square|cubic|sq\.?|cu\.?)\s)?(?:" + "|".join(sorted(_UNITS, key=lambda unit: (-len(unit), unit)))
    + r")(?:(?:\s?/\s?|\sper\s)(?i:kg|g|dl|l|ml|min|minute|hour|hr|h|day|d|week|m2|m²|sec|s|dose)(?!\w)){0,2}(?!\w)"
)  # fmt: skip
