import { z } from 'zod'

const PER_PAGE = ['10', '25', '50', '100'] as const
const MAX_SEARCH = 200

export const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]

/** What a list route was asked for, with every gap filled. */
export type ListRequest<S extends string = string> = {
  page: number
  per_page: number
  sort: S
  direction: Direction
  search?: string | undefined
}

/**
 * The query of a list route. `page`, `per_page`, `sort` and `direction` fall back to their defaults instead of failing;
 * the first sort column is the default one.
 */
export const listQuery = <const S extends string>(rule: { sort: readonly [S, ...S[]]; direction: Direction }) =>
  z.object({
    page: z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number)
      .refine((page) => page >= 1 && Number.isSafeInteger(page))
      .prefault('1')
      .catch(1),
    per_page: z.enum(PER_PAGE).transform(Number).prefault('10').catch(10),
    sort: z.enum(rule.sort).default(rule.sort[0]).catch(rule.sort[0]),
    direction: z.enum(directions).default(rule.direction).catch(rule.direction),
    search: z
      .string({ error: 'must be sent only once' })
      .trim()
      .max(MAX_SEARCH, { error: `must have at most ${MAX_SEARCH} characters` })
      .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'must be text' })
      .optional(),
  })

/** The envelope of every list. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    page: z.int(),
    per_page: z.int(),
    total: z.int(),
    pages: z.int(),
  })

export type List<T> = {
  object: 'list'
  data: T[]
  page: number
  per_page: number
  total: number
  pages: number
}

/** Puts one page of items into the envelope. */
export const toList = <T>(request: ListRequest, total: number, data: T[]): List<T> => ({
  object: 'list',
  data,
  page: request.page,
  per_page: request.per_page,
  total,
  pages: Math.max(1, Math.ceil(total / request.per_page)),
})
