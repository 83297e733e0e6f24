"""Where a prompt is written: the composer with what is offered and attached above it. It turns what is
written into intents.

It owns nothing that is worth keeping: words, long pastes and files belong to the conversation, commands are
the store's word. Nothing of a text is lost where there is nobody to send it to, or where its files cannot be
read. Prompts leave in the order they were written, however long their files take.
"""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Static

from acp_tui.client.intents import ReleaseQueue, SendHeld, Submit, Withdraw
from acp_tui.client.queue import alone
from acp_tui.protocol.content import ContentBlock
from acp_tui.render.markdown import prepare
from acp_tui.services.history import History, Prompt
from acp_tui.services.pasted import long
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Subscription
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.drafts import Draft
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.attaching import Attaching
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.widgets.offers import Offers
from acp_tui.ui.writing.recall import Recall
from acp_tui.ui.writing.sending import ONE_AT_A_TIME, NotComposed, compose


class Writing(Bound, Vertical):
    """The composer of one conversation."""

    class Nothing(Message):
        """Enter, and nothing was written."""

    class Next(Message):
        """Tab, and nothing to complete: to the next place."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self.conversation = conversation
        self.composing = conversation.composing
        self.history = History(conversation.cwd)
        self.recall = Recall(self.history, self.composing.pasted)
        self.sign = Static("❯", id="prompt")
        self.composer = Composer(conversation.now, self.composing.pasted)
        self.offers = Offers(self.composer, lambda: (conversation.folder, *conversation.directories))
        self.attaching = Attaching(conversation, self.composer)
        self.watching: Subscription | None = None

    def compose(self) -> ComposeResult:
        yield self.offers
        yield self.attaching
        with Horizontal(id="writing"):
            yield self.sign
            yield self.composer

    def on_mount(self) -> None:
        """The draft it had."""
        self.composer.walk = self.walk
        self.composer.take_paste = self.attaching.take_paste
        self._put(self.conversation.draft)
        self.watching = self.follow(self.conversation.store, self.commands_changed)
        self.watch(self.composer, "normal", self._show_mode, init=False)
        if made := getattr(self.app, "settings_made", None):
            self.composer.use_vi(made.composer.vi)
        if changed := getattr(self.app, "settings_changed", None):
            changed.subscribe(self, lambda settings: self.composer.use_vi(settings.composer.vi))

    def show_session(self) -> None:
        """Follow the session the conversation has now."""
        if self.watching is not None:
            ref = self.conversation.ref
            self.watching.set([Key(ref, Kind.COMMANDS), Key(ref, Kind.SESSION)])
        self.commands_changed(frozenset())

    def commands_changed(self, _: frozenset[Key]) -> None:
        """The agent offers other commands."""
        session = self.conversation.session
        self.offers.use(session.commands if session is not None else ())

    def wake(self, awake: bool) -> None:
        """Keys go to the composer, or do not."""
        self.sign.set_class(awake, "-awake")

    def _show_mode(self, normal: bool) -> None:
        self.sign.update("❮" if normal else "❯")

    def close_offer(self) -> bool:
        """Close the list until the text changes; False if there is none."""
        return self.offers.close_list()

    def give_back(self, text: str, blocks: tuple[ContentBlock, ...] = ()) -> None:
        """A prompt that was not taken, as it was written, before what is being written."""
        draft = self.composing.sent.written(blocks, self.conversation.cwd) if blocks else Draft(text)
        self.recall.stop()
        self.composer.give_back(self.composing.adopt(draft))
        self.attaching.show()

    def _tell(self, text: str) -> None:
        self.post_message(Told(text))

    # Sending

    async def on_composer_sent(self, event: Composer.Sent) -> None:
        """Send, where there is somebody to send to."""
        event.stop()
        written = self.composing.draft(event.text)
        if not written:
            self._send_nothing(event.now)
        elif reason := self._nobody():
            self._back(written, reason)
        else:
            self.composing.attached.clear()
            self.attaching.show()
            await self._send(written, event.now)

    def _nobody(self) -> str:
        """Why nothing can be sent; empty if it can."""
        session = self.conversation.session
        again = keys.hint("chat.restart")
        if self.conversation.gone:
            return f"The agent is gone. {again} starts it again; your text stays here."
        if session is not None and session.phase in ("failed", "closed"):
            return f"There is no session. {again} opens one; your text stays here."
        return ""

    async def _send(self, written: Draft, now: bool) -> None:
        conversation = self.conversation
        whole, spans = self.composing.pasted.unfolded(written.text)
        roots = (conversation.folder, *conversation.directories)
        try:
            ready = await compose(whole, spans, written.attached, roots, conversation.store)
        except NotComposed as error:
            self._back(written, str(error))
            return
        for text in ready.told:
            self._tell(text)
        self.recall.stop()
        self.composing.sent.remember(ready.blocks, written)
        if now:
            self._tell_if_alone()
        conversation.do(Submit(conversation.ref, ready.blocks, now=now))
        self.run_worker(partial(self.history.add, whole, conversation.now(), spans), thread=True)
        self.run_worker(prepare, thread=True)

    def _back(self, written: Draft, reason: str) -> None:
        self.composer.give_back(self.composing.adopt(written))
        self.attaching.show()
        self._tell(reason)

    def _send_nothing(self, now: bool) -> None:
        """Alt+S on nothing: let go on what is held, else send the first that waits."""
        queued = self.submissions("queued")
        if now and self.submissions("held"):
            self.conversation.do(ReleaseQueue(self.conversation.ref))
        elif now and queued:
            self._tell_if_alone()
            self.conversation.do(SendHeld(queued[0].key))
        elif not now:
            self.post_message(self.Nothing())

    def _tell_if_alone(self) -> None:
        """What is to be sent at once will wait for its turn."""
        session = self.conversation.session
        if session is not None and alone(self.conversation.store, session):
            self._tell(ONE_AT_A_TIME)

    def submissions(self, status: str) -> list[Submission]:
        """Prompts of this status, in the order they were written."""
        session = self.conversation.session
        found = [session.entities.get(key) for key in session.tail] if session is not None else []
        return [s for s in found if isinstance(s, Submission) and s.status == status]

    # Writing

    def on_composer_edited(self, event: Composer.Edited) -> None:
        """Keep the draft, and offer what fits it."""
        event.stop()
        if self.composer.text != self.conversation.draft:
            self.conversation.draft = self.composer.text
            self.composing.changed()
        self.offers.look()

    def on_composer_complete(self, event: Composer.Complete) -> None:
        """Tab, or Enter in the list; where nothing fits, to the next place."""
        event.stop()
        if not self.offers.take_marked(event):
            self.post_message(self.Next())

    async def on_composer_wanted(self, event: Composer.Wanted) -> None:
        """A key that does more than write."""
        event.stop()
        match event.what:
            case "recall":
                await self._search_earlier()
            case "editor":
                await self._write_elsewhere()
            case "attach":
                await self.attaching.paste()
            case "detach":
                self.attaching.remove_last()
            case "pasted":
                self._show_pasted(event.number)

    # Earlier prompts

    def walk(self, step: int) -> None:
        """Up in an empty composer: the newest prompt that still waits here; else through earlier ones."""
        waiting = [*self.submissions("queued"), *self.submissions("held")]
        if step > 0 and waiting and not self.composer.text and not self.recall.walking:
            self.conversation.do(Withdraw(max(waiting, key=lambda s: s.number).key))
        elif (text := self.recall.step(step, self.composer.text)) is not None:
            self._put(text)

    def _put(self, text: str) -> None:
        """What nobody is writing just now: nothing is offered for it."""
        self.offers.dismiss(text)
        self.composer.put(text)

    async def _search_earlier(self) -> None:
        from acp_tui.ui.widgets.recalling import Recalling

        found = self.query(Recalling)
        if found:
            recalling = found.first()
        else:
            recalling = Recalling(self._write_on, self.composer.hear)
            await self.mount(recalling, before="#writing")
        recalling.open(self.recall.prompts(), self.composer.handed_on or ())
        self.composer.handed_on = None

    def _write_on(self, prompt: Prompt | None) -> None:
        """With this, or with what was being written."""
        if prompt is not None:
            self.recall.stop()
            self._put(self.recall.shown(prompt))
        self.screen.set_focus(self.composer)

    # Elsewhere

    async def _write_elsewhere(self) -> None:
        """In the user's editor; what came back meanwhile (a refused prompt) stays before it."""
        from acp_tui.ui.writing.in_editor import write

        before = self.composer.text
        after, problem = await write(self.app, self.conversation.env, before, self.conversation.cwd)
        if problem:
            self._tell(problem)
        if after is not None and after != before:
            self.composer.put(self.composer.text.removesuffix(before) + after)
        self.composer.focus()

    def _show_pasted(self, number: int) -> None:
        if not number:
            self._tell("There is no long paste in what you write.")
            return
        from acp_tui.ui.screens.pasted import PastedScreen

        pasted = self.composing.pasted
        change = partial(self._change_pasted, number)
        self.app.push_screen(PastedScreen(pasted[number], self.conversation, change))

    def _change_pasted(self, number: int, text: str, unfold: bool) -> None:
        """This text in its place, as a piece again if it is long; one edit, so undo brings it back."""
        pasted, written = self.composing.pasted, self.composer.text
        chip = next((chip for chip in pasted.chips(written) if chip.number == number), None)
        if chip is not None:
            start, end = self.composer.place(chip.start), self.composer.place(chip.end)
            new = pasted.add(text) if long(text) and not unfold else text
            self.composer.replace(new, start, end, maintain_selection_offset=False)
        self.composer.focus()

    def on_unmount(self) -> None:
        """Nobody writes here any more."""
        self.offers.end()
