"""Words that mean another day on every run, in the common forms of six languages.

Looked for in text without accents, in lower case, with one space between words, so that composed and decomposed letters,
missing accents and line breaks make no difference. Each rule is a pattern with the words of which one must stand in the
text for it to match, so that ordinary sentences are done with quickly.
"""

import re
import unicodedata

_EN_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_EN_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may(?! (?:have|be|not|need|also|well))|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_EN_SPAN = r"(?:second|minute|min|hour|hr|day|night|week|weekend|fortnight|month|year|yr)s?"
_EN_PART = r"(?:morning|afternoon|evening|night|lunchtime|teatime)"
_EN_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+|few|several|couple(?: of)?|some|many)"
_EN_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_VI_SPAN = r"(?:ngay|hom|tuan|thang|nam|gio|tieng|phut|buoi|dem)"
_VI_COUNT = r"(?:\d+|mot|hai|ba|bon|nam|sau|bay|tam|chin|muoi|vai|may)"
_DE_DAY = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_DE_SPAN = r"(?:sekunden?|minuten?|stunden?|tage?n?|nachte?n?|wochen?|monate?n?|jahre?n?|wochenenden?)"
_DE_COUNT = r"(?:\d+|einer?m?|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|zwolf|paar|wenigen?|einigen?|mehreren)"
_FR_DAY = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
_FR_SPAN = r"(?:secondes?|minutes?|heures?|jours?|nuits?|semaines?|mois|ans?|annees?|week-?ends?)"
_FR_COUNT = (
    r"(?:\d+|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|quelques|plusieurs|une? (?:dizaine|quinzaine) de)"
)
_ES_DAY = r"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)"
_ES_SPAN = r"(?:segundos?|minutos?|horas?|dias?|noches?|semanas?|mes(?:es)?|anos?|fin(?:es)? de semana)"
_ES_COUNT = r"(?:\d+|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|unos|unas|varios|varias|pocos|pocas|algunos|un par de)"

