import { useSortable } from '@dnd-kit/sortable'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { iconButtonClass } from '@stoa/ui/button/button-class.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import {
  ArrowDown,
  ArrowUp,
  CornerDownRight,
  Ellipsis,
  ExternalLink,
  GripVertical,
  IndentDecrease,
  IndentIncrease,
  ListPlus,
  Pencil,
  Trash2,
} from 'lucide-react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { EntryTarget } from './entry-target.tsx'
import { nameOfItem } from './items.ts'
import type { LeafItem, MoveDirection } from './tree.ts'

type RowActions = {
  onToggle: () => void
  onStep: (step: MoveDirection) => void
  onAddBelow: () => void
  onRemove: () => void
}

type MenuRowProps = RowActions & {
  item: LeafItem
  depth: number
  isOpen: boolean
  problems: readonly FieldProblem[]
  /** Which steps the item can take. */
  steps: ReadonlySet<MoveDirection>
  canAddBelow: boolean
  flat: boolean
  disabled: boolean
  /** The form of the item while it is open. */
  form: ReactNode
}

/** One item of a menu, with its handle, its target and its actions. */
export const MenuRow = (props: MenuRowProps) => {
  const { item, depth, isOpen, problems, disabled, form } = props
  const sortable = useSortable({ id: item.id, disabled })
  const { transform, transition, isDragging } = sortable
  return (
    <li
      ref={sortable.setNodeRef}
      style={{
        ...(transform ? { transform: `translate3d(0, ${Math.round(transform.y)}px, 0)` } : {}),
        ...(transition ? { transition } : {}),
      }}
      className={cx('bg-surface', isDragging && 'layer-sticky relative rounded-md shadow-md')}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the handle and of the name */}
      <div onKeyDown={stepKeys(props)} style={indent(depth)} className="flex min-h-12 items-center gap-1.5 py-1.5 pr-2">
        <button
          type="button"
          ref={sortable.setActivatorNodeRef}
          {...sortable.attributes}
          {...sortable.listeners}
          // Dragging is for the pointer; the keys move it at once
          onKeyDown={undefined}
          data-row={item.id}
          data-part="handle"
          aria-label={`Move ${nameOfItem(item)}`}
          title="Drag, or press Alt and an arrow key"
          className={iconButtonClass('ghost', 'sm', 'cursor-grab touch-none text-faint active:cursor-grabbing')}
        >
          <GripVertical aria-hidden />
        </button>
        {depth === 0 ? null : <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-faint" />}
        <button
          type="button"
          data-row={item.id}
          data-part="name"
          aria-expanded={isOpen}
          onClick={props.onToggle}
          className="flex min-w-0 flex-1 flex-col rounded-sm py-0.5 text-left"
        >
          <span className="flex min-w-0 items-center gap-1.5 font-medium text-ink text-sm">
            {depth === 0 ? null : <span className="sr-only">Level {depth + 1}: </span>}
            <span className="truncate">{nameOfItem(item)}</span>
            {item.target === '_blank' ? (
              <ExternalLink role="img" aria-label="Opens in a new tab" className="size-3.5 shrink-0 text-faint" />
            ) : null}
          </span>
          <span className="min-w-0 max-w-full truncate text-faint text-xs">
            {item.entryId === undefined ? item.url || 'No URL yet' : <EntryTarget id={item.entryId} by="slug" />}
          </span>
        </button>
        {problems.length > 0 ? (
          <Badge tone="failed">{formatCount(problems.length, 'problem', 'problems')}</Badge>
        ) : null}
        <RowButtons {...props} />
      </div>
      {isOpen && !isDragging ? form : null}
    </li>
  )
}

const RowButtons = (props: MenuRowProps) => {
  const { item, steps, canAddBelow, flat, disabled, onToggle, onStep, onAddBelow, onRemove } = props
  const name = nameOfItem(item)
  return (
    <span className="flex shrink-0 items-center">
      {flat ? null : (
        <span className="contents phone:hidden">
          <IconButton
            size="sm"
            label={`Move ${name} out`}
            shortcut="alt+arrowleft"
            icon={<IndentDecrease />}
            disabled={disabled || !steps.has('out')}
            onClick={() => onStep('out')}
          />
          <IconButton
            size="sm"
            label={`Move ${name} in`}
            shortcut="alt+arrowright"
            icon={<IndentIncrease />}
            disabled={disabled || !steps.has('in')}
            onClick={() => onStep('in')}
          />
        </span>
      )}
      <Menu trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil />} onSelect={onToggle}>
          Edit
        </MenuItem>
        <MenuItem icon={<ArrowUp />} disabled={!steps.has('up')} onSelect={() => onStep('up')}>
          Move up
        </MenuItem>
        <MenuItem icon={<ArrowDown />} disabled={!steps.has('down')} onSelect={() => onStep('down')}>
          Move down
        </MenuItem>
        {flat ? null : (
          <>
            <MenuItem icon={<IndentIncrease />} disabled={!steps.has('in')} onSelect={() => onStep('in')}>
              Nest under previous
            </MenuItem>
            <MenuItem icon={<IndentDecrease />} disabled={!steps.has('out')} onSelect={() => onStep('out')}>
              Un-nest
            </MenuItem>
            <MenuItem icon={<ListPlus />} disabled={!canAddBelow} onSelect={onAddBelow}>
              Add sub-link
            </MenuItem>
          </>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger disabled={disabled} onSelect={onRemove}>
          Remove
        </MenuItem>
      </Menu>
    </span>
  )
}

const stepOfKey: Partial<Record<string, MoveDirection>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'in',
}

const stepKeys =
  ({ flat, disabled, onStep }: MenuRowProps) =>
  (event: KeyboardEvent): void => {
    const step = event.altKey ? stepOfKey[event.key] : undefined
    const isOnRow = event.target instanceof HTMLElement && event.target.dataset.part !== undefined
    if (step === undefined || !isOnRow || disabled) return
    // Alt with an arrow to the side would leave the page
    event.preventDefault()
    if (!flat || step === 'up' || step === 'down') onStep(step)
  }

/** How far one level is from the next, in steps of the spacing token. */
export const INDENT_STEPS = 6

const indent = (depth: number): CSSProperties => ({
  paddingInlineStart: `calc(var(--spacing) * ${2 + depth * INDENT_STEPS})`,
})
