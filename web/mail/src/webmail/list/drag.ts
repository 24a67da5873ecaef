import { formatCount } from '@stoa/ui/text/format.ts'
import type { DragEvent } from 'react'

/** Messages on their way to a folder. */
const DRAG_TYPE = 'application/x-stoa-messages'

type Dragged = { count: number; ids: () => Promise<readonly string[]> }

// A drop target may not read what is dragged before it is dropped; within one page it need not
let dragged: Dragged | undefined

/** Begins to drag rows; what they are is read when they are dropped. */
export const startDrag = (event: DragEvent, given: Dragged): void => {
  dragged = given
  const words = formatCount(given.count, 'message', 'messages')
  event.dataTransfer.setData(DRAG_TYPE, words)
  event.dataTransfer.effectAllowed = 'move'
  const picture = document.createElement('div')
  picture.textContent = `Move ${words}`
  picture.className = 'fixed -top-full left-0 rounded-md bg-inverse px-2.5 py-1.5 text-on-inverse text-sm'
  document.body.append(picture)
  event.dataTransfer.setDragImage(picture, 0, 0)
  // The browser takes its picture of it when this event is over
  setTimeout(() => picture.remove())
}

export const isMessageDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(DRAG_TYPE)

/** The dragged messages; undefined when the drag started elsewhere. */
export const takeDragged = (): Dragged | undefined => {
  const taken = dragged
  dragged = undefined
  return taken
}