_RULES: list[tuple[str, str]] = [
    # English, with the misspellings that people make
    ("yday 2day 2nite 2moro 2morow 2morrow tmrw tonite", r"\b(?:yday|2day|2nite|2mor+ow?|tmrw|tonite)\b"),
    ("today tonight tomorrow tommorow tommorrow tomorow to", r"\b(?:to-?day|to-?night|tom+or+ow)\b"),
    (
        "last lst this thsi next past previous following coming",
        rf"\b(?:last|lst|this|thsi|next|past|previous|following|coming) (?:past |coming )?"
        rf"(?:{_EN_SPAN}|{_EN_PART}|nite|{_EN_DAY}|spring|summer|autumn|winter|christmas|easter)\b",
    ),
    (_EN_DAYS, rf"\b{_EN_DAY} (?:last|gone|just gone|week)\b"),
    (
        "ago back earlier previously prior before",
        rf"\b{_EN_COUNT} (?:\w+ )?{_EN_SPAN} (?:ago|back|earlier|previously|prior|before)\b",
    ),
    ("ago", r"\b(?:moments?|ages|not long|a (?:short |little )?while|some time) ago\b"),
    ("other previous following next", r"\b(?:other|previous|following|next) (?:day|night|morning|afternoon|evening)\b"),
    ("before after", r"\bthe (?:day|night|week|month|year) (?:before|after)\b"),
    ("now", r"\b(?:just|right) now\b"),
    ("earlier later", r"\b(?:earlier|later) on\b(?! \d)|\b(?:earlier|later) (?:this|that) "),
    ("recently lately nowadays", r"\b(?:recently|lately|nowadays)\b"),
    ("weekend", r"\b(?:over|at) the weekend\b|\bthe weekend just\b"),
    (
        f"{_EN_DAYS} mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        rf"\b(?:on|since|by|until|till) {_EN_DAY}s?\b(?!,? (?:the )?\d)(?!,? {_EN_MONTH} \d)",
    ),
    (_EN_DAYS, rf"(?<!\d )(?<!\d, )\b{_EN_DAY} {_EN_PART}\b(?!,? (?:of |the |on )?(?:the )?\d)"),
    ("time", rf"\bin {_EN_COUNT} (?:days|weeks|months)'? time\b"),
    # Vietnamese
    ("hom", r"\bhom (?:qua|nay|kia|truoc|no|sau)\b"),
    ("qua nay kia mai", r"\b(?:toi|dem|chieu|sang|trua|khuya) (?:hom )?(?:qua|nay|kia|mai)\b"),
    ("ngay", r"\bngay (?:mai|kia|hom qua|hom sau)\b"),
    ("tuan thang nam", r"\b(?:cuoi )?(?:tuan|thang|nam) (?:truoc|nay|sau|toi|vua qua|vua roi|qua|ngoai|kia)\b"),
    ("cach", rf"\bcach day (?:khoang )?{_VI_COUNT}\b"),
    ("truoc nua sau qua", rf"\b{_VI_COUNT} {_VI_SPAN} (?:truoc|nua|sau|qua)\b"),
    ("thu chu", r"\b(?:thu (?:hai|ba|tu|nam|sau|bay|\d)|chu nhat) (?:tuan )?(?:truoc|nay|toi|sau|vua roi|vua qua)\b"),
    ("luc vua gan moi bay", r"\b(?:luc nay|vua nay|vua xong|vua moi|gan day|moi day|bay gio)\b"),
    # German
    ("gestern vorgestern heute heutigen heutige heutiger", r"\b(?:(?:vor)?gestern|heut(?:e|ige[nmrs]?))\b"),
    ("gestrigen gestrige morgigen morgige", r"\b(?:gestrige|morgige)[nmrs]?\b"),
    ("ubermorgen uebermorgen", r"\bue?bermorgen\b"),
    (
        "morgen",
        r"(?<!guten )(?<!am )(?<!jeden )(?<!eines )\bmorgen (?:fruh|vormittag|mittag|nachmittag|abend)\b|\b(?:bis|erst|ab|schon) morgen\b"
        r"|\b(?:ich|wir|er|sie|es) \w+ (?:es |das |ihn |sie )?morgen\b",
    ),
    (
        "letzte letzten letzter letztem letztes vorige vorigen voriger vergangene vergangenen vergangener diese diesen dieser dieses "
        "nachste nachsten nachster nachstes kommende kommenden kommender",
        rf"\b(?:letzte|vorige|vergangene|diese|nachste|kommende)[nmrs]? "
        rf"(?:{_DE_SPAN}|nacht|abend|morgen|nachmittag|mittag|{_DE_DAY}|sommer|winter|herbst|fruhling)\b",
    ),
    ("vor", rf"\bvor (?:etwa |rund |ca\.? |ein )?{_DE_COUNT} {_DE_SPAN}\b|\bvor kurzem\b"),
    ("neulich kurzlich vorhin soeben eben unlangst", r"\b(?:neulich|kurzlich|vorhin|soeben|gerade eben|unlangst)\b"),
    (
        "am seit",
        rf"\b(?:am|seit) (?:{_DE_DAY}(?:abend|morgen|nachmittag|nacht|vormittag)?\b(?!,? (?:den |dem )?\d)|wochenende\b"
        rf"|(?:nachsten|folgenden|vorigen) (?:tag|morgen|abend)\b)",
    ),
    ("tagen wochen monaten", rf"\bin {_DE_COUNT} (?:tagen|wochen|monaten)\b"),
    # French
    ("hier", r"\b(?:avant[- ]hier|hier (?:soir|matin|apres|midi|nuit|a|vers)|depuis hier)\b"),
    (
        "aujourd demain lendemain veille",
        r"\baujourd ?'? ?hui\b|\b(?:apres[- ])?demain\b|\bla veille\b|\ble lendemain\b",
    ),
    ("ce cet cette", r"\bc(?:e|et|ette) (?:matin|soir|apres[- ]midi|nuit|semaine|mois|annee|week-?end)(?:[- ]ci)?\b"),
    (
        "dernier derniere derniers dernieres passe passee passes passees prochain prochaine prochains prochaines suivant suivante",
        rf"\b(?:{_FR_SPAN}|{_FR_DAY}) (?:dernier|passe|prochain|suivant)e?e?s?\b",
    ),
    ("soir matin", rf"\b{_FR_DAY} (?:soir|matin)\b(?! \d)"),
    ("il", rf"\bil y a (?:environ |a peine )?{_FR_COUNT} {_FR_SPAN}\b"),
    ("dans", rf"\bdans {_FR_COUNT} (?:jours?|semaines?|mois)\b"),
    ("autre heure instant", r"\bl ?'autre (?:jour|soir|nuit)\b|\btout a l ?'heure\b|\ba l ?'instant\b"),
    ("recemment tantot", r"\b(?:recemment|tantot)\b"),
    ("depuis ce", rf"\b(?:depuis|ce) {_FR_DAY}\b(?! \d)"),
    # Spanish
    ("ayer anteayer anoche anteanoche antier hoy", r"\b(?:(?:ante)?(?:ayer|anoche)|antier|hoy)\b"),
    (
        "manana",
        r"\bpasado manana\b|\bmanana (?:por la|a la|mismo|temprano)\b|\b(?:hasta|para|llega|llegara|viene|sera) manana\b",
    ),
    (
        "esta este esa ese",
        r"\bes(?:t[ae]|[ae]) (?:misma )?(?:manana|tarde|noche|semana|mes|ano|madrugada|fin de semana)\b",
    ),
    ("este", rf"\beste {_ES_DAY}\b(?! \d)"),
    (
        "pasado pasada pasados pasadas proximo proxima proximos proximas anterior siguiente viene ultimo ultima",
        rf"\b(?:{_ES_SPAN}|{_ES_DAY}) (?:pasad[oa]s?|proxim[oa]s?|anterior|siguiente|que viene)\b"
        rf"|\b(?:pasad[oa]|proxim[oa]|ultim[oa]) (?:{_ES_DAY}|{_ES_SPAN})\b",
    ),
    ("hace", rf"\bhace (?:(?:como |unos |ya )?{_ES_COUNT} {_ES_SPAN}|poco|un rato|nada)\b"),
    ("otro dia", r"\b(?:el|al) otro dia\b|\bal dia siguiente\b"),
    ("dentro", rf"\bdentro de {_ES_COUNT} {_ES_SPAN}\b"),
    ("ahora recientemente ultimamente recien", r"\bahora mismo\b|\b(?:recientemente|ultimamente|recien)\b"),
]
_BY_WORD: dict[str, list[re.Pattern[str]]] = {}
for _words, _pattern in _RULES:
    _compiled = re.compile(_pattern)
    for _word in _words.split():
        _BY_WORD.setdefault(_word, []).append(_compiled)
