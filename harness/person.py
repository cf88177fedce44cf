"""A person at a terminal who plays the customer: what they are shown, what they type, the move it makes.

They are shown what a model is shown: persona, facts, files, their own earlier words, and the screen as the record has it.
Text of products and packages is printed without control characters.
"""

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TextIO

from harness.customer.prompt import usable
from harness.errors import PersonGone
from harness.schema.move import Move, act, say
from harness.schema.order import PersonReply, PersonRequest
from harness.schema.screen import Control
from harness.schema.visible import CustomerView

HELP = """\
  words                      say them; end a line with \\ to go on in the next
  first / second             with spaces around it, / parts several messages, sent one after the other
  /press 2                   press what has that number (or its name)
  /fill 2 = words            type into a field, or choose
  /upload 1                  hand over the file with that number; /upload 1 to 2: to that control
  /wait   /leave             do nothing now; give up
  /facts  /files  /screen    show again who you are and what you know, your files, the screen
  //words                    say words that begin with a slash
  Ctrl-D                     end the attempt; it does not count"""
MOST_MESSAGES, LONGEST = 5, 2000
"""As harness.schema.move has it."""


def clean(text: str) -> str:
    """The text with its line breaks, and nothing in it that steers a terminal or turns the reading order."""
    return "\n".join("".join(c if c.isprintable() else " " for c in line) for line in text.split("\n"))


