"""Words that mean another day on every run, in six languages; words that do not."""

import unicodedata

import pytest

from oracle_scoring.corpus.relative import ambiguous_date, date_without_year, relative_date

MOVING = {
    "English": "yesterday|Last night|two days ago|on Monday|this morning|a week ago|next month|the other day|Tuesday morning|a few days back"
    "|the day before yesterday|over the weekend|last Christmas|Wednesday last|since Friday|the following morning|recently|today",
    "English, misspelt": "yesteday|yesturday|yestarday|yersterday|last nite|tomorow|tommorrow|tonite|2moro|yday|lst week",
    "Vietnamese": "hôm qua|tối qua|sáng nay|tuần trước|cách đây hai ngày|3 ngày trước|ngày mai|năm ngoái|hom qua|thứ ba tuần trước"
    "|chiều hôm qua|hôm nay|đêm qua|gần đây",
    "German": "gestern|vorgestern Abend|heute früh|letzte Woche|letzten Montag|vor zwei Tagen|vor einer Woche|morgen früh|kürzlich|neulich"
    "|übermorgen|diese Woche|am Montag|vergangene Nacht|heute",
    "French": "hier soir|avant-hier|aujourd’hui|demain|la semaine dernière|il y a deux jours|lundi dernier|ce matin|cette nuit|l'autre jour"
    "|le mois dernier|hier, ma voiture|l’année dernière|récemment|C'était hier.",
    "Spanish": "ayer|anoche|hoy|pasado mañana|la semana pasada|hace dos días|el lunes pasado|esta mañana|el otro día|anteayer"
    "|hace una semana|mañana por la mañana|el mes pasado|el próximo lunes",
    "Chinese": "昨天|昨晚|前天|今天早上|上周|上个月|三天前|两周前|去年|刚才|上星期一|前几天|这周|明天|今年|昨日|上週|後天|10 天前|最近",
}
FIXED = (
    "on 9 March 2026|on Monday 9 March 2026|for two days|within a week|at night|Monday, 9 March 2026|open Monday to Friday"
    "|on Monday, March 9, 2026|the morning of 9 March 2026|in the evening|for 30 days|It may rain|I can send it later|three years"
    "|at lunchtime|in a minute|at 16:20|the present day|Hierarchy|an hour|twice a week|aged 7 months|I will send it in a moment"
    "|the day it happened|both days|Tag der Tat|el 9 de marzo de 2026|am 9. März 2026|le 9 mars 2026|ngày 9 tháng 3 năm 2026"
    "|2026年3月9日|Guten Morgen|am Morgen des 9. März 2026|por la mañana|Das Auto ist hier|currently|Good morning|the previous owner"
    "|a day later|the year 2024|Das steht hier und ist mein Auto"
)


@pytest.mark.parametrize("language", MOVING)
def test_words_that_move_are_found(language: str) -> None:
    """Composed, decomposed, in capitals, broken over lines, and inside a sentence."""
    for words in MOVING[language].split("|"):
        for text in (
            words,
            f"Well, {words}",
            unicodedata.normalize("NFD", words),
            words.upper(),
            words.replace(" ", "\n"),
        ):
            assert relative_date(text), (language, text)


def test_words_that_stay_are_left_alone() -> None:
    """Dates, spans and greetings that mean the same whenever they are said."""
    for words in FIXED.split("|"):
        assert relative_date(f"It broke {words} I think.") is None, (words, relative_date(words))


@pytest.mark.parametrize(
    "text", ["on 9 March I", "March 9 it", "on the 9th of March, about", "9 Mar", "the 2nd of November."]
)
def test_a_date_without_a_year_is_found(text: str) -> None:
    """It means another day in every year."""
    assert date_without_year(text)


@pytest.mark.parametrize(
    "text",
    ["9 March 2026", "March 9, 2026", "9th of March, 2026", "9 Mar '26", "may 2 cars", "in March 2026", "12 may have", "9 Marble Street",
     "2026-03-09", "14 Marsh Lane", "12 Mayfield Road", "at 16:20 March 2026"],
)  # fmt: skip
def test_whole_dates_and_other_numbers_have_their_year(text: str) -> None:
    """Streets, times and months are no days without a year."""
    assert date_without_year(text) is None


def test_dates_in_figures_are_ambiguous_only_if_they_can_be_swapped() -> None:
    """Days above 12, equal day and month, and the year first leave no doubt."""
    assert ambiguous_date("on 03/04/2026") and ambiguous_date("3.4.26")
    assert not ambiguous_date("13/04/2026") and not ambiguous_date("2026-03-04") and not ambiguous_date("4/4/26")