_YESTERDAY = re.compile(r"\bye(?:r?st|rs)(?:er|ur|ar|re|e|r)?[ds]?d?(?:ay|y|ya|ey)s?\b")
_HIER = re.compile(r"\bhier\b")
_GERMAN_WORDS = frozenset(
    ["ist", "sind", "war", "ich", "das", "der", "die", "und", "mein", "auto", "nicht", "wir", "bin", "steht"]
)
_CHINESE = re.compile(
    "昨[天晚夜日早晨]|大?前[天晚日](?!动|进)|今[天晚早晨日夜]|[明后後]天|大[后後]天|明[早晚日]|[今去前明后後]年(?!龄|代)|"
    "(?:上|本|这|這|下|前|过去|過去)(?:一|两|兩|几|幾|个|個)*(?:周末|週末|周|週|星期|礼拜|禮拜|月|季度|年)|"
    "(?:刚才|剛才|刚刚|剛剛|方才|适才|最近|近日|近来|近期|前阵子|前陣子|前几天|前幾天|前两天|前兩天|这几天|這幾天|这两天|不久前|日前)|"
    "[0-9一二两兩三四五六七八九十几幾数數半]+ ?(?:多|来)?(?:个|個)?(?:秒|分钟|分鐘|小时|小時|钟头|天|日|晚|周|週|星期|礼拜|月|年)(?:之|以)?(?:前|后|後)|"
    "当天早些|这会儿|現在|现在"
)
_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[a-z0-9]+")
_DIGIT = re.compile(r"\d")
_NUMERIC_DATE = re.compile(r"(?<![\d.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})(?![\d/-])")
_DATE_NO_YEAR = re.compile(
    rf"(?<!\d)(?<!\d[.,/:])(?:\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_EN_MONTH}\b"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december) \d{1,2}(?:st|nd|rd|th)?\b)"
    r"(?!,? ?'?\d)(?!,? (?:of )?(?:the year )?\d)",
)


def fold(text: str) -> str:
    """Lower case, no accents (đ is d), straight apostrophes, single spaces; Chinese stays as it is."""
    bare = text.casefold()
    if not bare.isascii():
        bare = "".join(c for c in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(c))
        bare = bare.replace("đ", "d").replace("’", "'").replace("ʼ", "'")
    return " ".join(bare.split())


def relative_date(text: str) -> str | None:
    """The first words of `text` that mean another day on every run; None if there are none."""
    folded = fold(text)
    words = _WORD.findall(folded)
    tried: set[int] = set()
    found: re.Match[str] | None
    for word in words:
        for rule in _BY_WORD.get(word, ()):
            if id(rule) not in tried:
                tried.add(id(rule))
                if (found := rule.search(folded)) is not None:
                    return str(found[0])
        if word.startswith(("yest", "yers")) and _YESTERDAY.fullmatch(word):
            return str(word)
    if "hier" in words and not _GERMAN_WORDS & set(words) and (found := _HIER.search(folded)) is not None:
        return str(found[0])
    if _HAN.search(folded) is None:
        return None
    found = _CHINESE.search("".join(text.split()))
    return str(found[0]) if found else None


def ambiguous_date(text: str) -> str | None:
    """A date in figures that can be read with day and month swapped; None if there is none."""
    for found in _NUMERIC_DATE.finditer(text):
        first, second = int(found[1]), int(found[3])
        if 1 <= first <= 12 and 1 <= second <= 12 and first != second:
            return found[0]
    return None


def date_without_year(text: str) -> str | None:
    """An English day and month without a year; None if there is none."""
    if _DIGIT.search(text) is None:
        return None
    found = _DATE_NO_YEAR.search(fold(text))
    return found[0] if found else None