@dataclass
class Terminal:
    """Lines in and out; `ask` is what a run takes as its person.

    Attributes:
        out: where everything is printed.
        read: the next line that was typed; None at the end.
        view: of the package that is played; None where only a move is taken over.
    """

    out: TextIO
    read: Callable[[], str | None]
    view: CustomerView | None = None
    _screens: int = 0

    @classmethod
    def standard(cls, view: CustomerView | None = None) -> "Terminal":
        """The terminal this process runs in."""

        def line() -> str | None:
            text = sys.stdin.readline()
            return text.rstrip("\r\n") if text else None

        return cls(sys.stderr, line, view)

    async def ask(self, request: PersonRequest) -> PersonReply:
        """Show the screen and wait for a move. Raises PersonGone at the end of input.

        Waits in a thread that holds nobody up: a run that is stopped does not wait for a line to be typed.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[PersonReply] = loop.create_future()

        def give(reply: PersonReply | None, problem: PersonGone | None) -> None:
            if answer.done():
                return
            if problem is not None:
                answer.set_exception(problem)
            elif reply is not None:
                answer.set_result(reply)

        def wait() -> None:
            try:
                reply, problem = self.turn(request), None
            except PersonGone as exc:
                reply, problem = None, exc
            with contextlib.suppress(RuntimeError):  # the run has ended meanwhile
                loop.call_soon_threadsafe(give, reply, problem)

        threading.Thread(target=wait, daemon=True).start()
        return await answer

    def turn(self, request: PersonRequest) -> PersonReply:
        """The same, in this thread."""
        if request.refused is not None:
            self._say(f"That cannot be done here ({request.refused}).")
        else:
            if self._screens == 0 and self.view is not None:
                self._say(view_lines(self.view))
                self._say(HELP)
            self._screens += 1
            self._show(request)
        if request.may_pass:
            self._say("Paused. Press Enter to let the customer go on, or make this move yourself (/help).")
        while True:
            typed = self._line("> ")
            if typed is None:
                raise PersonGone("the person left the terminal")
            if not typed.strip():
                if request.may_pass:
                    return PersonReply(move=None)
                continue
            got = self._command(typed, request)
            if got is not None:
                return PersonReply(move=got)

    # ------------------------------------------------------------------ what is typed

    def _command(self, typed: str, request: PersonRequest) -> Move | None:
        """The move, or None where something was only shown."""
        word, _, rest = typed.strip().partition(" ")
        rest = rest.strip()
        controls = usable(request.screen)
        if typed.startswith("//"):
            return self._said(typed[1:], request)
        if not typed.startswith("/"):
            return self._said(typed, request)
        if word == "/help":
            self._say(HELP)
        elif word == "/facts" and self.view is not None:
            self._say(view_lines(self.view))
        elif word == "/files":
            self._say(file_lines(request))
        elif word == "/screen":
            self._show(request)
        elif word in ("/wait", "/leave"):
            return act("wait" if word == "/wait" else "leave")
        elif word == "/press":
            return self._on(controls, rest, lambda name: act("press", control=name))
        elif word == "/fill" and "=" in rest:
            which, _, value = rest.partition("=")
            return self._on(controls, which.strip(), lambda name: act("fill", control=name, value=value.strip()))
        elif word == "/upload":
            return self._upload(rest, request, controls)
        else:
            self._say(f"{clean(word)} is not understood here; /help lists what is.")
        return None

    def _said(self, first: str, request: PersonRequest) -> Move | None:
        if not any(c.kind == "composer" and c.enabled for c in request.screen.controls):
            self._say("Nothing can be typed on this screen.")
            return None
        messages = [part.strip() for part in self._whole(first).split(" / ") if part.strip()]
        if not 1 <= len(messages) <= MOST_MESSAGES or any(len(m) > LONGEST for m in messages):
            self._say(f"One move is 1 to {MOST_MESSAGES} messages of at most {LONGEST} characters.")
            return None
        return say(*messages)

    def _whole(self, line: str) -> str:
        parts = [line]
        while parts[-1].endswith("\\"):
            parts[-1] = parts[-1][:-1]
            following = self._line(". ")
            if following is None:
                break
            parts.append(following)
        return "\n".join(parts)

    def _on(self, controls: list[Control], which: str, move: Callable[[str], Move]) -> Move | None:
        found = _chosen(which, [c.name for c in controls])
        if found is None:
            self._say(f"There is nothing numbered or named {clean(which) or 'so'} to use here.")
            return None
        return move(found)

    def _upload(self, rest: str, request: PersonRequest, controls: list[Control]) -> Move | None:
        which, _, where = rest.partition(" to ")
        file = _chosen(which.strip(), [f.label for f in request.files])
        if file is None:
            self._say("Which file? /files lists them.")
            return None
        control = ""
        if where.strip():
            named = _chosen(where.strip(), [c.name for c in controls])
            if named is None:
                self._say("To which control? /screen lists them.")
                return None
            control = named
        return act("upload", control=control, file=file)

    # ------------------------------------------------------------------ what is shown

    def _show(self, request: PersonRequest) -> None:
        self._say(screen_lines(request))

    def _say(self, text: str) -> None:
        self.out.write(text + "\n")
        self.out.flush()

    def _line(self, prompt: str) -> str | None:
        self.out.write(prompt)
        self.out.flush()
        return self.read()


def _chosen(which: str, names: list[str]) -> str | None:
    """By number from 1, or by name (case and white space folded)."""
    if which.isascii() and which.isdigit():
        return names[int(which) - 1] if 1 <= int(which) <= len(names) else None
    flat = " ".join(which.split()).casefold()
    return next((name for name in names if " ".join(name.split()).casefold() == flat), None)


def view_lines(view: CustomerView) -> str:
    """Who the person plays, and all that they know."""
    persona = view.persona
    lines = [
        f"You are {persona.name}: {persona.mood}; {persona.manner}; you write in {persona.language}.",
        f"What you do not know: “{' / '.join(persona.dont_know)}”",
        "The rig has sent your first message and puts your own questions when they are due. You know:",
        *(f"  {fact.topic}: {fact.say}" for fact in view.facts),
        *(f"  not known: {item.topic}" for item in view.does_not_know),
    ]
    return clean("\n".join(lines))


def file_lines(request: PersonRequest) -> str:
    """The files, numbered, and which of them are at hand."""
    words = {"have": "at hand", "handed": "handed over"}
    lines = [
        f"  file {n}: {f.label} ({words.get(f.state) or f'comes later; you say: {f.promise}'})"
        for n, f in enumerate(request.files, 1)
    ]
    return clean("\n".join(lines or ["  no files"]))


def screen_lines(request: PersonRequest) -> str:
    """The screen as a model is given it, its controls numbered."""
    screen = request.screen
    names = {"reply": "company", "customer": "you"}
    lines: list[str] = [f"--- turn {request.turn}, screen {screen.seq}", *_said_since(request)]
    for block in screen.blocks:
        first, *more = block.text.split("\n")
        lines += [f"{names.get(block.part, block.part)}: {first}", *(f"    {line}" for line in more)]
    lines += [f"  [{n}] {_control(c)}" for n, c in enumerate(usable(screen), 1)]
    if not any(c.kind == "composer" and c.enabled for c in screen.controls):
        lines.append("  (nothing can be typed here)")
    return clean("\n".join([*lines, file_lines(request)]))


def _said_since(request: PersonRequest) -> Iterable[str]:
    """The customer's newest message: of the rig's own (the first, a due question) a person learns here."""
    return [f"you said: {request.said[-1]}"] if request.said else []


def _control(control: Control) -> str:
    shows = f", shows “{control.value}”" if control.value else ""
    options = f", choices: {', '.join(control.options)}" if control.options else ""
    return f"{control.kind} “{control.name}”{shows}{options}"
