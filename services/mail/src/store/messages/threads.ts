import { newId } from '@stoa/kit/ids.ts'
import { type ObjectChange, recordChanges } from '../changes/change-queries.ts'
import { applyCounts } from '../folders/count-queries.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
import { findThreadCounts, findThreadMembers, renameMessages, type ThreadMember } from './thread-queries.ts'

/** Threads that are larger together stay apart: the sender of the message that joins them chooses their number. */
const MAX_MERGED = 500

/**
 * Makes several threads one. The thread of a message never changes for those who know its id, so messages that move get
 * new ids (RFC 8621 §3); their places and UIDs stay.
 */
export const mergeThreads = async (
  tx: MailTx,
  box: MailboxWrite,
  { into, from }: { into: string; from: readonly string[] },
): Promise<void> => {
  const members = await findThreadMembers(tx, box.addressId, from, MAX_MERGED + 1)
  // The last thread may have more messages than were read.
  const cut = members.length > MAX_MERGED ? members.at(-1)?.threadId : undefined
  const moved = members.filter(({ threadId }) => threadId !== cut)
  const threads = [...new Set(moved.map(({ threadId }) => threadId))]
  if (threads.length === 0) return
  const counts = await findThreadCounts(tx, box.addressId, threads)
  const renamed = moved.map((member) => ({ ...member, from: member.id, to: newId() }))
  await renameMessages(tx, box, { into, renamed })
  await applyCounts(
    tx,
    box,
    counts.flatMap(({ folderId, threadId, total, unread }) => [
      { folderId, threadId, total: -total, unread: -unread, size: 0 },
      { folderId, threadId: into, total, unread, size: 0 },
    ]),
  )
  await recordChanges(tx, box, changesOf(renamed, threads, into))
}

const changesOf = (
  renamed: readonly (ThreadMember & { from: string; to: string })[],
  threads: readonly string[],
  into: string,
): ObjectChange[] => {
  const visible = renamed.filter(({ isVisible }) => isVisible)
  const seen = threads.filter((threadId) => visible.some((member) => member.threadId === threadId))
  return [
    ...visible.map(({ from }) => ({ kind: 'message', objectId: from, op: 'destroyed' }) as const),
    ...visible.map(({ to }) => ({ kind: 'message', objectId: to, op: 'created' }) as const),
    ...seen.map((objectId) => ({ kind: 'thread', objectId, op: 'destroyed' }) as const),
    { kind: 'thread', objectId: into, op: 'updated' },
  ]
}
