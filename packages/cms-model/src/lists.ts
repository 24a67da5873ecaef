import { z } from 'zod'

export const DEFAULT_LIMIT = 25
/** A larger limit is clamped to this and echoed, so that a list stays cheap. */
export const MAX_LIMIT = 100
/** Deeper pages cost the database more than anybody reads. */
export const MAX_OFFSET = 1_000_000
export const MAX_SEARCH_LENGTH = 200

export type Page = { page: number; limit: number }
export type SortOrder<K extends string> = { key: K; descending: boolean }[]

const wholeNumber = z
  .string()
  .refine((text) => /^\d{1,100}$/.test(text) && Number(text) >= 1, 'must be a whole number, 1 or more')
  .transform(Number)

const uuid = z.uuid()

export const pageMembers = {
  page: wholeNumber.default(1),
  limit: wholeNumber.transform((limit) => Math.min(limit, MAX_LIMIT)).default(DEFAULT_LIMIT),
}

/** The query of a list with these members besides `page` and `limit`. An unknown name is refused. */
export const listQuery = <M extends z.ZodRawShape>(members: M) =>
  z.strictObject({ ...pageMembers, ...members }).superRefine(refuseDeepPage)

/** What people type into a search box. */
export const searchText = z.string().trim().max(MAX_SEARCH_LENGTH)

/** Only the records of these ids: separated by commas, as many as the largest page holds. */
export const givenIds = z.string().transform((text, context): string[] => {
  const ids = [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))]
  if (ids.length <= MAX_LIMIT && ids.every((id) => uuid.safeParse(id).success)) return ids
  context.addIssue({ code: 'custom', message: `must be up to ${MAX_LIMIT} comma-separated IDs` })
  return z.NEVER
})

/** Which of these keys to sort by: separated by commas, `-` before a descending one; `key:desc` is the same. */
export const sortBy = <K extends string>(keys: readonly [K, ...K[]], standard: string) =>
  z
    .string()
    .transform((text, context): SortOrder<K> => {
      const order = text.split(',').map((part) => readSort(part.trim(), keys))
      const known = order.filter((sort) => sort !== undefined)
      if (known.length === order.length && new Set(known.map(({ key }) => key)).size === known.length) return known
      context.addIssue({
        code: 'custom',
        message: `must be from ${keys.join(', ')}, each only once; - sorts in descending order`,
      })
      return z.NEVER
    })
    .prefault(standard)

/** The envelope of every list. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    meta: z.object({ total: z.int(), page: z.int(), limit: z.int(), pages: z.int() }),
  })

export type List<T> = { items: T[]; meta: { total: number; page: number; limit: number; pages: number } }

/** Fills the envelope. */
export const toList = <T>(items: T[], total: number, { page, limit }: Page): List<T> => ({
  items,
  meta: { total, page, limit, pages: Math.ceil(total / limit) },
})

const readSort = <K extends string>(text: string, keys: readonly K[]): SortOrder<K>[number] | undefined => {
  const [, minus, name, direction] = /^(-?)([\w.]+)(?::(asc|desc))?$/.exec(text) ?? []
  const key = keys.find((known) => known === name)
  if (key === undefined || (minus === '-' && direction !== undefined)) return undefined
  return { key, descending: minus === '-' || direction === 'desc' }
}

const readPage = z.object({ page: z.number(), limit: z.number() })

/** Refuses pages so deep that nobody reads them, before the database is asked. */
export function refuseDeepPage(query: unknown, context: z.RefinementCtx): void {
  // Zod comes here with members that were refused, too.
  const { data } = readPage.safeParse(query)
  if (data && (data.page - 1) * data.limit > MAX_OFFSET)
    context.addIssue({ code: 'custom', path: ['page'], message: `must not go beyond item ${MAX_OFFSET}` })
}
