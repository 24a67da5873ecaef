import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { scopeOf } from '@stoa/cms-model/permissions.ts'

type Person = Pick<Me, 'id' | 'role'>
type Judged = Pick<Entry, 'author' | 'status' | 'publishAt' | 'deletedAt'>

export type Rights = {
  /** May change what the entry says. */
  edit: boolean
  /** May publish, unpublish and schedule. */
  publish: boolean
  /** May return it to draft and move it to the trash. */
  move: boolean
  /** May change every entry, and say who its author is. */
  any: boolean
  /** May have a copy of it as a draft of one's own. */
  write: boolean
  /** Why it cannot be edited. */
  reason: string | undefined
}

/** What this person may do with the entry, or with a new one. The service decides by itself in any case. */
export const rightsOf = (me: Person, entry: Judged | null): Rights => {
  const scope = scopeOf(me.role, 'content.write')
  const publish = scopeOf(me.role, 'content.publish') !== null
  const common = { publish, any: scope === 'any', write: scope !== null }
  if (entry === null)
    return { ...common, edit: scope !== null, move: false, reason: scope === null ? READS_ONLY : undefined }
  const isOwn = entry.author?.id === me.id
  const move = scope === 'any' || (scope === 'own' && isOwn && entry.status === 'draft')
  const reason = reasonOf(entry, { mayWrite: scope !== null, isOwn, move, publish })
  return { ...common, move: move && entry.deletedAt === null, edit: reason === undefined, reason }
}

const READS_ONLY = 'Your role can view entries, but not edit them.'

type Judgement = { mayWrite: boolean; isOwn: boolean; move: boolean; publish: boolean }

const reasonOf = (entry: Judged, { mayWrite, isOwn, move, publish }: Judgement): string | undefined => {
  if (entry.deletedAt !== null) return 'This entry is in the trash. Restore it to edit it.'
  if (!mayWrite) return READS_ONLY
  if (!move && !isOwn)
    return `This entry is by ${entry.author?.name ?? 'nobody'}. Authors can only edit their own drafts.`
  if (!move) return 'This entry is live. Authors can only edit their own drafts; ask an editor to return it to draft.'
  if (entry.publishAt !== null && !publish)
    return 'This entry is scheduled to go live. Ask someone who can publish to cancel the schedule first.'
  return undefined
}

/** Scheduled entries are never autosaved: nobody reviews them again before they go live. */
export const savesByItself = (entry: Pick<Entry, 'publishAt'> | null): boolean => entry?.publishAt == null
