import { type ObjectChange, recordChanges } from '../changes/change-queries.ts'
import { applyCounts, type CountDelta } from '../folders/count-queries.ts'
import { findRoleFolder } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import { chargedMailbox, type MailboxWrite } from '../mailbox/mailbox.ts'
import {
  deleteMessages,
  insertPlaces,
  type MessageRow,
  type MessageState,
  markPlaces,
  type Place,
  removePlaces,
  touchMessages,
} from './place-queries.ts'
import { countVisible } from './thread-queries.ts'
import { noteSamples } from './training-samples.ts'

/** A place that a message shall have; without a UID it is a new one. */
export type WantedPlace = Omit<Place, 'uid'> & { uid: number | null }
export type Relocation = { message: MessageState; places: readonly WantedPlace[] }

export type Relocated = { added: MessageRow[]; removed: MessageRow[]; destroyed: string[] }

/** Messages that one transaction moves at most: the mailbox is locked meanwhile. */
export const MAX_MESSAGES = 5_000

/**
 * Gives messages the places they shall have, and brings everything that depends on it along: counts, UIDs of what left,
 * room, threads, changes. A message without any place is destroyed.
 */
export const relocate = async (
  tx: MailTx,
  box: MailboxWrite,
  relocations: readonly Relocation[],
  { now }: { now: Date },
): Promise<Relocated> => {
  const hasSnoozed = relocations.some(({ message }) => message.snoozedUntil !== null)
  const snoozedFolderId = hasSnoozed ? await findRoleFolder(tx, box.addressId, 'snoozed') : null
  const removed = relocations.flatMap(removedRows)
  const added = relocations.flatMap(addedRows)
  const moved = relocations.filter(({ places }) => places.length > 0)
  const gone = relocations.filter(({ places }) => places.length === 0).map(({ message }) => message)
  await removePlaces(tx, box, removed)
  const inserted = added.length > 0 ? await insertPlaces(tx, box, added, now) : []
  await markPlaces(tx, box, relocations.flatMap(markedRows))
  await touchMessages(tx, box, {
    ids: moved.map(({ message }) => message.id),
    awake: moved.filter((each) => isAwake(each, snoozedFolderId)).map(({ message }) => message.id),
  })
  if (gone.length > 0) await destroy(tx, box, gone, now)
  await applyCounts(tx, box, relocations.flatMap(deltasOf))
  if (added.length > 0) await noteSamples(tx, box, relocations, { now })
  await recordChanges(tx, box, [
    ...relocations.flatMap(messageChanges),
    ...(await threadChanges(tx, box, relocations)),
    ...(gone.length > 0 ? [{ kind: 'quota', objectId: box.addressId, op: 'updated' } as const] : []),
  ])
  return { added: inserted, removed, destroyed: gone.map(({ id }) => id) }
}

const destroy = async (tx: MailTx, box: MailboxWrite, gone: readonly MessageState[], now: Date): Promise<void> => {
  await deleteMessages(
    tx,
    box.addressId,
    gone.map(({ id, places }) => ({ id, folderId: places[0]?.folderId ?? null })),
    now,
  )
  const bytes = gone.reduce((sum, { size }) => sum + size, 0)
  await chargedMailbox(tx, box.addressId, { bytes: -bytes, messages: -gone.length, limit: null })
}

const isSame = (place: Place, wanted: WantedPlace): boolean =>
  place.folderId === wanted.folderId && place.uid === wanted.uid

const removedRows = ({ message, places }: Relocation): MessageRow[] =>
  message.places
    .filter((place) => !places.some((wanted) => isSame(place, wanted)))
    .map(({ folderId, uid }) => ({ messageId: message.id, folderId, uid }))

const addedRows = ({ message, places }: Relocation) =>
  places
    .filter(({ uid }) => uid === null)
    .map(({ folderId }) => ({ messageId: message.id, folderId, receivedAt: message.receivedAt }))

const markedRows = ({ message, places }: Relocation) =>
  message.places.flatMap((place) => {
    const wanted = places.find((each) => isSame(place, each))
    if (!wanted || wanted.deleted === place.deleted) return []
    return [{ messageId: message.id, folderId: place.folderId, uid: place.uid, deleted: wanted.deleted }]
  })

const isVisible = (places: readonly WantedPlace[]): boolean => places.some(({ deleted }) => !deleted)

const isAwake = ({ message, places }: Relocation, snoozedFolderId: string | null): boolean =>
  message.snoozedUntil !== null && !places.some(({ folderId, deleted }) => folderId === snoozedFolderId && !deleted)

const deltasOf = ({ message, places }: Relocation): CountDelta[] => {
  const count = (place: WantedPlace, sign: number): CountDelta[] =>
    place.deleted
      ? []
      : [
          {
            folderId: place.folderId,
            threadId: message.threadId,
            total: sign,
            unread: message.isUnread ? sign : 0,
            size: sign * message.size,
          },
        ]
  return [...message.places.flatMap((place) => count(place, -1)), ...places.flatMap((place) => count(place, 1))]
}

/** For those who do not see \Deleted messages, a message is there or not by where it is visible. */
const messageChanges = ({ message, places }: Relocation): ObjectChange[] => {
  const [was, is] = [isVisible(message.places), isVisible(places)]
  if (!was && !is) return []
  return [{ kind: 'message', objectId: message.id, op: !was ? 'created' : is ? 'updated' : 'destroyed' }]
}

const threadChanges = async (
  tx: MailTx,
  box: MailboxWrite,
  relocations: readonly Relocation[],
): Promise<ObjectChange[]> => {
  const gains = new Map<string, number>()
  for (const { message, places } of relocations) {
    const gain = Number(isVisible(places)) - Number(isVisible(message.places))
    if (gain !== 0) gains.set(message.threadId, (gains.get(message.threadId) ?? 0) + gain)
  }
  if (gains.size === 0) return []
  const visible = await countVisible(tx, box.addressId, [...gains.keys()])
  return [...gains].map(([threadId, gain]) => {
    const now = visible.get(threadId) ?? 0
    return { kind: 'thread', objectId: threadId, op: now === 0 ? 'destroyed' : now === gain ? 'created' : 'updated' }
  })
}
