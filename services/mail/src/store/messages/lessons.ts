import { findRoles } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
import { insertPending, type Verdict } from './lesson-queries.ts'
import type { Relocation, WantedPlace } from './places.ts'

/** Whichever door mail is moved by, the classifier hears what goes into Junk and what is taken out of it. */
export const noteLessons = async (
  tx: MailTx,
  box: MailboxWrite,
  relocations: readonly Relocation[],
  { now }: { now: Date },
): Promise<void> => {
  const roles = await findRoles(tx, box.addressId)
  const rolesOf = (places: readonly WantedPlace[]): FolderRoles =>
    new Set(places.filter(({ deleted }) => !deleted).map(({ folderId }) => roles.get(folderId) ?? null))
  const lessons = Map.groupBy(relocations, ({ message, places }) =>
    lessonOfMove(rolesOf(message.places), rolesOf(places)),
  )
  for (const verdict of ['spam', 'ham'] as const) {
    const messageIds = (lessons.get(verdict) ?? []).map(({ message }) => message.id)
    await noteLesson(tx, { addressId: box.addressId, messageIds, verdict, now })
  }
}

/** Roles of the folders that a message is in; null for folders without one. */
type FolderRoles = ReadonlySet<string | null>

/**
 * What somebody says about a message by moving it: into Junk it is spam, out of Junk to keep it is not. Throwing it away
 * says nothing.
 */
export const lessonOfMove = (before: FolderRoles, after: FolderRoles): Verdict | null => {
  const wasJunk = before.has('junk')
  const isJunk = after.has('junk')
  if (isJunk) return wasJunk ? null : 'spam'
  const isKept = [...after].some((role) => role !== 'trash')
  return wasJunk && isKept ? 'ham' : null
}

/** Notes what is to be learned of messages, in the transaction that moves them. `learnPending` does the work. */
export const noteLesson = async (
  tx: MailTx,
  input: { addressId: string; messageIds: readonly string[]; verdict: Verdict; now: Date },
): Promise<void> => {
  if (input.messageIds.length > 0) await insertPending(tx, input)
}
