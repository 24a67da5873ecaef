import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { iconButtonClass } from '../button/button-class.ts'
import { cx } from '../theme/cx.ts'

type SortableRowsProps<T extends { id: string }> = {
  label: string
  items: readonly T[]
  /** What a screen reader says that is moved. */
  nameOf: (item: T) => string
  onMove: (from: number, to: number) => void
  /** False where `onMove` itself announces where the row has gone. */
  announcesMoves?: boolean
  /** One row; the handle goes wherever it is wanted in it. */
  row: (item: T, index: number, handle: ReactNode) => ReactNode
  className?: string
  rowClassName?: string
}

type Drag = { from: number; to: number }

/** A list whose rows move by dragging their handle, or with Alt and an arrow. */
export const SortableRows = <T extends { id: string }>(props: SortableRowsProps<T>) => {
  const { label, items, nameOf, onMove, announcesMoves = true, row, className, rowClassName } = props
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<string>(undefined)
  const [drag, setDrag] = useState<Drag>()
  const [said, setSaid] = useState('')
  // Moving the row in the page takes the focus from its handle
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(moved.current)}"]`)?.focus()
    moved.current = undefined
  })
  const move = (from: number, to: number) => {
    const item = items[from]
    if (!item || from === to) return
    moved.current = item.id
    onMove(from, to)
    setSaid(announcesMoves ? `${nameOf(item)} moved to position ${to + 1} of ${items.length}.` : '')
  }
  const step = (item: T, from: number, by: -1 | 1) => {
    const to = from + by
    if (to < 0 || to >= items.length) setSaid(`${nameOf(item)} is at the ${by < 0 ? 'start' : 'end'}.`)
    else move(from, to)
  }
  return (
    <>
      <ul ref={list} aria-label={label} className={className}>
        {items.map((item, index) => (
          <li key={item.id} className={cx('relative', rowClassName, drag?.from === index && 'opacity-50')}>
            {drag && drag.to === index && drag.from !== index ? <DropLine below={drag.to > drag.from} /> : null}
            {row(
              item,
              index,
              items.length < 2 ? null : (
                <Handle
                  id={item.id}
                  name={nameOf(item)}
                  onStep={(by) => step(item, index, by)}
                  onDrag={(y) => setDrag({ from: index, to: placeAt(list.current, index, y) })}
                  onDrop={() => {
                    setDrag(undefined)
                    if (drag) move(drag.from, drag.to)
                  }}
                  onCancel={() => setDrag(undefined)}
                />
              ),
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

const DropLine = ({ below }: { below: boolean }) => (
  <span
    aria-hidden
    className={cx('layer-sticky absolute inset-x-0 h-0.5 rounded-full bg-accent', below ? '-bottom-px' : '-top-px')}
  />
)

/** The row whose place is meant: the last one whose middle was passed on the way there. */
const placeAt = (list: HTMLUListElement | null, from: number, y: number): number => {
  let to = from
  for (const [index, row] of [...(list?.children ?? [])].entries()) {
    const { top, height } = row.getBoundingClientRect()
    const middle = top + height / 2
    if (index < from && y < middle) return Math.min(to, index)
    if (index > from && y > middle) to = index
  }
  return to
}

type HandleProps = {
  id: string
  name: string
  onStep: (by: -1 | 1) => void
  onDrag: (y: number) => void
  onDrop: () => void
  onCancel: () => void
}

const Handle = ({ id, name, onStep, onDrag, onDrop, onCancel }: HandleProps) => {
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onStep(event.key === 'ArrowUp' ? -1 : 1)
  }
  const isHeld = (event: PointerEvent) => event.currentTarget.hasPointerCapture(event.pointerId)
  return (
    <button
      type="button"
      data-handle={id}
      aria-label={`Move ${name}`}
      title="Drag, or press Alt and an arrow key"
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (isHeld(event)) onDrag(event.clientY)
      }}
      onPointerUp={(event) => {
        if (isHeld(event)) onDrop()
      }}
      onPointerCancel={onCancel}
      className={iconButtonClass('ghost', 'sm', 'cursor-grab touch-none text-faint active:cursor-grabbing')}
    >
      <GripVertical aria-hidden />
    </button>
  )
}
