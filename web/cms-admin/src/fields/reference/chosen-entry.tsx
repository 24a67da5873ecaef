import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { IconButton } from '@stoa/ui/button.tsx'
import { cx } from '@stoa/ui/cx.ts'
import { FieldError } from '@stoa/ui/field.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { Skeleton } from '@stoa/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { hasCode } from '../../api.ts'
import { entryItemQuery } from '../../entries/queries.ts'
import { StatusChips } from '../../entries/status.tsx'
import { focusGroupOf } from '../focus-group.ts'
import { NewTabLink } from '../new-tab-link.tsx'
import { useSortableItem } from '../sortable.tsx'

type ChosenEntryProps = {
  id: string
  path: string
  errors: readonly string[]
  disabled: boolean
  /** Among others in an order. */
  sort?: { index: number; count: number; onMove: (from: number, to: number) => void }
  onRemove: () => void
  children?: ReactNode
}

/** An entry that was chosen; one that is gone can still be removed. */
export const ChosenEntry = (props: ChosenEntryProps) => (props.sort ? <SortedEntry {...props} /> : <Entry {...props} />)

const SortedEntry = (props: ChosenEntryProps) => {
  const { data } = useQuery(entryItemQuery(props.id))
  const label = `Move ${data?.title || 'entry'}`
  const { item, handle, isDragging } = useSortableItem(props.id, { label, disabled: props.disabled })
  return (
    <li {...item} className={cx('relative min-w-0 rounded-lg', isDragging && 'layer-sticky shadow-md')}>
      <Entry {...props} handle={handle} />
    </li>
  )
}

const Entry = ({
  id,
  path,
  errors,
  disabled,
  sort,
  onRemove,
  children,
  handle,
}: ChosenEntryProps & { handle?: ReactNode }) => {
  const { data, error } = useQuery(entryItemQuery(id))
  const name = data ? data.title || 'Untitled' : 'Missing entry'
  const remove = (event: MouseEvent<HTMLElement>) => {
    focusGroupOf(event.currentTarget)
    onRemove()
  }
  const isMoving = sort !== undefined && sort.count > 1 && !disabled
  return (
    <div data-path={path} className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <div className="flex min-h-9 min-w-0 items-center gap-1.5 py-1 pr-1 pl-2 text-sm">
        {isMoving ? handle : null}
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          {data || error ? (
            <span className={cx('min-w-0 max-w-full truncate', data ? 'text-ink' : 'text-danger-ink')}>
              {data || hasCode(error, 'NOT_FOUND') ? name : messageOf(error)}
            </span>
          ) : (
            <Skeleton className="w-40" />
          )}
          {data ? <EntryState entry={data} /> : null}
          {error && !data && hasCode(error, 'NOT_FOUND') ? (
            <span className="text-faint text-xs">Deleted, or not for your role to see.</span>
          ) : null}
        </span>
        {children}
        {isMoving ? <MoveButtons name={name} {...sort} /> : null}
        {data ? <NewTabLink to={`/content/${data.type}/${id}`} label={`Open ${name}`} /> : null}
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

// Visitors see nothing of it
const EntryState = ({ entry }: { entry: EntryItem }) =>
  entry.deletedAt === null ? <StatusChips entry={entry} /> : <Badge tone="failed">In the trash</Badge>

type MoveButtonsProps = NonNullable<ChosenEntryProps['sort']> & { name: string }

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
