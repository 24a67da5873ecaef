import {
  type Entry,
  type EntryItem,
  entryFilters,
  type Revision,
  type RevisionItem,
  type TrashedEntry,
} from '@stoa/cms-model/entries.ts'
import { readData } from '@stoa/cms-model/fields/values.ts'
import { givenIds, listQuery, pageMembers, refuseDeepPage, searchText } from '@stoa/cms-model/lists.ts'
import type { EntryTerm } from '@stoa/cms-model/taxonomies.ts'
import { z } from 'zod'
import { avatarUrl } from '../../avatar.ts'
import type { Ctx } from '../../context.ts'
import { addressOf, type Surroundings } from './changes.ts'
import type { StoredRevision } from './queries-revisions.ts'
import { isLive, type StoredEntry, workingCopy } from './record.ts'

export const idParams = z.object({ id: z.uuid() })
export const revisionParams = z.object({ id: z.uuid(), rid: z.uuid() })
export const diffQuery = z.strictObject({
  against: z.union([z.literal('current'), z.uuid()], 'must be the ID of a revision, or current').default('current'),
})
export const revisionsQuery = listQuery({})

/** JSON of 4 MiB: an entry's data of 2 MiB, and what its text takes more on the way. */
export const ENTRY_BODY_LIMIT = 4 * 1_048_576

const FILTER = 'filter[key][op]'

/** As in the delivery API, there is a parameter for each key, and the keys depend on the type. */
const isFilter = (name: string): boolean => name.startsWith('filter[')

const entriesMembers = z.looseObject({
  ...pageMembers,
  ids: givenIds.optional(),
  type: z.string().max(100).optional(),
  status: z.enum(entryFilters).optional(),
  q: searchText.optional(),
  /** Slugs of terms, `taxonomy:slug` where several taxonomies have it; separated by commas, any of them. */
  term: z.string().max(1000).optional(),
  /** An account, or `me`. */
  author: z.union([z.literal('me'), z.uuid()], 'must be the ID of a person, or me').optional(),
  locale: z.string().max(35).optional(),
  /** The entry of this id and its translations. */
  translationOf: z.uuid('must be the ID of an entry').optional(),
  /** Members of entries, and with `type` its fields that have an order. */
  sort: z.string().max(500).default('-updatedAt'),
  [FILTER]: z
    .string()
    .optional()
    .describe('Filter conditions, as in the delivery API. Filtering by fields requires type.'),
})

export const entriesQuery = entriesMembers
  .superRefine((query, context) => {
    for (const name of Object.keys(query))
      if (!isFilter(name) && !Object.hasOwn(entriesMembers.shape, name))
        context.addIssue({ code: 'custom', path: [name], message: "isn't a known field" })
  })
  .superRefine(refuseDeepPage)
  .transform(({ page, limit, ids, type, status, q, term, author, locale, translationOf, sort, ...others }) => ({
    ...{ page, limit, ids, type, status, q, term, author, locale, translationOf, sort },
    filters: Object.entries(others).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  }))
export type EntriesQuery = z.infer<typeof entriesQuery>

export const trashQuery = listQuery({ type: z.string().max(100).optional(), q: searchText.optional() })
export type TrashQuery = z.infer<typeof trashQuery>

/** An entry with what it takes to show it. */
export type Shown = Surroundings & { entry: StoredEntry; terms: EntryTerm[] }

const at = (moment: Date | null): string | null => moment?.toISOString() ?? null

export const entryItemJson = (ctx: Pick<Ctx, 'config'>, { entry, terms, ...around }: Shown): EntryItem => {
  const { title, slug, data } = workingCopy(entry)
  return {
    id: entry.id,
    slug,
    type: entry.type,
    title,
    data: readData(around.type.fields, data, 'all'),
    status: entry.status,
    locale: entry.locale,
    translationOf: entry.translationOf,
    url: addressOf(ctx, around, { id: entry.id, slug, locale: entry.locale }),
    publishedAt: at(entry.publishedAt),
    createdAt: entry.createdAt.toISOString(),
    updatedAt: entry.updatedAt.toISOString(),
    version: entry.version,
    authorId: entry.author?.id ?? null,
    author: entry.author && {
      id: entry.author.id,
      name: entry.author.name,
      avatarUrl: avatarUrl(ctx.config, entry.author.avatar),
    },
    updatedBy: entry.updatedBy,
    publishAt: at(entry.publishAt),
    unpublishAt: at(entry.unpublishAt),
    deletedAt: at(entry.deletedAt),
    pending: entry.pending !== null,
    terms,
  }
}

export const entryJson = (ctx: Pick<Ctx, 'config'>, shown: Shown): Entry => {
  const { entry, type } = shown
  const live =
    isLive(entry) && entry.liveVersion !== null && entry.liveUpdatedAt !== null
      ? {
          title: entry.title,
          slug: entry.slug,
          data: readData(type.fields, entry.data, 'all'),
          version: entry.liveVersion,
          updatedAt: entry.liveUpdatedAt.toISOString(),
        }
      : null
  return { ...entryItemJson(ctx, shown), live }
}

export const trashedJson = (ctx: Pick<Ctx, 'config'>, shown: Shown): TrashedEntry => ({
  ...entryItemJson(ctx, shown),
  previousStatus: shown.entry.status,
  deletedBy: shown.entry.deletedBy,
})

export const revisionItemJson = (revision: Omit<StoredRevision, 'data'>): RevisionItem => ({
  id: revision.id,
  entryId: revision.entryId,
  version: revision.version,
  title: revision.title,
  slug: revision.slug,
  status: revision.status,
  terms: revision.terms,
  author: revision.author,
  reason: revision.reason,
  autosave: revision.isAutosave,
  createdAt: revision.createdAt.toISOString(),
  changed: revision.changed,
})

/** Reads the data with the type's present fields: values that no longer fit are shown as empty. */
export const revisionJson = (revision: StoredRevision, { fields }: Surroundings['type']): Revision => ({
  ...revisionItemJson(revision),
  data: readData(fields, revision.data, 'all'),
})
