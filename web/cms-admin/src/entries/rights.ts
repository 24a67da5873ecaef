import type { Me } from '@stoa/cms-model/accounts.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { scopeOf } from '@stoa/cms-model/permissions.ts'

export type EntryRights = {
  /** May move it about: to the trash, back to draft. */
  write: boolean
  /** May change what it says. */
  edit: boolean
  publish: boolean
}

/** What this person may do with this entry: an author reaches own drafts only. The service decides by itself in any case. */
export const rightsOn = (
  me: Pick<Me, 'id' | 'role'>,
  entry: Pick<EntryItem, 'authorId' | 'status' | 'publishAt'>,
): EntryRights => {
  const scope = scopeOf(me.role, 'content.write')
  const publish = scopeOf(me.role, 'content.publish') !== null
  const write = scope === 'any' || (scope === 'own' && entry.authorId === me.id && entry.status === 'draft')
  // A scheduled entry goes live without another review
  return { write, edit: write && (publish || entry.publishAt === null), publish }
}
