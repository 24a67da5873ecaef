import { z } from 'zod'
import type { Problem } from './define.ts'

/** Where the visual editor keeps its sections, beside the fields in an entry's data. */
export const LAYOUT_KEY = '__layout'

const sectionIds = z
  .array(z.string('must be a section ID').min(1, 'must be a section ID').max(100, 'must have at most 100 characters'))
  .max(200, 'must have at most 200 sections')
  .refine((ids) => new Set(ids).size === ids.length, 'must contain each section only once')

/** Order and visibility of the visual sections. Which ids exist is for the page's definition to say. */
export const layout = z.strictObject({ order: sectionIds.default([]), hidden: sectionIds.default([]) })
/** What is stored; null when it says nothing. */
export const cleanLayout = (value: unknown): unknown => {
  const { data } = layout.safeParse(value)
  if (!data) return value
  return data.order.length === 0 && data.hidden.length === 0 ? null : data
}

export const checkLayout = (value: unknown): Problem[] => {
  if (value === null) return []
  const issues = layout.safeParse(value).error?.issues ?? []
  return issues.map((issue) => ({
    key: [LAYOUT_KEY, ...issue.path].join('.'),
    message: issue.code === 'invalid_type' || issue.code === 'unrecognized_keys' ? FORM : issue.message,
  }))
}

const FORM = 'must be { "order": [section IDs], "hidden": [section IDs] }'
