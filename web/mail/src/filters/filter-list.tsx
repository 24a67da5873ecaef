import type { Filter } from '@stoa/mail-model/filters.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Switch } from '@stoa/ui/form/switch.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { HandleRoom, SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, AtSign, Copy, Ellipsis, Globe, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { describeScript, type FilterGroup, positionFor } from './filter-groups.ts'
import type { FilterChanges } from './queries.ts'

type FilterListProps = {
  group: FilterGroup
  /** The address, or undefined while it is not known. */
  email: string | undefined
  /** Part of a search: others stand between these rows. */
  isPart: boolean
  /** Rows of some list on the screen can be moved: a single one leaves the room of the handle free. */
  hasHandles: boolean
  onChange: (filter: Filter, changes: FilterChanges) => void
  onDelete: (filter: Filter) => void
}

/** The filters of one address, or of all, in the order in which they run. */
export const FilterList = ({ group, email, isPart, hasHandles, onChange, onDelete }: FilterListProps) => {
  const { addressId, filters } = group
  const isAll = addressId === ''
  const move = (from: number, to: number) => {
    const filter = filters[from]
    const position = positionFor(group, to)
    if (filter && position !== undefined) onChange(filter, { position })
  }
  const row = (filter: Filter, index: number, handle: ReactNode) => (
    <FilterRow
      filter={filter}
      handle={hasHandles ? (handle ?? <HandleRoom />) : null}
      onChange={onChange}
      onDelete={onDelete}
      onUp={!isPart && index > 0 ? () => move(index, index - 1) : undefined}
      onDown={!isPart && index < filters.length - 1 ? () => move(index, index + 1) : undefined}
    />
  )
  return (
    <section aria-label={isAll ? 'All addresses' : (email ?? 'One address')}>
      <h2 className="flex items-center gap-2 border-line border-b bg-sunken px-4 py-2">
        <Badge tone={isAll ? 'accent' : 'neutral'} icon={isAll ? <Globe aria-hidden /> : <AtSign aria-hidden />}>
          {isAll ? 'All addresses' : (email ?? 'One address')}
        </Badge>
        <span className="font-normal text-faint text-xs">
          {isAll ? 'Run first' : 'Run after the filters for all addresses'}
        </span>
      </h2>
      <SortableRows
        label={isAll ? 'Filters for all addresses' : `Filters for ${email ?? 'one address'}`}
        className="divide-y divide-line"
        items={filters}
        nameOf={({ name }) => name}
        onMove={move}
        row={row}
      />
    </section>
  )
}

type FilterRowProps = {
  filter: Filter
  handle: ReactNode
  onChange: FilterListProps['onChange']
  onDelete: FilterListProps['onDelete']
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
}

const FilterRow = ({ filter, handle, onChange, onDelete, onUp, onDown }: FilterRowProps) => {
  const { words, isText } = useMemo(() => describeScript(filter.script), [filter.script])
  return (
    <div className="flex min-w-0 items-center gap-2 px-4 py-3 hover:bg-hover">
      {handle}
      <Switch
        aria-label={`Enable ${filter.name}`}
        checked={filter.enabled}
        onChecked={(enabled) => onChange(filter, { enabled })}
      />
      <AppLink
        to={`/filters/${filter.id}`}
        className={cx('ml-1.5 flex min-w-0 flex-1 flex-col gap-0.5', !filter.enabled && 'opacity-75')}
      >
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium text-ink text-sm hover:underline">{filter.name}</span>
          {isText ? <Badge>Sieve</Badge> : null}
          {filter.enabled ? null : <Badge>Off</Badge>}
        </span>
        <span className="line-clamp-2 break-words text-muted text-xs">{words}</span>
      </AppLink>
      <RowMenu filter={filter} onUp={onUp} onDown={onDown} onDelete={onDelete} />
    </div>
  )
}

const RowMenu = ({
  filter,
  onUp,
  onDown,
  onDelete,
}: Pick<FilterRowProps, 'filter' | 'onUp' | 'onDown' | 'onDelete'>) => {
  const navigate = useNavigate()
  return (
    <Menu trigger={<IconButton size="sm" label={`Actions for ${filter.name}`} icon={<Ellipsis />} />}>
      <MenuItem
        icon={<Pencil />}
        onSelect={() => void navigate({ to: '/filters/$filterId', params: { filterId: filter.id } })}
      >
        Edit
      </MenuItem>
      <MenuItem
        icon={<Copy />}
        onSelect={() =>
          void navigate({
            to: '/filters/$filterId',
            params: { filterId: 'new' },
            search: () => ({ copy: filter.id }),
          })
        }
      >
        Duplicate
      </MenuItem>
      <MenuItem icon={<ArrowUp />} disabled={!onUp} onSelect={() => onUp?.()}>
        Move up
      </MenuItem>
      <MenuItem icon={<ArrowDown />} disabled={!onDown} onSelect={() => onDown?.()}>
        Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={() => onDelete(filter)}>
        Delete
      </MenuItem>
    </Menu>
  )
}
