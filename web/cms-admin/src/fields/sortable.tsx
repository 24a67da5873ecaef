import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
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
import { CSS } from '@dnd-kit/utilities'
import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'

type SortableProps = {
  /** In their order, each once. */
  ids: readonly string[]
  /** The name of an item when its move is announced: "item 3". */
  nameOf: (id: string) => string
  onMove: (from: number, to: number) => void
  layout: 'rows' | 'grid'
  children: ReactNode
}

// A press that moves less is a click
const DRAG_DISTANCE = 5

/** Items that can be dragged into another order, with the mouse, the finger or the keyboard. */
export const Sortable = ({ ids, nameOf, onMove, layout, children }: SortableProps) => {
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
      onDragEnd={end}
      accessibility={{ announcements: announcementsFor(ids, nameOf), screenReaderInstructions }}
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

/** What an item of `Sortable` spreads on itself, and the handle to put into it. */
export const useSortableItem = (id: string, { label, disabled }: { label: string; disabled: boolean }) => {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled,
    ...(isStill ? { transition: null } : {}),
  })
  return {
    isDragging,
    item: {
      ref: setNodeRef,
      style: { transform: CSS.Translate.toString(transform), transition },
    },
    handle: disabled ? null : (
      <button
        type="button"
        {...attributes}
        {...listeners}
        ref={setActivatorNodeRef}
        aria-label={label}
        title="Drag, or press Space and the arrow keys"
        className={cx(
          'inline-flex h-7 w-5 shrink-0 touch-none items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink touch:h-10 touch:w-8',
          isDragging ? 'cursor-grabbing' : 'cursor-grab',
        )}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
    ),
  }
}

const screenReaderInstructions = {
  draggable: 'Press Space to pick it up, the arrow keys to move it, Space to drop it, and Escape to cancel.',
}

const announcementsFor = (ids: readonly string[], nameOf: (id: string) => string) => {
  const name = ({ id }: { id: UniqueIdentifier }) => nameOf(String(id))
  const place = ({ id }: { id: UniqueIdentifier }) => `position ${ids.indexOf(String(id)) + 1} of ${ids.length}`
  return {
    onDragStart: ({ active }: { active: { id: UniqueIdentifier } }) => `Picked up ${name(active)}.`,
    onDragOver: ({ active, over }: DragMove) => (over ? `${name(active)} is over ${place(over)}.` : undefined),
    onDragEnd: ({ active, over }: DragMove) => (over ? `${name(active)} moved to ${place(over)}.` : undefined),
    onDragCancel: ({ active }: DragMove) => `Canceled. ${name(active)} is back where it was.`,
  }
}

type DragMove = { active: { id: UniqueIdentifier }; over: { id: UniqueIdentifier } | null }
