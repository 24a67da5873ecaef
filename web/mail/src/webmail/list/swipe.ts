import type { Place } from '../places.ts'
import { archiveAction, isForGood, junkAction, toInboxAction, trashAction } from './list-actions.ts'
import type { RowAction } from './use-row-work.ts'

export type Swipe = { kind: 'archive' | 'inbox' | 'delete'; label: string; action: RowAction }
/** The actions for swiping a row to each side; none where the action could not be undone. */
export type Swipes = { right: Swipe | undefined; left: Swipe | undefined }

const archive: Swipe = { kind: 'archive', label: 'Archive', action: archiveAction }
const inbox: Swipe = { kind: 'inbox', label: 'Inbox', action: toInboxAction }
const notJunk: Swipe = { kind: 'inbox', label: 'Not junk', action: junkAction(false) }
const remove: Swipe = { kind: 'delete', label: 'Delete', action: trashAction }

export const swipesOf = (place: Place): Swipes => ({
  right: rightOf(place),
  left: isForGood(place) ? undefined : remove,
})

const rightOf = (place: Place): Swipe | undefined => {
  switch (place.kind === 'folder' ? place.folder.role : null) {
    case 'drafts':
      return undefined
    case 'archive':
    case 'trash':
      return inbox
    case 'junk':
      return notJunk
    default:
      return archive
  }
}

/** A finger that goes this far means it; less is a slip. */
const MEANT = 0.3
/** Before this a finger has no direction yet. */
const START_PX = 10

/** The gesture of a finger after this distance: none yet, scrolling, or swiping the row. */
export const directionOf = (dx: number, dy: number): 'unknown' | 'scroll' | 'push' => {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < START_PX) return 'unknown'
  // Somewhat aslant is still along the list
  return Math.abs(dx) > 1.5 * Math.abs(dy) ? 'push' : 'scroll'
}

/** The offset of the row: a side without an action gives way only a little. */
export const shownShift = (dx: number, { left, right }: Swipes): number =>
  (dx > 0 && right) || (dx < 0 && left) ? dx : dx / 8

/** The action when the finger releases the row there. */
export const swipeAt = (dx: number, width: number, { left, right }: Swipes): Swipe | undefined =>
  Math.abs(dx) < MEANT * width ? undefined : dx > 0 ? right : left
