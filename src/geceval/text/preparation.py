"""Optional steps for raw text: clean, normalise, detokenise, tokenise.

All steps are off by default. Signatures record the steps and the prepared texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeAlias, get_args

from geceval._kernel import Text, normalised
from geceval.base.arguments import choice
from geceval.base.errors import UsageError
from geceval.base.hints import Hint, Option
from geceval.text.letters import code_of_language, language_of_letters, signed_letters, unified_letters
from geceval.text.line_rules import LineRules, make_detokeniser, make_rules
from geceval.text.tokenisers import Tokeniser, make_tokeniser, tokenised

Role: TypeAlias = Literal["source", "references", "systems"]
ROLES: tuple[Role, ...] = get_args(Role)
Form: TypeAlias = Literal["nfc", "nfd", "nfkc", "nfkd", "quotes", "dashes", "ellipses", "letters"]
FORMS: tuple[Form, ...] = get_args(Form)
#: A function of lines and the sentences that they correct, if these are known.
Step: TypeAlias = Callable[[Text, Text | None], Text]


@dataclass(frozen=True)
class Preparation:
    """The steps to prepare raw text; see docs/tokenisation.md.

    The steps run in the order clean, normalise, whitespace, detokenise, tokenise.

    Attributes:
        tokenise: A tokeniser or its name; None: no tokenisation.
        normalise: Unicode forms; ``quotes``, ``dashes``, ``ellipses`` to replace typographic characters by ASCII; and
            ``letters`` to write one letter in place of those that look alike.
        whitespace: Whether to collapse white space, strip the ends and remove invisible characters.
        only: The texts to prepare; empty: all. Cleaning concerns systems in any case.
        clean: Rules that change lines of systems, or their names; see line_rules.make_rules.
        detokenise: The name of the tokeniser whose tokens are joined, or rules.
        threads: Number of threads, without effect on results; 0 means one per processor.
        language: The code of the language on which ``letters`` depends; None: as the letters of the source show.

    Raises:
        UsageError: For an unknown name.
        MissingExtraError: If a package of the tokeniser is not installed.
    """

    tokenise: str | Tokeniser | None = None
    normalise: Sequence[Form] = ()
    whitespace: bool = False
    only: Sequence[Role] = ()
    clean: str | Sequence[str] | LineRules = ()
    detokenise: str | LineRules | None = None
    threads: int = field(default=0, compare=False)
    language: str | None = None

    def __post_init__(self) -> None:
        for name, known in (("normalise", FORMS), ("only", ROLES)):
            values = getattr(self, name)
            values = (values,) if isinstance(values, str) else tuple(values)
            for value in values:
                if value not in known:
                    raise UsageError(f"unknown value {value!r} of {name}: choose from {', '.join(known)}")
            object.__setattr__(self, name, values)
        if self.language is not None:
            if (code := code_of_language(self.language)) is None:
                raise UsageError(f"unknown language {self.language!r}", hint="a code or a name, such as ro or romanian")
            object.__setattr__(self, "language", code if "letters" in self.normalise else None)
        makers = {"tokenise": make_tokeniser, "detokenise": make_detokeniser, "clean": make_rules}
        for name, make in makers.items():
            if getattr(self, name) not in (None, (), []):
                object.__setattr__(self, name, make(getattr(self, name)))

    def __bool__(self) -> bool:
        return bool(self.steps)

    @property
    def steps(self) -> dict[str, tuple[str, Step]]:
        """The steps in order: key and value in signatures, and the function."""
        steps: dict[str, tuple[str, Step]] = {}
        if isinstance(self.clean, LineRules):
            steps["clean"] = self.clean.name, self.clean.apply
        if self.normalise:
            names = (signed_letters(self.language) if form == "letters" else form for form in self.normalise)
            steps["norm"] = "+".join(names), partial(self._in_forms, self.normalise)
        if self.whitespace:
            steps["ws"] = "repair", partial(self._in_forms, ["blanks"])
        if self.detokenise is not None:
            detokeniser = make_detokeniser(self.detokenise)
            steps["detok"] = detokeniser.name, detokeniser.apply
        if self.tokenise is not None:
            tokeniser = make_tokeniser(self.tokenise)
            steps["tok"] = tokeniser.name, lambda lines, _: tokenised(lines, tokeniser, self.threads)
        return steps

    def _in_forms(self, forms: Sequence[Form | Literal["blanks"]], lines: Text, _: Text | None) -> Text:
        for form in forms:
            if form == "letters":
                lines = unified_letters(lines, self.language)
            else:
                lines = normalised(lines, form, self.threads)
        return lines

    def of_source(self, source: Callable[[], Iterable[str | None]]) -> Preparation:
        """Return the steps with the language that the letters of the source show, if a step depends on it.

        ``source`` is called in this case.
        """
        if "letters" not in self.normalise or self.language is not None:
            return self
        return replace(self, language=language_of_letters(source()))

    def _roles_of(self, step: str) -> tuple[Role, ...]:
        """Return the texts that a step concerns."""
        return ("systems",) if step == "clean" else tuple(role for role in ROLES if role in (self.only or ROLES))

    @property
    def roles(self) -> tuple[Role, ...]:
        """The texts to prepare; empty if there are no steps."""
        concerned = {role for step in self.steps for role in self._roles_of(step)}
        return tuple(role for role in ROLES if role in concerned)

    def joins_lines(self, role: Role) -> bool:
        """Return whether the steps replace line breaks within the texts of a role."""
        choice("role", role, ROLES)
        joins = isinstance(self.clean, LineRules) and self.clean.joins_lines
        return (self.whitespace and role in self.roles) or (joins and role == "systems")

    @property
    def unpacks_json(self) -> bool:
        """Whether corrections are taken from answers in JSON."""
        return isinstance(self.clean, LineRules) and any(rule.name == "json" for rule in self.clean.rules)

    @property
    def signed(self) -> dict[str, str]:
        """The steps as signatures contain them: ``{"tok": "english-1(systems)"}``."""
        roles = [role for role in ROLES if role in (self.only or ROLES)]
        some = "" if len(roles) == len(ROLES) else f"({'+'.join(roles)})"
        return {key: name + (some if key != "clean" else "") for key, (name, _) in self.steps.items()}

    @property
    def drops_headings(self) -> bool:
        """Whether sentences that are headings of documents are left out, as a preset's corpus requires."""
        return bool(getattr(self.tokenise, "drops_headings", False))

    def check(self, *, references: bool, gold: bool, m2_systems: Sequence[str] = ()) -> None:
        """Raise UsageError if texts are missing or M2 edits refer to them."""
        if not self:
            return
        if "references" in self.only and not references:
            reason = ": those made from gold edits stay as they are" if gold else ""
            raise UsageError(f"there are no references to prepare{reason}")
        possible = {"source": False, "references": references, "systems": not m2_systems}
        free = [role for role in self.roles if possible[role]]
        remedy = Option("tokenise_only", " ".join(free))
        hint = Hint("prepare other texts only: ", remedy) if free else "give the edits as text"
        if m2_systems and "systems" in self.roles:
            raise UsageError(f"the system {m2_systems[0]} is given as M2, whose edits refer to tokens", hint=hint)
        if (gold or m2_systems) and "source" in self.roles:
            whose = "the gold edits" if gold else f"the edits of the system {m2_systems[0]}"
            raise UsageError(f"the source cannot be prepared: {whose} (M2) refer to its tokens", hint=hint)

    def apply(self, role: Role, lines: Text, source: Text | None = None) -> Text:
        """Return the lines after all steps.

        ``source`` are the unprepared sentences that the lines correct; cleaning requires them.
        """
        choice("role", role, ROLES)
        for key, (_, step) in self.steps.items():
            if role in self._roles_of(key):
                lines = step(lines, source)
        return lines


#: No steps.
NOTHING = Preparation()
