import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { formatAbsolute, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { AlarmClock, Flag, Forward, Paperclip, Reply } from 'lucide-react'
import { type DragEvent, type MouseEvent, memo } from 'react'
import { labelsOf } from '../acts/labels.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { subjectOf } from '../people.ts'
import { isUnread, marksOf, rowDate, whoOf } from './row-words.ts'

/** Lines of their own in a narrow list, one line in a wide one. */
export type RowLayout = 'stacked' | 'line'

/** What rows tell the list; the same object for all of them, so that none is drawn again for its sake. */
export type RowActs = {
  hrefOf: (id: string) => string
  open: (item: MessageItem, index: number) => void
  choose: (item: MessageItem, index: number, isRange: boolean) => void
  flag: (item: MessageItem) => void
  drag: (item: MessageItem, event: DragEvent) => void
  /** The focus came to a row: keys are about it. */
  point: (index: number) => void
}

type RowProps = {
  item: MessageItem
  index: number
  total: number
  layout: RowLayout
  /** One's own mail: whom it goes to is told. */
  isOwn: boolean
  /** Where it is, in lists of several folders. */
  folder: string | undefined
  /** The label that the list is of: it need not be told. */
  label: string | undefined
  isOpen: boolean
  isCursor: boolean
  /** The row that Tab leads to. */
  isTabStop: boolean
  isChosen: boolean
  /** The day that dates are told by; a new day draws all rows again. */
  today: number
  acts: RowActs
}

/** One message or conversation of a list. */
export const MessageRow = memo((props: RowProps) => {
  const { item, index, total, layout, isOpen, isCursor, isTabStop, isChosen, acts } = props
  const unread = isUnread(item)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list that it is in is placed by hand
    <div
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={total}
      data-row={item.id}
      data-unread={unread || undefined}
      draggable
      onDragStart={(event) => acts.drag(item, event)}
      className={cx(
        'group/row relative flex h-full select-none border-line border-b pr-3 transition-colors',
        layout === 'line' ? 'items-center' : 'pt-2.5',
        isOpen || isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
        (isCursor || isOpen) && 'before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
      )}
    >
      <span
        className={cx(
          'z-1 flex w-9 shrink-0 touch:w-11',
          layout === 'line' ? 'justify-center' : 'flex-col items-center gap-2.5 pt-0.5',
        )}
      >
        <Checkbox
          checked={isChosen}
          aria-label={`Select ${subjectOf(item)}`}
          tabIndex={-1}
          onChecked={() => undefined}
          onClick={(event: MouseEvent) => acts.choose(item, index, event.shiftKey)}
        />
        {layout === 'stacked' && unread ? <UnreadDot /> : null}
      </span>
      <a
        href={acts.hrefOf(item.id)}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        draggable={false}
        onFocus={() => acts.point(index)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.altKey || event.button !== 0) return
          event.preventDefault()
          if (event.shiftKey) acts.choose(item, index, true)
          else acts.open(item, index)
        }}
        className="min-w-0 flex-1 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
      >
        {layout === 'line' ? <Line {...props} unread={unread} /> : <Stacked {...props} unread={unread} />}
      </a>
      <FlagButton item={item} layout={layout} onFlag={acts.flag} />
    </div>
  )
})

type ContentProps = RowProps & { unread: boolean }

const Stacked = ({ item, isOwn, folder, label, unread }: ContentProps) => (
  <>
    <span className="flex items-center gap-1.5">
      <Who item={item} isOwn={isOwn} unread={unread} className="min-w-0 flex-1" />
      <Moment item={item} unread={unread} />
    </span>
    <span className="flex items-center gap-1.5 pr-6">
      <Subject item={item} unread={unread} className="min-w-0 flex-1" />
      <Marks item={item} />
    </span>
    <span className="flex items-center gap-1.5">
      <span dir="auto" className="min-w-0 flex-1 truncate text-left text-muted text-xs">
        {item.preview || ' '}
      </span>
      <Places item={item} folder={folder} besides={label} />
    </span>
  </>
)

const Line = ({ item, isOwn, folder, label, unread }: ContentProps) => (
  <span className="flex items-center gap-3 pr-8">
    <span aria-hidden className="flex w-2 shrink-0">
      {unread ? <UnreadDot /> : null}
    </span>
    <Who item={item} isOwn={isOwn} unread={unread} className="w-40 shrink-0" />
    <Places item={item} folder={folder} besides={label} isWide />
    <span dir="auto" className="min-w-0 flex-1 truncate text-left text-sm">
      <Subject item={item} unread={unread} />
      {item.preview === '' ? null : <span className="ms-2 text-muted">{item.preview}</span>}
    </span>
    <Marks item={item} />
    <Moment item={item} unread={unread} className="w-20" />
  </span>
)

