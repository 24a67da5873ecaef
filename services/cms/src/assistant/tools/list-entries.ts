import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { z } from 'zod'
import { failFields } from '../../errors.ts'
import { paging } from './inputs.ts'
import { countedOf, read, readRows, result } from './reading.ts'
import { type Reach, tool } from './tool.ts'

const MAX_DATA_KEYS = 8

export const listEntries = tool({
  name: 'list_entries',
  kind: 'read',
  permission: 'content.read',
  description: 'Entries of one type. status is publication status; availability flags live in data.',
  input: z.strictObject({
    type: z.string(),
    status: z.enum(['draft', 'published']).optional(),
    locale: z.string().optional(),
    term: z.string().optional(),
    query: z.string().optional(),
    sort: z.string().describe('field or -field').optional(),
    fields: z.array(z.string()).max(MAX_DATA_KEYS).describe(`Up to ${MAX_DATA_KEYS} data keys to include`).optional(),
    ...paging,
  }),
  label: ({ type }) => `Reading entries of ${type}`,
  async run(reach, { type, status, locale, term, query, sort, fields = [], limit, offset }) {
    await refuseUnknownKeys(reach, type, fields)
    const asked = { type, status, locale, term, q: query, sort }
    const found = await readRows<EntryItem>(reach, '/api/entries', { query: asked, limit, offset })
    const entries = found.rows.map((entry) => ({
      id: entry.id,
      slug: entry.slug,
      title: entry.title,
      status: entry.status,
      locale: entry.locale,
      version: entry.version,
      updatedAt: entry.updatedAt,
      data: Object.fromEntries(fields.map((key) => [key, entry.data[key] ?? null])),
    }))
    const { total, nextOffset } = found
    return result({ total, offset, nextOffset, entries }, countedOf(found, 'entry', 'entries'))
  },
})

/** A key that nobody declared would read as if all entries had nothing in it. */
const refuseUnknownKeys = async (reach: Reach, type: string, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return
  const { fields } = await read<ContentType>(reach, '/api/types/:name', { params: { name: type } })
  const known = new Set([...fields.map(({ key }) => key), LAYOUT_KEY])
  const unknown = keys.flatMap((key, index) => (known.has(key) ? [] : [index]))
  if (unknown.length > 0)
    failFields(unknown.map((index) => ({ key: `fields.${index}`, message: `is not a field of ${type}` })))
}
