import type { Place } from '../places.ts'
import type { RowAct } from './use-row-work.ts'

const roleOf = (place: Place): string | null => (place.kind === 'folder' ? place.folder.role : null)

/** Whether mail is thrown away for good here: it is in the trash already. */
export const isForGood = (place: Place): boolean => roleOf(place) === 'trash'

/** In Junk the same key says that it is none. */
export const isJunkPlace = (place: Place): boolean => roleOf(place) === 'junk'

export const archiveAct: RowAct = {
  reach: 'folder',
  isRemoval: true,
  label: 'Archive',
  perform: (acts, target) => acts.archive(target),
}

export const trashAct: RowAct = {
  reach: 'folder',
  isRemoval: true,
  label: 'Move to Trash',
  perform: (acts, target) => acts.trash(target),
}

export const toInboxAct: RowAct = {
  reach: 'folder',
  isRemoval: true,
  label: 'Move to Inbox',
  perform: (acts, target) => acts.move(target, 'inbox'),
}

export const deleteAct: RowAct = {
  reach: 'folder',
  isRemoval: true,
  perform: (acts, target) => acts.deleteForever(target),
}

export const junkAct = (isJunk: boolean): RowAct => ({
  reach: 'folder',
  isRemoval: true,
  label: isJunk ? 'Mark as junk' : 'Mark as not junk',
  perform: (acts, target) => acts.junk(target, isJunk),
})

export const seenAct = (seen: boolean): RowAct => ({
  // A conversation is unread as long as one message of it is; unread it becomes by the message that one sees
  reach: seen ? 'conversation' : 'message',
  isRemoval: false,
  perform: (acts, target) => acts.markSeen(target, seen),
})

export const flagAct = (flagged: boolean): RowAct => ({
  reach: flagged ? 'message' : 'conversation',
  isRemoval: false,
  perform: (acts, target) => acts.flag(target, flagged),
})
