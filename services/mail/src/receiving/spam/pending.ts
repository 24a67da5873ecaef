import { BlobError, type Blobs } from '@stoa/kit/blobs/blobs.ts'
import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import { readMessage } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import type { TrainingVerdict } from './queries.ts'
import { learn, readSpamText } from './spam.ts'

export type LearnParts = {
  readonly database: Database<Tables>
  readonly blobs: Blobs
  readonly log: Log
  readonly now: Date
}

/** Looked up at once. */
const BATCH = 50
/** Larger messages are hardly ever spam. */
const MAX_BYTES = 10_485_760

/** Learns from messages that were moved; answers how many it was done with. Any number of processes may do so at once. */
export const learnPending = async (parts: LearnParts): Promise<number> => {
  const { database, log } = parts
  let done = 0
  await eachOnItsOwn(
    inPages<PendingSample>(BATCH, (after, limit) => listPending(database.db, after, limit)),
    async (sample) => {
      if (await learnSample(parts, sample)) done += 1
    },
    (err, { addressId, blobKey }) =>
      log.error({ err, addressId, blob: blobKey }, 'the spam filter could not learn from a message'),
  )
  return done
}

const learnSample = async (parts: LearnParts, sample: PendingSample): Promise<boolean> => {
  const bytes = await readBlob(parts, sample.blobKey)
  const words = bytes ? readSpamText(readMessage(bytes), bytes, parts.now).words : []
  return parts.database.tx(async (tx) => {
    if (!(await takePending(tx, sample))) return false
    await learn(tx, { ...sample, words })
    return true
  })
}

/** Null when there is nothing to learn from: the message is gone, damaged, or too large. */
const readBlob = async ({ blobs, log }: LearnParts, key: string): Promise<Buffer | null> => {
  try {
    const { stream, size } = await blobs.get(key)
    if (size > MAX_BYTES) {
      stream.destroy()
      return null
    }
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    if (!(error instanceof BlobError)) throw error
    log.warn({ blob: key, problem: error.problem }, 'the spam filter cannot learn from a message that was moved')
    return null
  }
}

type PendingSample = { readonly addressId: string; readonly blobKey: string; readonly verdict: TrainingVerdict }

/** Waiting samples after a given one, ordered by key. */
const listPending = (
  db: Db<Tables>,
  after: Pick<PendingSample, 'addressId' | 'blobKey'> | null,
  limit: number,
): Promise<PendingSample[]> =>
  db.query<PendingSample>({
    name: 'list-spam-pending',
    text: `select address_id as "addressId", blob_key as "blobKey", verdict from spam_pending
      where $1::uuid is null or (address_id, blob_key) > ($1, $2) order by address_id, blob_key limit $3`,
    values: [after?.addressId ?? null, after?.blobKey ?? null, limit],
  })

/** True for the one who took it; false when it was changed or taken meanwhile. */
const takePending = async (tx: Tx<Tables>, sample: PendingSample): Promise<boolean> => {
  const rows = await tx.query({
    name: 'take-spam-pending',
    text: 'delete from spam_pending where address_id = $1 and blob_key = $2 and verdict = $3 returning 1',
    values: [sample.addressId, sample.blobKey, sample.verdict],
  })
  return rows.length > 0
}
