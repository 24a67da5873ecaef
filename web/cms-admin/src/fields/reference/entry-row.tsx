import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { useSortableItem } from '@stoa/ui/sortable/sortable.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { StatusChips } from '../../entries/status.tsx'
import { focusGroupOf } from '../focus-group.ts'
import { NewTabLink } from '../new-tab-link.tsx'

export type EntryRowProps = {
  /** Unlike that of every other row. */
  id: string
  /** Undefined while it is read, and when there is none. */
  entry: EntryItem | undefined
  /** The text shown when the entry does not exist. */
  missing: { name: string; text: string; note?: string } | undefined
  /** A note about an existing entry. */
  note?: string | undefined
  path: string
  errors: readonly string[]
  disabled: boolean
  /** Among others in an order. */
  sort?: { index: number; count: number; onMove: (from: number, to: number) => void }
  onRemove: () => void
  children?: ReactNode
}

/** A chosen entry; one that is gone can still be removed. */
export const EntryRow = (props: EntryRowProps) => (props.sort ? <SortedRow {...props} /> : <Row {...props} />)

const SortedRow = (props: EntryRowProps) => {
  const label = `Move ${props.entry?.title || 'entry'}`
  const { item, handle, isDragging } = useSortableItem(props.id, { label, disabled: props.disabled })
  return (
    <li {...item} className={cx('relative min-w-0 rounded-lg', isDragging && 'layer-sticky shadow-md')}>
      <Row {...props} handle={handle} />
    </li>
  )
}

const Row = (props: EntryRowProps & { handle?: ReactNode }) => {
  const { entry, missing, path, errors, disabled, sort, onRemove, children, handle } = props
  const name = entry ? entry.title || 'Untitled' : (missing?.name ?? 'entry')
  const remove = (event: MouseEvent<HTMLElement>) => {
    focusGroupOf(event.currentTarget)
    onRemove()
  }
  const isMoving = sort !== undefined && sort.count > 1 && !disabled
  return (
    <div data-path={path} className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <div className="flex min-h-9 min-w-0 items-center gap-1.5 py-1 pr-1 pl-2 text-sm">
        {isMoving ? handle : null}
        <Words {...props} />
        {children}
        {isMoving ? <MoveButtons name={name} {...sort} /> : null}
        {entry ? <NewTabLink to={`/content/${entry.type}/${entry.id}`} label={`Open ${name}`} /> : null}
        {disabled ? null : <IconButton size="sm" label={`Remove ${name}`} icon={<X />} onClick={remove} />}
      </div>
      {errors.map((message, index) => (
        <div key={message} className="px-2 pb-1.5">
          <FieldError id={`${path}-error-${index}`}>{message}</FieldError>
        </div>
      ))}
    </div>
  )
}

const Words = ({ entry, missing, note }: EntryRowProps) => (
  <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
    {entry ? (
      <>
        <span className="min-w-0 max-w-full truncate text-ink">{entry.title || 'Untitled'}</span>
        <EntryState entry={entry} />
        {note === undefined ? null : <span className="text-draft-ink text-xs">{note}</span>}
      </>
    ) : missing ? (
      <>
        <span className="min-w-0 max-w-full truncate text-danger-ink">{missing.text}</span>
        {missing.note === undefined ? null : <span className="text-faint text-xs">{missing.note}</span>}
      </>
    ) : (
      <Skeleton className="w-40" />
    )}
  </span>
)

// Visitors see nothing of it
const EntryState = ({ entry }: { entry: EntryItem }) =>
  entry.deletedAt === null ? <StatusChips entry={entry} /> : <Badge tone="failed">In the trash</Badge>

type MoveButtonsProps = NonNullable<EntryRowProps['sort']> & { name: string }

const MoveButtons = ({ name, index, count, onMove }: MoveButtonsProps) => (
  <>
    <IconButton
      size="sm"
      label={`Move ${name} up`}
      icon={<ArrowUp />}
      disabled={index === 0}
      onClick={() => onMove(index, index - 1)}
      className="phone:hidden"
    />
    <IconButton
      size="sm"
      label={`Move ${name} down`}
      icon={<ArrowDown />}
      disabled={index === count - 1}
      onClick={() => onMove(index, index + 1)}
      className="phone:hidden"
    />
  </>
)
