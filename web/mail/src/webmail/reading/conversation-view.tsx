import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button.tsx'
import { formatCount } from '@stoa/ui/format.ts'
import { AppLink } from '@stoa/ui/link.tsx'
import { useShortcut } from '@stoa/ui/shortcuts.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { labelsOf } from '../acts/labels.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { placeOfLabel, placePath } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { openAtFirst, rowsOf, splitHidden, step } from './conversation.ts'
import { MessageCard } from './message-card.tsx'
import { FoldedRow, MessageLine } from './message-line.tsx'
import { PrintSheet } from './print-sheet.tsx'
import { ReadingToolbar } from './reading-toolbar.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { bareSubject } from './subject.ts'
import { useMarkRead } from './use-mark-read.ts'
import { useWays } from './use-ways.ts'
import { useWriting } from './use-writing.ts'

type ConversationViewProps = {
  place: string
  messageId: string
  messages: readonly MessageItem[]
  settings: MailboxSettings
}

/** A conversation: its subject, its messages one below the other, and what can be done with all of it. */
export const ConversationView = ({ place, messageId, messages, settings }: ConversationViewProps) => {
  const ways = useWays(place, messageId, settings)
  const { shown, hidden, isUnhidden, unhide } = useHidden(messages, messageId)
  const folds = useFolds(shown, messageId)
  const unread = shown.filter(({ id, flags }) => folds.open.has(id) && !flags.seen && !flags.draft)
  useMarkRead(
    unread.map(({ id }) => id),
    settings.mark_read_seconds,
  )
  const [current, setCurrent] = useState<string>()
  const [withImages, setWithImages] = useState<ReadonlySet<string>>(new Set())
  const [printing, setPrinting] = useState<readonly MessageItem[]>()
  const newest = shown.findLast(({ flags }) => !flags.draft) ?? shown.at(-1)
  const chosen = shown.find(({ id }) => id === current) ?? newest
  const writing = useWriting()
  const list = useRef<HTMLOListElement>(null)
  const asked = shown.find(({ id }) => id === messageId)
  const subject = subjectOf((asked ?? newest)?.subject ?? '', shown.length > 1)
  const labels = [...new Set(shown.flatMap(({ keywords }) => labelsOf(keywords)))]
  const goTo = (id: string | undefined) => {
    if (id === undefined) return
    folds.set(id, true)
    setCurrent(id)
    focusMessage(list.current, id)
  }
  const ids = shown.filter(({ flags }) => !flags.draft).map(({ id }) => id)
  useConversationKeys({
    onStep: (by) => goTo(step(ids, current ?? (by === 1 ? ids[0] : ids.at(-1)), by)),
    onAll: folds.setAll,
    onPrint: () => setPrinting(shown.filter(({ id }) => folds.open.has(id))),
    hasSeveral: ids.length > 1,
  })
  useFirstOpenInSight(list, shown, folds.open)
  return (
    <article aria-label={`Conversation: ${subject}`} className="min-w-0">
      <title>{`${subject} · Stoa Mail`}</title>
      <ReadingToolbar
        messages={shown}
        messageId={messageId}
        ways={ways}
        onWrite={(kind) => chosen && writing(kind, chosen.id)}
        onPrint={() => setPrinting(shown.filter(({ flags }) => !flags.draft))}
      />
      <header className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-5 pt-4 pb-2 phone:px-4">
        <h2 className="min-w-0 flex-1 break-words font-semibold text-ink text-lg">{subject}</h2>
        {ids.length > 1 ? <FoldAll folds={folds} count={shown.length} /> : null}
        {labels.length > 0 ? (
          <ul aria-label="Labels" className="flex w-full flex-wrap gap-1">
            {labels.map((label) => (
              <li key={label} className="flex min-w-0">
                <AppLink to={placePath(placeOfLabel(label))} className="flex min-w-0 rounded-sm touch:py-1.5">
                  <LabelChip label={label} />
                </AppLink>
              </li>
            ))}
          </ul>
        ) : null}
      </header>
      <ol ref={list} className="flex flex-col">
        {rowsOf(shown, { open: folds.open, isUnfolded: folds.isUnfolded }).map((row) =>
          row.kind === 'fold' ? (
            <FoldedRow key="fold" messages={row.messages} onUnfold={folds.unfold} />
          ) : (
            <li key={row.message.id} data-message={row.message.id} className="border-line border-t first:border-t-0">
              {row.isOpen ? (
                <MessageCard
                  item={row.message}
                  settings={settings}
                  isAlone={shown.length === 1}
                  writing={writing}
                  isShown={withImages.has(row.message.id)}
                  onShow={() => setWithImages((before) => new Set([...before, row.message.id]))}
                  onFold={() => folds.set(row.message.id, false)}
                  onPrint={() => setPrinting([row.message])}
                  onGone={shown.length === 1 ? ways.goOn : () => undefined}
                />
              ) : (
                <MessageLine message={row.message} onOpen={() => goTo(row.message.id)} />
              )}
            </li>
          ),
        )}
      </ol>
      {hidden.length > 0 && !isUnhidden ? (
        <p className="flex flex-wrap items-center gap-2 border-line border-t px-5 py-2 text-muted text-xs phone:px-4">
          {formatCount(hidden.length, 'message', 'messages')} of this conversation {hidden.length === 1 ? 'is' : 'are'}{' '}
          in Trash or Junk.
          <Button size="sm" variant="ghost" onClick={unhide}>
            Show
          </Button>
        </p>
      ) : null}
      {chosen ? <ReplyBar message={chosen} writing={writing} /> : null}
      {printing ? (
        <PrintSheet
          messages={printing}
          withImages={withImages}
          settings={settings}
          onDone={() => setPrinting(undefined)}
        />
      ) : null}
    </article>
  )
}

