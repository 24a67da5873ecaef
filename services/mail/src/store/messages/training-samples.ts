import type { SpamPendingTable } from '../../tables/receiving.ts'
import { findRoles } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
import type { Relocation, WantedPlace } from './places.ts'

/** Whichever protocol moves mail, the classifier learns from what goes into Junk and what is taken out of it. */
export const noteSamples = async (
  tx: MailTx,
  box: MailboxWrite,
  relocations: readonly Relocation[],
  { now }: { now: Date },
): Promise<void> => {
  const roles = await findRoles(tx, box.addressId)
  const rolesOf = (places: readonly WantedPlace[]): FolderRoles =>
    new Set(places.filter(({ deleted }) => !deleted).map(({ folderId }) => roles.get(folderId) ?? null))
  const samples = Map.groupBy(relocations, ({ message, places }) =>
    trainingOfMove(rolesOf(message.places), rolesOf(places)),
  )
  for (const verdict of ['spam', 'ham'] as const) {
    const messageIds = (samples.get(verdict) ?? []).map(({ message }) => message.id)
    await recordTrainingSample(tx, { addressId: box.addressId, messageIds, verdict, now })
  }
}

/** Roles of the folders that a message is in; null for folders without one. */
type FolderRoles = ReadonlySet<string | null>

/**
 * What a user shows about a message by moving it: into Junk it is spam, out of Junk to keep it is not. Throwing it away
 * says nothing.
 */
export const trainingOfMove = (before: FolderRoles, after: FolderRoles): Verdict | null => {
  const wasJunk = before.has('junk')
  const isJunk = after.has('junk')
  if (isJunk) return wasJunk ? null : 'spam'
  const isKept = [...after].some((role) => role !== 'trash')
  return wasJunk && isKept ? 'ham' : null
}

/** Notes what is to be learned of messages, in the transaction that moves them. `learnPending` does the work. */
export const recordTrainingSample = async (
  tx: MailTx,
  input: { addressId: string; messageIds: readonly string[]; verdict: Verdict; now: Date },
): Promise<void> => {
  if (input.messageIds.length > 0) await insertPending(tx, input)
}

type Verdict = SpamPendingTable['verdict']

/** Writes down what is to be learned of messages; the last word about a message counts. */
const insertPending = async (
  tx: MailTx,
  input: { addressId: string; messageIds: readonly string[]; verdict: Verdict; now: Date },
): Promise<void> => {
  await tx.query({
    name: 'insert-spam-pending',
    text: `insert into spam_pending (address_id, blob_key, verdict, created_at)
      select distinct on (blob_key) address_id, blob_key, $3, $4::timestamptz from message
      where address_id = $1 and id = any($2::uuid[])
      on conflict (address_id, blob_key) do update set verdict = excluded.verdict, created_at = excluded.created_at`,
    values: [input.addressId, input.messageIds, input.verdict, input.now],
  })
}
