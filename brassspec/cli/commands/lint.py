"""brassspec lint"""

from __future__ import annotations

from collections.abc import Iterator

from brassspec.checker.declared import Finding
from brassspec.checker.lint import Lint
from brassspec.checker.lint import lint as look_through
from brassspec.cli.arguments import ruleset_argument
from brassspec.cli.frame import Answer, Progress, verb
from brassspec.cli.render import plural
from brassspec.formats import Plain
from brassspec.formats.envelope import Result, Verdict


@verb(
    example="""brassspec lint lancashire-2007
brassspec lint my-variant.brass --json"""
)
@ruleset_argument
def lint(ruleset: str) -> Answer:
    """What in a spec is never put to use, stands in another's way, or has no source.

    Requirements that alone decide no scenario; exceptions that no scenario uses, or that overlap; what is declared and not used;
    readings that refuse each other; citations that lead nowhere; sources nobody cites; figures without a source. Each with its place
    and a remedy.
    """
    with Progress("looking") as progress:

        def advance(what: str, done: int, total: int) -> None:
            progress.describe(what, total)
            progress(done)

        found = look_through(ruleset, progress=advance)
    findings = [finding("lint", f) for f in found.findings]
    findings += [finding("note", f) for f in found.notes]
    result = Result(
        "lint", Verdict(found.verdict), found.ruleset, found.readings, counts=found.counts, findings=tuple(findings)
    )
    return Answer(result, lines(found))


def finding(kind: str, f: Finding) -> Plain:
    place = f"{f.place.file}:{f.place.line}"
    return {"kind": kind, "about": f.kind, "name": f.name, "place": place, "message": f.message, "remedy": f.remedy}


def lines(found: Lint) -> Iterator[str]:
    looked = ", ".join(
        plural(found.counts[n], n.removesuffix("s")) for n in ("requirements", "exceptions", "scenarios", "readings")
    )
    yield f"{found.ruleset}: {found.verdict}: {plural(len(found.findings), 'finding')} in {looked}"
    for f in found.findings:
        yield f"{f.place.file}:{f.place.line}: {f.message}"
        yield f"    {f.remedy}"
    for f in found.notes:
        yield f"note: {f.place.file}:{f.place.line}: {f.message}"


command = lint
