import { z } from 'zod'
import { listOf, listQuery } from './list.ts'

/** A label of one's own, and how many messages have it. */
export const label = z.object({ object: z.literal('label'), name: z.string(), total: z.int() })
export type Label = z.infer<typeof label>

export const labelList = listOf(label)
export const labelListQuery = listQuery({ sort: ['name', 'total'], direction: 'asc' })
export type LabelListRequest = z.output<typeof labelListQuery>
