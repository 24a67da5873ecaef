import type { Place } from '../places.ts'
import type { RowAction } from './use-row-work.ts'

const roleOf = (place: Place): string | null => (place.kind === 'folder' ? place.folder.role : null)

/** Whether mail is thrown away for good here: it is in the trash already. */
export const isForGood = (place: Place): boolean => roleOf(place) === 'trash'

/** In Junk the same key says that it is none. */
export const isJunkPlace = (place: Place): boolean => roleOf(place) === 'junk'

export const archiveAction: RowAction = {
  reach: 'folder',
  isRemoval: true,
  label: 'Archive',
  perform: (actions, target) => actions.archive(target),
}

export const trashAction: RowAction = {
  reach: 'folder',
  isRemoval: true,
  label: 'Move to Trash',
  perform: (actions, target) => actions.trash(target),
}

export const toInboxAction: RowAction = {
  reach: 'folder',
  isRemoval: true,
  label: 'Move to Inbox',
  perform: (actions, target) => actions.move(target, 'inbox'),
}

export const deleteAction: RowAction = {
  reach: 'folder',
  isRemoval: true,
  perform: (actions, target) => actions.deleteForever(target),
}

export const junkAction = (isJunk: boolean): RowAction => ({
  reach: 'folder',
  isRemoval: true,
  label: isJunk ? 'Mark as junk' : 'Mark as not junk',
  perform: (actions, target) => actions.junk(target, isJunk),
})

export const seenAction = (seen: boolean): RowAction => ({
  // A conversation is unread as long as one message of it is; unread it becomes by the message that one sees
  reach: seen ? 'conversation' : 'message',
  isRemoval: false,
  perform: (actions, target) => actions.markSeen(target, seen),
})

export const flagAction = (flagged: boolean): RowAction => ({
  reach: flagged ? 'message' : 'conversation',
  isRemoval: false,
  perform: (actions, target) => actions.flag(target, flagged),
})
