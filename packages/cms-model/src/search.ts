import { z } from 'zod'
import { entryStatuses } from './entries.ts'
import { searchText } from './lists.ts'
import { moment } from './moments.ts'

export const searchKinds = ['entry', 'media'] as const
export type SearchKind = (typeof searchKinds)[number]

const DEFAULT_SEARCH_LIMIT = 10
/** A larger limit is clamped to this: to see more, narrow the search. */
const MAX_SEARCH_LIMIT = 50

export const searchQuery = z.strictObject({
  q: searchText.min(1, 'must not be empty'),
  /** Separated by commas; all, if absent. */
  kinds: z
    .string()
    .transform((text, context): SearchKind[] => {
      const names = text.split(',').map((name) => name.trim())
      const known = searchKinds.filter((kind) => names.includes(kind))
      if (known.length === new Set(names).size) return known
      context.addIssue({ code: 'custom', message: `must be from ${searchKinds.join(', ')}` })
      return z.NEVER
    })
    .prefault(searchKinds.join(',')),
  /** The limit applies to each kind. */
  limit: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number, 1 or more')
    .transform((text) => Math.min(Number(text), MAX_SEARCH_LIMIT))
    .default(DEFAULT_SEARCH_LIMIT),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** Search results, best matches first. */
export const searchResults = z.object({
  entries: z.array(
    z.object({
      id: z.uuid(),
      type: z.string(),
      slug: z.string(),
      title: z.string(),
      status: z.enum(entryStatuses),
      locale: z.string(),
      updatedAt: moment,
    }),
  ),
  media: z.array(
    z.object({
      id: z.uuid(),
      filename: z.string(),
      url: z.string(),
      mimeType: z.string(),
      alt: z.string(),
      caption: z.string(),
      folder: z.string(),
    }),
  ),
})
export type SearchResults = z.infer<typeof searchResults>
