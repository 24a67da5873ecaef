import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import {
  type CheckProblem,
  findBlobsOf,
  findEmail,
  findMailboxes,
  raiseModseq,
  runChecks,
  runRepairs,
} from './check-queries.ts'
import { lockMailbox } from './mailbox-queries.ts'

export type { CheckProblem } from './check-queries.ts'

/**
 * Proves that counts, room, links, UIDs, threads and modseq of a mailbox agree with what is in it. Nothing else may write
 * to it meanwhile: give a transaction that has it locked (`checkLocked`), or a database at rest.
 */
export const checkMailbox = (db: MailDb, addressId: string): Promise<CheckProblem[]> => runChecks(db, addressId)

/** Checks a mailbox under its lock, while others who want to write wait. */
export const checkLocked = (database: MailDatabase, addressId: string): Promise<CheckProblem[]> =>
  database.tx(async (tx) => {
    await lockMailbox(tx, addressId)
    return runChecks(tx, addressId)
  })

/**
 * Makes again what can be derived: counts, room, links, UIDs. Messages without a folder appear in the inbox. Clients read
 * the mailbox anew. Gives what is still wrong afterwards.
 */
export const repairMailbox = async (tx: MailTx, addressId: string): Promise<CheckProblem[]> => {
  await lockMailbox(tx, addressId)
  const modseq = await raiseModseq(tx, addressId)
  await runRepairs(tx, addressId, modseq)
  tx.changes.push({
    topic: 'mailbox',
    event: 'changed',
    data: { addressId, modseq, kinds: ['folder', 'folder_counts', 'message', 'thread', 'quota'] },
  })
  return runChecks(tx, addressId)
}

export type DamagedBlob = { messageId: string; blobKey: string; problem: 'missing' | 'wrong_size' }

const PAGE = 500

/** Messages whose bytes are not there. Their content is compared with their key whenever it is read. */
export const checkBlobs = async (db: MailDb, blobs: Blobs, addressId: string): Promise<DamagedBlob[]> => {
  const damaged: DamagedBlob[] = []
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof findBlobsOf>> = await findBlobsOf(db, addressId, { after, limit: PAGE })
    for (const { id, blobKey, size } of page) {
      const info = await blobs.head(blobKey)
      if (!info) damaged.push({ messageId: id, blobKey, problem: 'missing' })
      else if (info.size !== size) damaged.push({ messageId: id, blobKey, problem: 'wrong_size' })
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return damaged
    after = last.id
  }
}

/** The addresses of all mailboxes, without holding them all. */
export async function* allMailboxes(db: MailDb): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const page: string[] = await findMailboxes(db, after, PAGE)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Whose mailbox it is, for those who read reports. */
export const emailOf = (db: MailDb, addressId: string): Promise<string | null> => findEmail(db, addressId)