type KeysInput = {
  onStep: (by: 1 | -1) => void
  onAll: (isOpen: boolean) => void
  onPrint: () => void
  hasSeveral: boolean
}

const GROUP = 'Open message'

const useConversationKeys = ({ onStep, onAll, onPrint, hasSeveral }: KeysInput): void => {
  const shared = { group: GROUP, enabled: hasSeveral }
  useShortcut({ ...shared, keys: 'n', description: 'Next message of the conversation', onPress: () => onStep(1) })
  useShortcut({ ...shared, keys: 'p', description: 'Previous message of the conversation', onPress: () => onStep(-1) })
  useShortcut({ ...shared, keys: ';', description: 'Expand all messages', onPress: () => onAll(true) })
  useShortcut({ ...shared, keys: ':', description: 'Collapse all messages', onPress: () => onAll(false) })
  useShortcut({ group: GROUP, keys: 'mod+p', description: 'Print', onPress: onPrint })
}

type Folds = {
  open: ReadonlySet<string>
  isUnfolded: boolean
  set: (id: string, isOpen: boolean) => void
  setAll: (isOpen: boolean) => void
  unfold: () => void
}

/** Which messages are open. What comes in while one reads opens by itself. */
const useFolds = (messages: readonly MessageItem[], messageId: string): Folds => {
  const [open, setOpen] = useState(() => openAtFirst(messages, messageId))
  const [isUnfolded, setUnfolded] = useState(false)
  const [known, setKnown] = useState({ ids: new Set(messages.map(({ id }) => id)), messageId })
  const fresh = messages.filter(({ id }) => !known.ids.has(id))
  if (fresh.length > 0 || known.messageId !== messageId) {
    setKnown({ ids: new Set([...known.ids, ...fresh.map(({ id }) => id)]), messageId })
    const unread = fresh.filter(({ flags }) => !flags.draft && !flags.seen).map(({ id }) => id)
    setOpen(new Set([...open, ...unread, messageId]))
  }
  return {
    open,
    isUnfolded,
    unfold: () => setUnfolded(true),
    set: (id, isOpen) =>
      setOpen((before) => new Set(isOpen ? [...before, id] : [...before].filter((other) => other !== id))),
    setAll: (isOpen) => {
      setUnfolded(isOpen)
      setOpen(isOpen ? new Set(messages.filter(({ flags }) => !flags.draft).map(({ id }) => id)) : lastOf(messages))
    },
  }
}

const lastOf = (messages: readonly MessageItem[]): ReadonlySet<string> => {
  const last = messages.findLast(({ flags }) => !flags.draft)
  return new Set(last ? [last.id] : [])
}

const FoldAll = ({ folds, count }: { folds: Folds; count: number }) => {
  const isAllOpen = folds.open.size >= count
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={isAllOpen ? <ChevronsDownUp /> : <ChevronsUpDown />}
      onClick={() => folds.setAll(!isAllOpen)}
    >
      {isAllOpen ? 'Collapse all' : `Expand all ${count}`}
    </Button>
  )
}

const useHidden = (messages: readonly MessageItem[], messageId: string) => {
  const { data: folders } = useQuery(foldersQuery)
  const [isUnhidden, setUnhidden] = useState(false)
  const thrown = (folders?.data ?? []).filter(({ role }) => role === 'trash' || role === 'junk').map(({ id }) => id)
  const split = splitHidden(messages, { askedId: messageId, hiddenFolders: new Set(thrown) })
  return {
    shown: isUnhidden ? [...messages] : split.shown,
    hidden: split.hidden,
    isUnhidden,
    unhide: () => setUnhidden(true),
  }
}

/** What all of them are about: replies say it with a word before it. */
const subjectOf = (subject: string, isShared: boolean): string =>
  (isShared ? bareSubject(subject) : subject.trim()) || 'No subject'

const focusMessage = (list: HTMLElement | null, id: string): void => {
  // The line becomes a card first
  requestAnimationFrame(() => {
    const card = list?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"] [data-card]`)
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'start' })
  })
}

/** Of a longer conversation the first message that is open is in sight. */
const useFirstOpenInSight = (
  list: React.RefObject<HTMLElement | null>,
  messages: readonly MessageItem[],
  open: ReadonlySet<string>,
): void => {
  const first = useRef(messages.findIndex(({ id }) => open.has(id)))
  useEffect(() => {
    if (first.current > 0) list.current?.querySelector('[data-card]')?.scrollIntoView({ block: 'start' })
  }, [list])
}
