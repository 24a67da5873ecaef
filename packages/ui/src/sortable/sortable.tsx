import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useMediaQuery } from '../browser/use-media-query.ts'
import { cx } from '../theme/cx.ts'

type SortableProps = {
  /** In their order, each once. */
  ids: readonly string[]
  /** The name of an item when its move is announced: "item 3". */
  nameOf: (id: string) => string
  onMove: (from: number, to: number) => void
  /** False where `onMove` itself announces where the item has gone. */
  announcesMoves?: boolean
  /** Whether its items can also be moved with Alt and an arrow, as `useSortableItem` is told. */
  hasSteps?: boolean
  layout: 'rows' | 'grid'
  children: ReactNode
}

// A press that moves less is a click
const DRAG_DISTANCE = 5

/** Items that can be dragged into another order, with the mouse, the finger or the keyboard. */
export const Sortable = ({ ids, layout, children, ...props }: SortableProps) => {
  const { nameOf, onMove, announcesMoves = true, hasSteps = false } = props
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const end = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    onMove(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={layout === 'rows' ? [onlyVertical] : []}
      onDragEnd={end}
      accessibility={{
        announcements: announcementsFor(ids, nameOf, announcesMoves),
        screenReaderInstructions: { draggable: hasSteps ? `${STEPS} Or press ${KEYS}` : `Press ${KEYS}` },
      }}
    >
      <SortableContext
        items={[...ids]}
        strategy={layout === 'rows' ? verticalListSortingStrategy : rectSortingStrategy}
      >
        {children}
      </SortableContext>
    </DndContext>
  )
}

type ItemOptions = {
  label: string
  disabled?: boolean
  /** Alt and an arrow were pressed. */
  onStep?: (by: -1 | 1) => void
  /** Class of the drag handle, where it doesn't stand in a narrow column. */
  handleClass?: string
}

/** The props that an item of `Sortable` spreads on itself, and its drag handle. */
export const useSortableItem = (id: string, { label, disabled = false, onStep, handleClass }: ItemOptions) => {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled,
    ...(isStill ? { transition: null } : {}),
  })
  const press = (event: KeyboardEvent) => {
    if (!onStep || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown'))
      return listeners?.onKeyDown?.(event)
    event.preventDefault()
    onStep(event.key === 'ArrowUp' ? -1 : 1)
  }
  return {
    isDragging,
    item: {
      ref: setNodeRef,
      style: transform
        ? { transform: `translate3d(${Math.round(transform.x)}px, ${Math.round(transform.y)}px, 0)`, transition }
        : { transition },
    },
    handle: disabled ? null : (
      <button
        type="button"
        {...attributes}
        {...listeners}
        onKeyDown={press}
        ref={setActivatorNodeRef}
        data-handle={id}
        aria-label={label}
        title={`Drag, or press ${onStep ? 'Alt and an arrow key' : 'Space and the arrow keys'}`}
        className={cx(handleClass ?? NARROW, 'touch-none text-faint', isDragging ? 'cursor-grabbing' : 'cursor-grab')}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
    ),
  }
}

const NARROW =
  'inline-flex h-7 w-5 shrink-0 items-center justify-center rounded-sm hover:bg-hover hover:text-ink touch:h-10 touch:w-8'

const STEPS = 'Press Alt and the up or down arrow to move it.'
const KEYS = 'Space to pick it up, the arrow keys to move it, Space to drop it, and Escape to cancel.'

const onlyVertical: Modifier = ({ transform }) => ({ ...transform, x: 0 })

const announcementsFor = (
  ids: readonly string[],
  nameOf: SortableProps['nameOf'],
  announcesMoves: boolean,
): Announcements => {
  const name = ({ id }: { id: UniqueIdentifier }) => nameOf(String(id))
  const place = ({ id }: { id: UniqueIdentifier }) => `position ${ids.indexOf(String(id)) + 1} of ${ids.length}`
  return {
    onDragStart: ({ active }) => `Picked up ${name(active)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active)} is over ${place(over)}.` : undefined),
    onDragEnd: ({ active, over }) => (announcesMoves && over ? `${name(active)} moved to ${place(over)}.` : undefined),
    onDragCancel: ({ active }) => `Canceled. ${name(active)} is back where it was.`,
  }
}
