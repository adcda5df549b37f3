"""A game stepped through at the keyboard: moves in words, chance by the seed, undo."""

from __future__ import annotations

import random
from collections.abc import Callable

from brassspec.formats import InputError
from brassspec.rules.api import Game
from brassspec.rules.concrete import State

HELP = """write a move in words, such as: {example}
  moves [WORDS]   the legal moves, those with the words
  position        what differs from set-up
  undo            takes the last move back, with the chance that followed it
  help            this
  quit            ends"""


class ByHand:
    """One session. `ask` gives the next line that the player writes, None at the end of input; `tell` shows a line."""

    def __init__(self, game: Game, seed: int, ask: Callable[[str], str | None], tell: Callable[[str], None]) -> None:
        self.game = game
        self.seed = seed
        self.ask = ask
        self.tell = tell
        self.history: list[State] = []
        self.decisions = 0

    def run(self) -> bool:
        """Plays until the game is over (True) or the player ends it (False)."""
        state = self.chance(self.game.rules.initial())
        while True:
            legal = self.game.rules.legal(state)
            if not legal:
                self.tell("the game is over")
                return True
            mover = self.game.speaker.say_move(*legal[0]).split()[0]
            line = self.ask(f"{mover} ({len(legal)} moves)> ")
            if line is None or line.strip() == "quit":
                return False
            state = self.obey(line.strip(), state, legal)

    def obey(self, line: str, state: State, legal: list[tuple[int, tuple[object, ...]]]) -> State:
        """The state after what the player wrote."""
        word, _, rest = line.partition(" ")
        if word in ("", "help"):
            for text in HELP.format(example=self.game.speaker.say_move(*legal[0])).splitlines():
                self.tell(text)
        elif word == "moves":
            found = [self.game.speaker.say_move(*m) for m in legal]
            found = [f for f in found if all(w in f for w in rest.split())]
            for text in found[:40]:
                self.tell(f"  {text}")
            if len(found) > 40:
                self.tell(f"  ... and {len(found) - 40} more")
        elif word == "position":
            speaker = self.game.speaker
            for given in speaker.differing(self.game.rules.initial(), state):
                self.tell(f"  {speaker.say_given(state, given)}")
        elif word == "undo":
            if not self.history:
                self.tell("nothing to undo")
            else:
                self.decisions -= 1
                return self.history.pop()
        else:
            return self.move(line, state)
        return state

    def move(self, line: str, state: State) -> State:
        try:
            taken = self.game.whole(self.game.request(line))
        except InputError as e:
            self.tell(str(e))
            return state
        outcome = self.game.judge(state, taken)
        if not outcome.legal:
            self.tell("illegal:")
            for v in outcome.violated:
                r = self.game.model.requirements[v.requirement]
                self.tell(f"  {r.name}: {r.sentence}" + (f" (here: {v.facts})" if v.facts else ""))
            return state
        self.history.append(state)
        self.decisions += 1
        after = self.game.rules.step(state, *taken).state
        assert after is not None
        return self.chance(after)

    def chance(self, state: State) -> State:
        """The state after all chance that is due. What falls follows from the seed and the number of decisions before it."""
        rng = random.Random(f"{self.seed}/{self.decisions}")
        while due := self.game.rules.chance(state):
            number, args, _ = rng.choices(due, weights=[w for *_, w in due])[0]
            self.tell(f"  {self.game.speaker.say_chance(number, args)}")
            state, _ = self.game.rules.happen(state, number, args)
        return state
