import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { formatAbsolute, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { AlarmClock, Flag, Forward, Paperclip, Reply } from 'lucide-react'
import { type DragEvent, type MouseEvent, memo } from 'react'
import { labelsOf } from '../actions/labels.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { nameOf, subjectOf } from '../people.ts'
import { Marked } from '../search/marked.tsx'
import type { Density, RowLayout } from './row-size.ts'
import { isUnread, marksOf, personOf, rowDate, whoOf } from './row-words.ts'

/** Callbacks of rows; the same object for all of them, so that none is rendered again because of it. */
export type RowActions = {
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
  density: Density
  /** Words of the search that the list is of. */
  marks: readonly string[]
  /** Some rows are chosen: all of them show their boxes. */
  isChoosing: boolean
  /** One's own mail: its recipients are shown. */
  isOwn: boolean
  /** The folder's name, in lists of several folders. */
  folder: string | undefined
  /** The label that the list is of: rows need not show it. */
  label: string | undefined
  isOpen: boolean
  isCursor: boolean
  /** The row that Tab leads to. */
  isTabStop: boolean
  isChosen: boolean
  /** The day that dates are relative to; a new day renders all rows again. */
  today: number
  actions: RowActions
}

/** One message or conversation of a list. */
export const MessageRow = memo((props: RowProps) => {
  const { item, index, total, layout, density, isOpen, isCursor, isTabStop, isChosen, actions } = props
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
      onDragStart={(event) => actions.drag(item, event)}
      className={cx(
        'group/row relative flex h-full select-none border-line border-b pr-3 transition-colors',
        layout === 'line' ? 'items-center' : density === 'compact' ? 'pt-1.5' : 'pt-2.5',
        isOpen || isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
        (isCursor || isOpen) && 'before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent',
      )}
    >
      <Chooser {...props} unread={unread} />
      <a
        href={actions.hrefOf(item.id)}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        draggable={false}
        onFocus={() => actions.point(index)}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.altKey || event.button !== 0) return
          event.preventDefault()
          if (event.shiftKey) actions.choose(item, index, true)
          else actions.open(item, index)
        }}
        className="min-w-0 flex-1 outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
      >
        {layout === 'line' ? <Line {...props} unread={unread} /> : <Stacked {...props} unread={unread} />}
      </a>
      <FlagButton item={item} layout={layout} density={density} onFlag={actions.flag} />
    </div>
  )
})

type ContentProps = RowProps & { unread: boolean }

/** The picture of a person turns into a box where the row can be chosen. */
const Chooser = ({ item, index, layout, density, isOwn, isChosen, isChoosing, unread, actions }: ContentProps) => {
  const isCompact = density === 'compact'
  const person = personOf(item, isOwn)
  const isBox = isCompact || isChosen || isChoosing
  return (
    <span
      className={cx(
        'z-1 flex shrink-0',
        isCompact ? 'w-9 touch:w-11' : 'w-13',
        layout === 'line' ? 'items-center justify-center' : 'flex-col items-center gap-2',
        layout === 'stacked' && isCompact && 'gap-1.5 pt-0.5',
      )}
    >
      <span className={cx('group/choose relative flex items-center justify-center', isCompact ? 'size-4' : 'size-7')}>
        {isCompact ? null : (
          <span
            className={cx(
              'flex',
              isBox ? 'invisible' : 'group-focus-within/choose:invisible group-hover/row:invisible',
            )}
          >
            <Avatar name={person ? nameOf(person) : ''} person={person?.email ?? null} />
          </span>
        )}
        <span
          className={cx(
            'absolute inset-0 flex items-center justify-center',
            !isBox && 'opacity-0 focus-within:opacity-100 group-hover/row:opacity-100',
          )}
        >
          <Checkbox
            checked={isChosen}
            aria-label={`Select ${subjectOf(item)}`}
            tabIndex={-1}
            onChecked={() => undefined}
            onClick={(event: MouseEvent) => actions.choose(item, index, event.shiftKey)}
          />
        </span>
      </span>
      {layout === 'stacked' && unread ? <UnreadDot /> : null}
    </span>
  )
}

const Stacked = (props: ContentProps) => {
  const { item, isOwn, density, marks, folder, label, unread } = props
  const isCompact = density === 'compact'
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Who item={item} isOwn={isOwn} marks={marks} unread={unread} className="min-w-0 flex-1" />
        {isCompact ? <Marks item={item} /> : null}
        <Moment item={item} unread={unread} />
      </span>
      <span className="flex items-center gap-1.5 pr-6">
        {isCompact ? (
          <SubjectAndPreview {...props} />
        ) : (
          <Subject item={item} marks={marks} unread={unread} className="min-w-0 flex-1" />
        )}
        {isCompact ? <Places item={item} folder={folder} besides={label} /> : <Marks item={item} />}
      </span>
      {isCompact ? null : (
        <span className="flex items-center gap-1.5">
          <span dir="auto" className="min-w-0 flex-1 truncate text-left text-muted text-xs">
            {item.preview === '' ? '\u00a0' : <Marked text={item.preview} words={marks} />}
          </span>
          <Places item={item} folder={folder} besides={label} />
        </span>
      )}
    </>
  )
}

