import type { DragEndEvent, DragMoveEvent, DragStartEvent } from '@dnd-kit/core'
import { useState } from 'react'
import { INDENT_STEPS } from './menu-row.tsx'
import { dropOver, type MenuRow, projectDepth, rowsWhileDragging } from './tree.ts'

type TreeDragOptions = {
  rows: readonly MenuRow[]
  /** Without nesting, the depth stays as it is. */
  flat: boolean
  onDrop: (rows: readonly MenuRow[], id: string) => void
}

type Dragging = { id: string; overId: string; wanted: number }

/** A drag in a tree: up and down chooses the place, to the side how deep. */
export const useTreeDrag = ({ rows, flat, onDrop }: TreeDragOptions) => {
  const [dragging, setDragging] = useState<Dragging>()
  const read = ({ active, over, delta }: DragMoveEvent | DragEndEvent): Dragging => {
    const id = String(active.id)
    const depth = rows.find(({ item }) => item.id === id)?.depth ?? 0
    return { id, overId: String(over?.id ?? id), wanted: depth + (flat ? 0 : Math.round(delta.x / levelWidth())) }
  }
  return {
    /** Without what is below the item that is dragged. */
    shown: dragging ? rowsWhileDragging(rows, dragging.id) : rows,
    /** How deep it would land now; undefined for every other item. */
    depthOf: (id: string): number | undefined =>
      dragging?.id === id ? (projectDepth(rows, id, dragging.overId, dragging.wanted) ?? undefined) : undefined,
    handlers: {
      onDragStart: ({ active }: DragStartEvent) => {
        const id = String(active.id)
        setDragging({ id, overId: id, wanted: rows.find(({ item }) => item.id === id)?.depth ?? 0 })
      },
      onDragMove: (event: DragMoveEvent) => setDragging(read(event)),
      onDragCancel: () => setDragging(undefined),
      onDragEnd: (event: DragEndEvent) => {
        const { id, overId, wanted } = read(event)
        setDragging(undefined)
        const next = dropOver(rows, id, overId, wanted)
        if (next) onDrop(next, id)
      },
    },
  }
}

/** One level in pixels, as the spacing token has it now. */
const levelWidth = (): number => {
  const style = getComputedStyle(document.documentElement)
  const spacing = Number.parseFloat(style.getPropertyValue('--spacing')) || 0.25
  return spacing * INDENT_STEPS * Number.parseFloat(style.fontSize)
}
