import { type FolderRoles, lessonOfMove, noteLesson } from '../../receiving/spam/pending.ts'
import { findRoles } from '../folders/folder-queries.ts'
import type { MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
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