const SubjectAndPreview = ({ item, marks, unread }: ContentProps) => (
  <span dir="auto" className="min-w-0 flex-1 truncate text-left text-sm">
    <Subject item={item} marks={marks} unread={unread} />
    {item.preview === '' ? null : (
      <span className="ms-2 text-muted">
        <Marked text={item.preview} words={marks} />
      </span>
    )}
  </span>
)

const Line = (props: ContentProps) => {
  const { item, isOwn, marks, folder, label, unread } = props
  return (
    <span className="flex items-center gap-3 pr-8">
      <span aria-hidden className="flex w-2 shrink-0">
        {unread ? <UnreadDot /> : null}
      </span>
      <Who item={item} isOwn={isOwn} marks={marks} unread={unread} className="w-40 shrink-0" />
      <Places item={item} folder={folder} besides={label} isWide />
      <SubjectAndPreview {...props} />
      <Marks item={item} />
      <Moment item={item} unread={unread} className="w-20" />
    </span>
  )
}

const UnreadDot = () => <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />

type PartProps = { item: MessageItem; unread: boolean; className?: string }

type WordProps = PartProps & { marks: readonly string[] }

const Who = ({ item, isOwn, marks, unread, className }: WordProps & { isOwn: boolean }) => (
  <span className={cx('flex items-center gap-1.5 text-sm', className)}>
    <span dir="auto" className={cx('truncate text-left', unread ? 'font-semibold text-ink' : 'text-ink')}>
      <Marked text={whoOf(item, isOwn)} words={marks} />
    </span>
    {item.thread_count === undefined || item.thread_count < 2 ? null : (
      <span className="shrink-0 rounded-sm bg-pressed px-1 text-2xs text-muted tabular-nums">
        {formatNumber(item.thread_count)}
        <span className="sr-only"> messages</span>
      </span>
    )}
  </span>
)

const Subject = ({ item, marks, unread, className }: WordProps) => (
  <span
    dir="auto"
    className={cx('truncate text-left text-sm', unread ? 'font-medium text-ink' : 'text-muted', className)}
  >
    {item.flags.draft ? <span className="me-1.5 text-draft-ink">Draft</span> : null}
    <span>
      <Marked text={subjectOf(item)} words={marks} />
    </span>
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

/** More would leave no room for the text: labels, and the folder where it is shown. */
const MAX_PLACES = 2

type PlacesProps = { item: MessageItem; folder: string | undefined; besides: string | undefined; isWide?: boolean }

const Places = ({ item, folder, besides, isWide = false }: PlacesProps) => {
  const labels = labelsOf(item.keywords).filter((label) => label !== besides)
  if (labels.length === 0 && folder === undefined) return null
  const shown = labels.slice(0, folder === undefined ? MAX_PLACES : MAX_PLACES - 1)
  const rest = labels.length - shown.length
  return (
    <span className={cx('flex shrink-0 items-center gap-1', isWide ? '*:max-w-40' : '*:max-w-20')}>
      {shown.map((label) => (
        <LabelChip key={label} label={label} />
      ))}
      {rest > 0 ? (
        <span title={labels.slice(shown.length).join(', ')} className="z-1 text-2xs text-muted">
          +{rest}
        </span>
      ) : null}
      {folder === undefined ? null : (
        <span className="truncate rounded-sm border border-line bg-surface px-1 text-2xs text-muted">{folder}</span>
      )}
    </span>
  )
}

type FlagButtonProps = { item: MessageItem; layout: RowLayout; density: Density; onFlag: (item: MessageItem) => void }

const FlagButton = ({ item, layout, density, onFlag }: FlagButtonProps) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={`Flag ${subjectOf(item)}`}
    aria-pressed={item.flags.flagged}
    onClick={() => onFlag(item)}
    className={cx(
      'absolute right-2 z-1 flex size-6 items-center justify-center rounded-sm transition-colors hover:bg-hover touch:size-8 [&>svg]:size-3.5',
      layout === 'line' ? '' : density === 'compact' ? 'top-6' : 'top-7',
      item.flags.flagged
        ? 'text-draft-mark [&>svg]:fill-current'
        : 'text-faint opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 touch:hidden',
    )}
  >
    <Flag aria-hidden />
  </button>
)
