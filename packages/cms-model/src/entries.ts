import { z } from 'zod'
import { givenMoment, moment } from './moments.ts'
import { oneLine } from './one-line.ts'
import { entryTerm, termReference } from './taxonomies.ts'

export const entryStatuses = ['draft', 'published'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/**
 * What the list of entries can be narrowed to; `scheduled` is of either status, with a time to come; `pending` has
 * unpublished changes.
 */
export const entryFilters = ['draft', 'published', 'scheduled', 'pending'] as const
export type EntryFilter = (typeof entryFilters)[number]

/** Saves of the same person that nobody asked for are one revision for so long. */
export const AUTOSAVE_WINDOW_MS = 10 * 60_000
/** The entries that one request can change. */
const MAX_BULK = 100
export const MAX_TITLE_LENGTH = 500
/** The total across all taxonomies: more says nothing about an entry. */
const MAX_TERMS = 200

const title = oneLine({ min: 0, max: MAX_TITLE_LENGTH })
/** Its form is checked where the reserved ones are: both need the same words for people. */
const givenSlug = z.string()
const data = z.record(z.string(), z.unknown())
const locale = z.string().min(1).max(35)
const version = z.int().min(1)
const terms = z.array(termReference).max(MAX_TERMS, `must have at most ${MAX_TERMS} terms`)
const saveMode = z.enum(['live', 'draft'])
export type SaveMode = z.infer<typeof saveMode>

/** A new entry; always a draft. */
export const createEntryInput = z.strictObject({
  type: z.string(),
  title: title.default(''),
  /** Made of the title, if absent. */
  slug: givenSlug.optional(),
  data: data.default({}),
  /** The default language of the site, if absent. */
  locale: locale.optional(),
  /** The entry that this one is a translation of. */
  translationOf: z.uuid('must be the ID of an entry').nullable().default(null),
  /** Someone else as author: for those who may change any entry. */
  authorId: z.uuid('must be the ID of a person').optional(),
  terms: terms.default([]),
})
export type CreateEntryInput = z.infer<typeof createEntryInput>

/** Only the members sent change; `data` is merged by key, and null clears a field. */
export const updateEntryInput = z.strictObject({
  title: title.optional(),
  slug: givenSlug.optional(),
  data: data.optional(),
  locale: locale.optional(),
  authorId: z.uuid('must be the ID of a person').optional(),
  /** For published entries only: `live` at once, or `draft` as unpublished changes. */
  mode: saveMode.optional(),
  /** The editor saved by itself: the revision is merged with the person's last autosave, and never goes live. */
  autosave: z.boolean().default(false),
  version: version.optional(),
})
export type UpdateEntryInput = z.infer<typeof updateEntryInput>

/** What becomes of an entry; with `at` at that time, with `at: null` not at its time after all. */
export const entryStatusInput = z.strictObject({
  action: z.enum(['publish', 'unpublish', 'draft']),
  at: givenMoment.nullable().optional(),
  version: version.optional(),
})
export type EntryStatusInput = z.infer<typeof entryStatusInput>

/** The terms that the entry has of one taxonomy. */
export const entryTermsInput = z.strictObject({
  taxonomy: termReference.shape.taxonomy,
  terms: z.array(termReference.shape.slug).max(MAX_TERMS, `must have at most ${MAX_TERMS} terms`),
  version: version.optional(),
})
export type EntryTermsInput = z.infer<typeof entryTermsInput>

/** Out of the trash, with another slug if its own was taken meanwhile. */
export const restoreEntryInput = z
  .strictObject({ slug: givenSlug.optional(), version: version.optional() })
  .prefault({})
export type RestoreEntryInput = z.infer<typeof restoreEntryInput>

export const restoreRevisionInput = z
  .strictObject({
    /** `title`, `slug` and keys of fields as `data.key` or `key`; all, if absent. */
    keys: z.array(z.string().max(200)).min(1, 'must not be empty').max(200).optional(),
    mode: saveMode.optional(),
    version: version.optional(),
  })
  .prefault({})
export type RestoreRevisionInput = z.infer<typeof restoreRevisionInput>

const bulkActions = ['publish', 'unpublish', 'draft', 'trash', 'restore', 'terms'] as const

export const bulkInput = z
  .strictObject({
    action: z.enum(bulkActions),
    ids: z
      .array(z.uuid('must be the ID of an entry'))
      .min(1, 'must not be empty')
      .max(MAX_BULK, `must have at most ${MAX_BULK} entries`)
      .transform((ids) => [...new Set(ids)]),
    /** In each taxonomy named here, these terms replace those of the entries. */
    terms: terms.min(1, 'must not be empty').optional(),
  })
  .superRefine((input, context) => {
    if ((input.action === 'terms') === (input.terms !== undefined)) return
    const message = input.action === 'terms' ? 'is required' : 'can only be used with the action terms'
    context.addIssue({ code: 'custom', path: ['terms'], message })
  })
export type BulkInput = z.infer<typeof bulkInput>

export const bulkResults = z.object({
  results: z.array(
    z.object({ id: z.uuid(), ok: z.boolean(), code: z.string().optional(), error: z.string().optional() }),
  ),
})
export type BulkResults = z.infer<typeof bulkResults>

const person = z.object({ id: z.uuid(), name: z.string() })

const entryMembers = {
  id: z.uuid(),
  slug: z.string(),
  type: z.string(),
  title: z.string(),
  data,
  status: z.enum(entryStatuses),
  locale: z.string(),
  translationOf: z.uuid().nullable(),
  /** Where the website shows it; null when its type has no address template. */
  url: z.string().nullable(),
  publishedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  version: z.int(),
  authorId: z.uuid().nullable(),
  author: person.extend({ avatarUrl: z.string().nullable() }).nullable(),
  updatedBy: person.nullable(),
  publishAt: moment.nullable(),
  unpublishAt: moment.nullable(),
  deletedAt: moment.nullable(),
  /** A published entry has changes that are not published. */
  pending: z.boolean(),
  terms: z.array(entryTerm),
}

/** An entry's working copy: with the unpublished changes, if there are any. */
export const entryItem = z.object(entryMembers)
export type EntryItem = z.infer<typeof entryItem>

/** One entry, with what the public sees of it. */
export const entry = z.object({
  ...entryMembers,
  live: z.object({ title: z.string(), slug: z.string(), data, version: z.int(), updatedAt: moment }).nullable(),
})
export type Entry = z.infer<typeof entry>

/** An entry that came back from the trash, as a draft. */
export const restoredEntry = entry.extend({ previousStatus: z.enum(entryStatuses) })
export type RestoredEntry = z.infer<typeof restoredEntry>

/** An entry in the trash. */
export const trashedEntry = entryItem.extend({
  previousStatus: z.enum(entryStatuses),
  deletedBy: person.nullable(),
})
export type TrashedEntry = z.infer<typeof trashedEntry>

/** Where an entry is used: another entry, outside of the trash, or a menu. */
export const entryUse = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entry'),
    id: z.uuid(),
    type: z.string(),
    slug: z.string(),
    title: z.string(),
    status: z.enum(entryStatuses),
    locale: z.string(),
    /** What the public sees refers to it, not only the working copy. */
    live: z.boolean(),
  }),
  z.object({ kind: z.literal('menu'), name: z.string(), label: z.string() }),
])
export type EntryUse = z.infer<typeof entryUse>

