import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import { convertMembers } from '@stoa/cms-model/fields/conversion.ts'
import type { Data } from '@stoa/cms-model/fields/values.ts'
import type { Avatar } from '../../avatar.ts'
import type { ContentType } from '../types/types.ts'

export type Person = { id: string; name: string }
export type Author = Person & { avatar: Avatar | null }

/** What people write: the part of an entry that has a live copy and a working copy. */
export type Content = { title: string; slug: string; data: Data }

/** An entry as it is stored. `title`, `slug` and `data` are the live ones of a published entry. */
export type StoredEntry = Content & {
  id: string
  type: string
  status: EntryStatus
  locale: string
  translationOf: string | null
  author: Author | null
  /** Unpublished changes of a published entry. */
  pending: Content | null
  version: number
  /** The version that last changed what the public sees; null unless it is live. */
  liveVersion: number | null
  liveUpdatedAt: Date | null
  publishedAt: Date | null
  publishAt: Date | null
  unpublishAt: Date | null
  deletedAt: Date | null
  deletedBy: Person | null
  createdAt: Date
  updatedAt: Date
  updatedBy: Person | null
}

/** What is edited: the unpublished changes of a published entry, else the entry itself. */
export const workingCopy = ({ pending, title, slug, data }: StoredEntry): Content => pending ?? { title, slug, data }

/** The public can read it. */
export const isLive = ({ status, deletedAt }: Pick<StoredEntry, 'status' | 'deletedAt'>): boolean =>
  status === 'published' && deletedAt === null

/**
 * The entry with values of an earlier type of their field as those of the present one, where nothing is lost. It reads the
 * same; the very same object when there is nothing to convert.
 */
export const convertEntry = ({ fields }: Pick<ContentType, 'fields'>, entry: StoredEntry): StoredEntry => {
  const data = convertMembers(fields, entry.data)
  const pending = entry.pending && { ...entry.pending, data: convertMembers(fields, entry.pending.data) }
  return data === entry.data && pending?.data === entry.pending?.data ? entry : { ...entry, data, pending }
}
