import { quotaOf } from '../../../hosting/plans/plans.ts'
import { addMessage, type MailTx, setDeleted } from '../../../store/store.ts'
import { type Completion, no } from '../command.ts'
import { type FoundFolder, findFolder, TRY_CREATE } from '../folders.ts'
import { formatNumbers } from '../parse/sequence-set.ts'
import type { ImapSession } from '../session.ts'
import type { AppendMessage } from './arguments.ts'
import { BadUrl, type Composed, composeMessage } from './compose.ts'

/** Messages that are ready to be put into a folder. */
export type Prepared = {
  readonly to: FoundFolder
  readonly messages: readonly PreparedMessage[]
  /** What the mailbox may hold; null: no limit. */
  readonly quotaBytes: number | null
}
export type PreparedMessage = AppendMessage & Composed

/** Stores the bytes of all messages; an answer when one of them cannot be, and then nothing has happened. */
export const prepareMessages = async (
  session: ImapSession,
  name: string,
  messages: readonly AppendMessage[],
): Promise<Prepared | Completion> => {
  const to = await findFolder(session, name)
  if (!to) return TRY_CREATE
  if (!to.access.mayWrite) return no('That folder is read-only', 'NOPERM')
  try {
    // Before the mailbox is locked: others wait for what happens from then on.
    const [quotaBytes, prepared] = await Promise.all([
      quotaOf(session.parts.database.db, to.access.addressId),
      composeAll(session, messages),
    ])
    // RFC 3502 §6.3.11: nothing at all is no message.
    if (prepared.some(({ blob }) => blob.size === 0)) return no('The message is empty', 'CANNOT')
    return { to, messages: prepared, quotaBytes }
  } catch (error) {
    if (error instanceof BadUrl) return no(error.message, badUrlCode(error.url))
    throw error
  }
}

const composeAll = async (session: ImapSession, messages: readonly AppendMessage[]): Promise<PreparedMessage[]> => {
  const prepared: PreparedMessage[] = []
  for (const message of messages) prepared.push({ ...message, ...(await composeMessage(session, message.parts)) })
  return prepared
}

/** Puts them into the folder, all or none, and gives their UIDs. `moreBytes`: room that will be free in a moment. */
export const addMessages = async (
  tx: MailTx,
  { to, messages, quotaBytes }: Prepared,
  { now, moreBytes = 0 }: { now: Date; moreBytes?: number },
): Promise<number[]> => {
  const { addressId, viewerId } = to.access
  const folderId = to.folder.id
  const limit = quotaBytes === null ? null : quotaBytes + moreBytes
  const uids: number[] = []
  const deleted: number[] = []
  for (const { blob, read, flags, receivedAt } of messages) {
    const added = await addMessage(tx, {
      addressId,
      viewerId,
      blob,
      prefix: Buffer.alloc(0),
      read,
      folderIds: [folderId],
      keywords: flags.keywords,
      receivedAt: receivedAt?.at ?? now,
      receivedZone: receivedAt?.zone ?? 0,
      now,
      quotaBytes: limit,
    })
    const [place] = added.uids
    if (place) uids.push(place.uid)
    if (place && flags.deleted) deleted.push(place.uid)
  }
  if (deleted.length > 0) await setDeleted(tx, { addressId, folderId, uids: deleted, deleted: true, now })
  return uids
}

/** RFC 9051 §7.1, APPENDUID */
export const appendUidCode = ({ folder }: FoundFolder, uids: readonly number[]): string =>
  `APPENDUID ${folder.uidValidity} ${formatNumbers(uids)}`

export const isPrepared = (outcome: Prepared | Completion): outcome is Prepared => 'messages' in outcome

/** RFC 4469 §4: the URL stands in the code as it came, as far as it can. */
const badUrlCode = (url: string): string => `BADURL "${url.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