const UnreadDot = () => <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />

type PartProps = { item: MessageItem; unread: boolean; className?: string }

const Who = ({ item, isOwn, unread, className }: PartProps & { isOwn: boolean }) => (
  <span className={cx('flex items-center gap-1.5 text-sm', className)}>
    <span dir="auto" className={cx('truncate text-left', unread ? 'font-semibold text-ink' : 'text-ink')}>
      {whoOf(item, isOwn)}
    </span>
    {item.thread_count === undefined || item.thread_count < 2 ? null : (
      <span className="shrink-0 rounded-sm bg-pressed px-1 text-2xs text-muted tabular-nums">
        {formatNumber(item.thread_count)}
        <span className="sr-only"> messages</span>
      </span>
    )}
  </span>
)

const Subject = ({ item, unread, className }: PartProps) => (
  <span
    dir="auto"
    className={cx('truncate text-left text-sm', unread ? 'font-medium text-ink' : 'text-muted', className)}
  >
    {item.flags.draft ? <span className="me-1.5 text-draft-ink">Draft</span> : null}
    <span>{subjectOf(item)}</span>
  </span>
)

/** When it came; of what is snoozed, when it comes back. */
const Moment = ({ item, unread, className }: PartProps) => {
  const isSnoozed = item.snoozed_until !== null
  const at = new Date(item.snoozed_until ?? item.received_at)
  return (
    <time
      dateTime={at.toISOString()}
      title={`${isSnoozed ? 'Snoozed until ' : ''}${formatAbsolute(at)}`}
      className={cx(
        'inline-flex shrink-0 items-center justify-end gap-1 text-xs',
        isSnoozed ? 'text-scheduled-ink' : unread ? 'font-medium text-accent-ink' : 'text-muted',
        className,
      )}
    >
      {isSnoozed ? <AlarmClock aria-label="Snoozed until" className="size-3.5" /> : null}
      {rowDate(at, new Date())}
    </time>
  )
}

const Marks = ({ item }: { item: MessageItem }) => (
  <span className="flex shrink-0 items-center gap-1 text-faint [&>svg]:size-3.5">
    <span className="sr-only">{marksOf(item)}</span>
    {item.flags.answered ? <Reply aria-hidden /> : null}
    {item.flags.forwarded ? <Forward aria-hidden /> : null}
    {item.has_attachments ? <Paperclip aria-hidden /> : null}
  </span>
)

/** More would leave no room for the text: labels, and the folder where it is told. */
const MAX_PLACES = 2

type PlacesProps = { item: MessageItem; folder: string | undefined; besides: string | undefined; isWide?: boolean }

const Places = ({ item, folder, besides, isWide = false }: PlacesProps) => {
  const labels = labelsOf(item.keywords).filter((label) => label !== besides)
  if (labels.length === 0 && folder === undefined) return null
  const told = labels.slice(0, folder === undefined ? MAX_PLACES : MAX_PLACES - 1)
  const rest = labels.length - told.length
  return (
    <span className={cx('flex shrink-0 items-center gap-1', isWide ? '*:max-w-40' : '*:max-w-20')}>
      {told.map((label) => (
        <LabelChip key={label} label={label} />
      ))}
      {rest > 0 ? (
        <span title={labels.slice(told.length).join(', ')} className="z-1 text-2xs text-muted">
          +{rest}
        </span>
      ) : null}
      {folder === undefined ? null : (
        <span className="truncate rounded-sm border border-line bg-surface px-1 text-2xs text-muted">{folder}</span>
      )}
    </span>
  )
}

type FlagButtonProps = { item: MessageItem; layout: RowLayout; onFlag: (item: MessageItem) => void }

const FlagButton = ({ item, layout, onFlag }: FlagButtonProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={`Flag ${subjectOf(item)}`}
    aria-pressed={item.flags.flagged}
    onClick={() => onFlag(item)}
    className={cx(
      'absolute right-2 z-1 flex size-6 items-center justify-center rounded-sm transition-colors hover:bg-hover touch:size-8 [&>svg]:size-3.5',
      layout === 'line' ? '' : 'top-7',
      item.flags.flagged
        ? 'text-draft-mark [&>svg]:fill-current'
        : 'text-faint opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 touch:hidden',
    )}
  >
    <Flag aria-hidden />
  </button>
)
