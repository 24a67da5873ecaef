import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { iconButtonClass } from '@stoa/ui/button/button-class.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

type SortableListProps<T extends { id: string }> = {
  label: string
  items: readonly T[]
  /** What a screen reader says that is moved. */
  nameOf: (item: T) => string
  onMove: (from: number, to: number) => void
  /** One row; the handle goes wherever it is wanted in it. */
  row: (item: T, index: number, handle: ReactNode) => ReactNode
  className?: string
  rowClassName?: (item: T) => string
}

/** A list whose rows move by dragging their handle, with Space and the arrows, or with Alt and an arrow at once. */
export const SortableList = <T extends { id: string }>(props: SortableListProps<T>) => {
  const { label, items, nameOf, onMove, row, className, rowClassName } = props
  const sensors = useSensors(
    // A press that does not move stays a press
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<string>(undefined)
  // Moving the row in the page takes the focus from its handle
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(moved.current)}"]`)?.focus()
    moved.current = undefined
  })
  const step = (item: T, from: number, by: -1 | 1) => {
    const to = from + by
    if (to < 0 || to >= items.length) return setSaid(`${nameOf(item)} is at the ${by < 0 ? 'start' : 'end'}.`)
    moved.current = item.id
    onMove(from, to)
    setSaid(`${nameOf(item)} moved to position ${to + 1} of ${items.length}.`)
  }
  const end = ({ active, over }: DragEndEvent) => {
    const from = items.findIndex(({ id }) => id === active.id)
    const to = items.findIndex(({ id }) => id === over?.id)
    if (from !== -1 && to !== -1 && from !== to) onMove(from, to)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[onlyVertical]}
      accessibility={{ announcements: announcementsFor(items, nameOf), screenReaderInstructions: INSTRUCTIONS }}
      onDragEnd={end}
    >
      <SortableContext items={items.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <ul ref={list} aria-label={label} className={className}>
          {items.map((item, index) => (
            <SortableRow
              key={item.id}
              id={item.id}
              name={nameOf(item)}
              className={rowClassName?.(item) ?? ''}
              onStep={(by) => step(item, index, by)}
            >
              {(handle) => row(item, index, handle)}
            </SortableRow>
          ))}
        </ul>
      </SortableContext>
      <p role="status" className="sr-only">
        {said}
      </p>
    </DndContext>
  )
}

type SortableRowProps = {
  id: string
  name: string
  className: string
  onStep: (by: -1 | 1) => void
  children: (handle: ReactNode) => ReactNode
}

const SortableRow = ({ id, name, className, onStep, children }: SortableRowProps) => {
  const sortable = useSortable({ id })
  const { transform, transition, isDragging } = sortable
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      return onStep(event.key === 'ArrowUp' ? -1 : 1)
    }
    sortable.listeners?.onKeyDown?.(event)
  }
  return (
    <li
      ref={sortable.setNodeRef}
      style={{
        ...(transform ? { transform: `translate3d(0, ${Math.round(transform.y)}px, 0)` } : {}),
        ...(transition ? { transition } : {}),
      }}
      className={cx(className, isDragging && 'layer-sticky relative bg-raised shadow-md')}
    >
      {children(
        <button
          type="button"
          ref={sortable.setActivatorNodeRef}
          {...sortable.attributes}
          {...sortable.listeners}
          onKeyDown={press}
          data-handle={id}
          aria-label={`Move ${name}`}
          title="Drag, or press Alt and an arrow key"
          className={iconButtonClass('ghost', 'sm', 'cursor-grab touch-none text-faint active:cursor-grabbing')}
        >
          <GripVertical aria-hidden />
        </button>,
      )}
    </li>
  )
}

const onlyVertical: Modifier = ({ transform }) => ({ ...transform, x: 0 })

const INSTRUCTIONS = {
  draggable:
    'Press Alt and the up or down arrow to move it. Or press Space to pick it up, the arrow keys to move it, Space to drop it and Escape to cancel.',
}

const announcementsFor = <T extends { id: string }>(
  items: readonly T[],
  nameOf: (item: T) => string,
): Announcements => {
  const nameAt = (id: unknown) => {
    const item = items.find((candidate) => candidate.id === id)
    return item ? nameOf(item) : ''
  }
  const placeOf = (id: unknown) => `position ${items.findIndex((item) => item.id === id) + 1} of ${items.length}`
  return {
    onDragStart: ({ active }) => `Picked up ${nameAt(active.id)}, at ${placeOf(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${nameAt(active.id)} is over ${placeOf(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `${nameAt(active.id)} dropped at ${placeOf((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${nameAt(active.id)} is back at ${placeOf(active.id)}.`,
  }
}
