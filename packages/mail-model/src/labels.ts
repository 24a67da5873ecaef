import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { line } from './text.ts'

/** Colors with a tone of their own in webmail, light and dark. */
export const labelColors = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'indigo',
  'purple',
  'pink',
] as const
export type LabelColor = (typeof labelColors)[number]

/** What a label is called on messages: an IMAP keyword that every mail program can show and search. */
export const LABEL_NAME = /^[a-z0-9_-]{1,64}$/

const MAX_DISPLAY_NAME = 100

/** A label of one's own, and how many messages have it. */
export const label = z.object({
  object: z.literal('label'),
  /** The IMAP keyword. */
  name: z.string(),
  /** What people call it; the keyword until somebody chooses another one. */
  display_name: z.string(),
  /** One of the named colors or `#rrggbb`; null until one is chosen. */
  color: z.string().nullable(),
  total: z.int(),
})
export type Label = z.infer<typeof label>

export const labelList = listOf(label)
export const labelListQuery = listQuery({ sort: ['name', 'total'], direction: 'asc' })
export type LabelListRequest = z.output<typeof labelListQuery>

export const labelParams = z.object({ name: z.string().toLowerCase().regex(LABEL_NAME) })

const WRONG_COLOR = `must be a color like #1a73e8, or one of ${labelColors.join(', ')}`

export const labelInput = z.object({
  display_name: line({ min: 1, max: MAX_DISPLAY_NAME }).transform((text) => text.normalize('NFC')),
  color: z
    .string({ error: WRONG_COLOR })
    .toLowerCase()
    .refine((text) => /^#[0-9a-f]{6}$/.test(text) || labelColors.some((name) => name === text), { error: WRONG_COLOR })
    .nullish()
    .transform((color) => color ?? null),
})
export type LabelInput = z.output<typeof labelInput>

export const labelDeleted = z.object({ object: z.literal('label'), name: z.string(), deleted: z.literal(true) })
