import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { labelsOf } from '../actions/labels.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { placeOfLabel, placePath } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { rowsOf, splitHidden, step } from './conversation.ts'
import { MessageCard } from './message-card.tsx'
import { FoldedRow, MessageLine } from './message-line.tsx'
import { PrintSheet } from './print-sheet.tsx'
import { ReadingToolbar } from './reading-toolbar.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { bareSubject } from './subject.ts'
import { type Folds, useFolds } from './use-folds.ts'
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
  const { shown, hidden, unhide } = useHidden(messages, messageId)
  const folds = useFolds(shown, messageId)
  const unread = shown.filter(({ id, flags }) => folds.open.has(id) && !flags.seen && !flags.draft)
  useMarkRead(
    unread.map(({ id }) => id),
    settings.mark_read_seconds,
  )
  const [current, setCurrent] = useState<string>()
  const [withImages, setWithImages] = useState<ReadonlySet<string>>(new Set())
  const [printing, setPrinting] = useState<readonly MessageItem[]>()
  const writing = useWriting()
  const list = useRef<HTMLOListElement>(null)
  const read = shown.filter(({ flags }) => !flags.draft)
  const newest = read.at(-1) ?? shown.at(-1)
  const asked = shown.find(({ id }) => id === messageId) ?? newest
  const chosen = shown.find(({ id }) => id === current) ?? newest
  const subject = subjectOf(asked?.subject ?? '', shown.length > 1)
  const goTo = (id: string | undefined) => {
    if (id === undefined) return
    folds.set(id, true)
    setCurrent(id)
    focusMessage(list.current, id)
  }
  useConversationKeys({
    onStep: (by) => goTo(nextOf(read, current, by)),
    onAll: folds.setAll,
    onPrint: () => setPrinting(read.filter(({ id }) => folds.open.has(id))),
    hasSeveral: read.length > 1,
  })
  useFirstOpenInSight(list, shown, folds.open)
  return (
    <article aria-label={`Conversation: ${subject}`} className="min-w-0">
      <title>{`${subject} · Stoa Mail`}</title>
      <ReadingToolbar
        messages={shown}
        messageId={asked?.id ?? messageId}
        ways={ways}
        onWrite={(kind) => chosen && writing(kind, chosen.id)}
        onPrint={() => setPrinting(read)}
      />
      <ConversationHeader subject={subject} messages={shown} folds={folds} />
      <ol ref={list} className="flex flex-col">
        {rowsOf(shown, folds).map((row) =>
          row.kind === 'fold' ? (
            <FoldedRow key={`fold ${row.messages[0]?.id}`} messages={row.messages} onUnfold={folds.unfold} />
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
      <HiddenNote count={hidden.length} onShow={unhide} />
      {chosen ? <ReplyBar message={chosen} writing={writing} /> : null}
      {printing ? (
        <PrintSheet {...{ withImages, settings }} messages={printing} onDone={() => setPrinting(undefined)} />
      ) : null}
    </article>
  )
}

type HeaderProps = { subject: string; messages: readonly MessageItem[]; folds: Folds }

const ConversationHeader = ({ subject, messages, folds }: HeaderProps) => {
  const labels = [...new Set(messages.flatMap(({ keywords }) => labelsOf(keywords)))]
  const read = messages.filter(({ flags }) => !flags.draft)
  return (
    <header className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-5 pt-4 pb-2 phone:px-4">
      <h2 dir="auto" title={subject} className="line-clamp-3 min-w-0 flex-1 break-words font-semibold text-ink text-lg">
        {subject}
      </h2>
      {read.length > 1 ? <FoldAll folds={folds} messages={read} /> : null}
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
  )
}

const HiddenNote = ({ count, onShow }: { count: number; onShow: () => void }) =>
  count === 0 ? null : (
    <p className="flex flex-wrap items-center gap-2 border-line border-t px-5 py-2 text-muted text-xs phone:px-4">
      {formatCount(count, 'message', 'messages')} in this conversation {count === 1 ? 'is' : 'are'} in Trash or Junk.
      <Button size="sm" variant="ghost" onClick={onShow}>
        Show
      </Button>
    </p>
  )

/** From the one that was gone to last, or else from either end. */
const nextOf = (messages: readonly MessageItem[], current: string | undefined, by: 1 | -1): string | undefined => {
  const ids = messages.map(({ id }) => id)
  return step(ids, current ?? (by === 1 ? ids[0] : ids.at(-1)), by)
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
  useShortcut({ ...shared, keys: 'n', description: 'Next message in conversation', onPress: () => onStep(1) })
  useShortcut({ ...shared, keys: 'p', description: 'Previous message in conversation', onPress: () => onStep(-1) })
  useShortcut({ ...shared, keys: ';', description: 'Expand all messages', onPress: () => onAll(true) })
  useShortcut({ ...shared, keys: ':', description: 'Collapse all messages', onPress: () => onAll(false) })
  useShortcut({ group: GROUP, keys: 'mod+p', description: 'Print', onPress: onPrint })
}

const FoldAll = ({ folds, messages }: { folds: Folds; messages: readonly MessageItem[] }) => {
  const isAllOpen = messages.every(({ id }) => folds.open.has(id))
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={isAllOpen ? <ChevronsDownUp /> : <ChevronsUpDown />}
      onClick={() => folds.setAll(!isAllOpen)}
    >
      {isAllOpen ? 'Collapse all' : `Expand all ${messages.length}`}
    </Button>
  )
}

/** Messages in Trash and Junk are left out, unless it was one of them that was opened. */
const useHidden = (messages: readonly MessageItem[], messageId: string) => {
  const { data: folders } = useQuery(foldersQuery)
  const [isUnhidden, setUnhidden] = useState(false)
  const thrown = new Set((folders?.data ?? []).filter(isHiddenRole).map(({ id }) => id))
  const isThrown = messages.some(({ id, folder_ids: ids }) => id === messageId && ids.every((each) => thrown.has(each)))
  // A message moved to the trash while it is open disappears
  const [opened, setOpened] = useState({ messageId, isThrown })
  if (opened.messageId !== messageId) setOpened({ messageId, isThrown })
  const isAll = isUnhidden || opened.isThrown
  const { shown, hidden } = splitHidden(messages, isAll ? new Set() : thrown)
  return { shown, hidden, unhide: () => setUnhidden(true) }
}

const isHiddenRole = ({ role }: { role: string | null }): boolean => role === 'trash' || role === 'junk'

/** The shared subject of a conversation, without prefixes of replies. */
const subjectOf = (subject: string, isShared: boolean): string =>
  shownLine(isShared ? bareSubject(subject) : subject) || 'No subject'

const focusMessage = (list: HTMLElement | null, id: string): void => {
  // The line becomes a card first
  requestAnimationFrame(() => {
    const card = list?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"] [data-card]`)
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'start' })
  })
}

/** Scrolls a longer conversation to its first open message. */
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
