import { type KnownStates, keywordOf, type MessageState } from './message-cache.ts'

/** The request of an action. */
export type Action =
  | { kind: 'move'; folderId: string }
  | { kind: 'flags'; add: readonly string[]; remove: readonly string[] }
  | { kind: 'junk'; isJunk: boolean }
  | { kind: 'snooze'; until: string | null }

/** One request of an undo. */
export type UndoStep =
  | { path: 'flags'; body: { message_ids: string[]; add?: string[]; remove?: string[] } }
  | { path: 'move'; body: { message_ids: string[]; folder_id: string } }
  | { path: 'snooze'; body: { message_ids: string[]; until: string | null } }

type Places = { inbox: string; snoozed: string | undefined }

/** The requests that put messages back to what they were; none when it cannot be done. */
export const undoSteps = (action: Action, known: KnownStates, places: Places, now: Date): UndoStep[] => {
  const before = [...known.values()]
  switch (action.kind) {
    case 'move':
      return putBack(before, { places, now, from: action.folderId })
    case 'flags':
      return restoreFlags(before, action)
    case 'junk':
      return action.isJunk ? leaveJunk(before, { places, now }) : step('flags', before, { add: ['junk'] })
    case 'snooze':
      return unsnooze(before, action.until, now)
  }
}

const ids = (states: readonly MessageState[]): string[] => states.map(({ id }) => id)

const step = (
  path: 'flags',
  states: readonly MessageState[],
  marks: { add?: string[]; remove?: string[] },
): UndoStep[] => (states.length === 0 ? [] : [{ path, body: { message_ids: ids(states), ...marks } }])

const isStillSnoozed = ({ snoozed_until: until }: MessageState, now: Date): boolean =>
  until !== null && Date.parse(until) > now.getTime()

/** Back to the folders they came from; what was put away is put away again, for the inbox. */
const putBack = (
  before: readonly MessageState[],
  { places, now, from }: { places: Places; now: Date; from: string },
): UndoStep[] => {
  const target = (state: MessageState) => (state.folder_id === places.snoozed ? places.inbox : state.folder_id)
  const moves = [...Map.groupBy(before, target)]
    .filter(([folderId]) => folderId !== '' && folderId !== from)
    .map(([folderId, states]): UndoStep => ({ path: 'move', body: { message_ids: ids(states), folder_id: folderId } }))
  return [...moves, ...snoozeAgain(before, now)]
}

const snoozeAgain = (before: readonly MessageState[], now: Date): UndoStep[] => {
  const snoozed = before.filter((state) => isStillSnoozed(state, now))
  return [...Map.groupBy(snoozed, ({ snoozed_until }) => snoozed_until)].map(([until, states]) => ({
    path: 'snooze',
    body: { message_ids: ids(states), until },
  }))
}

/** Only what the action changed is changed back. */
const restoreFlags = (
  before: readonly MessageState[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): UndoStep[] => [
  ...add.flatMap((word) =>
    step(
      'flags',
      before.filter(({ keywords }) => !keywords.includes(keywordOf(word))),
      { remove: [word] },
    ),
  ),
  ...remove.flatMap((word) =>
    step(
      'flags',
      before.filter(({ keywords }) => keywords.includes(keywordOf(word))),
      { add: [word] },
    ),
  ),
]

/** Mail marked as not junk moves to the inbox automatically. */
const leaveJunk = (before: readonly MessageState[], { places, now }: { places: Places; now: Date }): UndoStep[] => [
  ...step('flags', before, { remove: ['junk'] }),
  ...putBack(before, { places, now, from: places.inbox }),
]

/** Unsnoozed mail is unread; mail that was read before is marked as read again. */
const unsnooze = (before: readonly MessageState[], until: string | null, now: Date): UndoStep[] => {
  const seen = before.filter(({ flags }) => flags.seen)
  const again = snoozeAgain(before, now)
  const fresh = until === null ? [] : before.filter((state) => !isStillSnoozed(state, now))
  const wake: UndoStep[] =
    fresh.length === 0 ? [] : [{ path: 'snooze', body: { message_ids: ids(fresh), until: null } }]
  if (wake.length + again.length === 0) return []
  return [...wake, ...again, ...step('flags', seen, { add: ['seen'] })]
}
