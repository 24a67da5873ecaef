import { type ReactNode, useEffect, useRef, useState } from 'react'
import { iconButtonClass } from '../button/button-class.ts'
import { cx } from '../theme/cx.ts'
import { Sortable, useSortableItem } from './sortable.tsx'

type SortableRowsProps<T extends { id: string }> = {
  label: string
  items: readonly T[]
  /** The name of an item, for screen readers while it is moved. */
  nameOf: (item: T) => string
  onMove: (from: number, to: number) => void
  /** False where `onMove` itself announces where the row has gone. */
  announcesMoves?: boolean
  /** One row; the handle goes wherever it is wanted in it. A single row has none. */
  row: (item: T, index: number, handle: ReactNode) => ReactNode
  className?: string
  rowClassName?: (item: T) => string
}

/** A list whose rows move by dragging their handle, with Space and the arrows, or with Alt and an arrow at once. */
export const SortableRows = <T extends { id: string }>(props: SortableRowsProps<T>) => {
  const { label, items, nameOf, onMove, announcesMoves = true, row, className, rowClassName } = props
  const [said, setSaid] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<string>(undefined)
  // Moving the row in the page takes the focus from its handle
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(moved.current)}"]`)?.focus()
    moved.current = undefined
  })
  const move = (from: number, to: number) => {
    moved.current = items[from]?.id
    onMove(from, to)
  }
  const step = (item: T, from: number, by: -1 | 1) => {
    const to = from + by
    if (to < 0 || to >= items.length) return setSaid(`${nameOf(item)} is at the ${by < 0 ? 'start' : 'end'}.`)
    move(from, to)
    setSaid(announcesMoves ? `${nameOf(item)} moved to position ${to + 1} of ${items.length}.` : '')
  }
  const nameOfId = (id: string): string => {
    const item = items.find((candidate) => candidate.id === id)
    return item ? nameOf(item) : ''
  }
  return (
    <Sortable
      ids={items.map(({ id }) => id)}
      nameOf={nameOfId}
      onMove={move}
      announcesMoves={announcesMoves}
      hasSteps
      layout="rows"
    >
      <ul ref={list} aria-label={label} className={className}>
        {items.map((item, index) => (
          <SortableRow
            key={item.id}
            id={item.id}
            name={nameOf(item)}
            isOnly={items.length === 1}
            className={rowClassName?.(item)}
            onStep={(by) => step(item, index, by)}
          >
            {(handle) => row(item, index, handle)}
          </SortableRow>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </Sortable>
  )
}

/** The room of the handle that a single row doesn't have. */
export const HandleRoom = () => <span aria-hidden className="size-7 shrink-0 touch:size-9" />

type SortableRowProps = {
  id: string
  name: string
  isOnly: boolean
  className: string | undefined
  onStep: (by: -1 | 1) => void
  children: (handle: ReactNode) => ReactNode
}

const SortableRow = ({ id, name, isOnly, className, onStep, children }: SortableRowProps) => {
  const { item, handle, isDragging } = useSortableItem(id, {
    label: `Move ${name}`,
    disabled: isOnly,
    onStep,
    handleClass: iconButtonClass('ghost', 'sm'),
  })
  return (
    <li {...item} className={cx('relative', className, isDragging && 'layer-sticky bg-raised shadow-md')}>
      {children(handle)}
    </li>
  )
}