export const revisionReasons = ['save', 'publish', 'restore', 'assistant', 'schedule'] as const
export type RevisionReason = (typeof revisionReasons)[number]

const revisionMembers = {
  id: z.uuid(),
  entryId: z.uuid(),
  /** The entry's, when it was saved. */
  version: z.int(),
  title: z.string(),
  slug: z.string(),
  /** `published`: this is what went live. */
  status: z.enum(entryStatuses),
  terms: z.array(entryTerm),
  author: person.nullable(),
  reason: z.enum(revisionReasons),
  autosave: z.boolean(),
  createdAt: moment,
  /** `title`, `slug`, `terms`, `locale`, `author`, and fields as `data.key`. */
  changed: z.array(z.string()),
}

/** A revision in the list: without its data. */
export const revisionItem = z.object(revisionMembers)
export type RevisionItem = z.infer<typeof revisionItem>

export const revision = z.object({ ...revisionMembers, data })
export type Revision = z.infer<typeof revision>

const diffOps = ['add', 'remove', 'change'] as const

/** What is different between two states of an entry. */
export const entryDiff = z.object({
  changes: z.array(
    z.object({
      /** `title`, `slug`, or `data.key`. */
      path: z.string(),
      label: z.string(),
      /** Null for what is no field of the type now. */
      fieldType: z.string().nullable(),
      op: z.enum(diffOps),
      /** Of `data.__layout`, the sections in their order: `[{ id, label, hidden }]`. */
      before: z.unknown(),
      after: z.unknown(),
    }),
  ),
})
export type EntryDiff = z.infer<typeof entryDiff>
