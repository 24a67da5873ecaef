import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { read, result } from './reading.ts'
import { tool } from './tool.ts'

export const getEntry = tool({
  name: 'get_entry',
  kind: 'read',
  permission: 'content.read',
  description: 'One entry in full with its terms.',
  input: z.strictObject({ id: z.string() }),
  label: () => 'Reading an entry',
  async run(reach, { id }) {
    const entry = await read<Entry>(reach, '/api/entries/:id', { params: { id } })
    reach.wasRead('entry', entry.id, entry.version)
    const shown = {
      id: entry.id,
      type: entry.type,
      slug: entry.slug,
      title: entry.title,
      status: entry.status,
      locale: entry.locale,
      version: entry.version,
      data: entry.data,
      terms: entry.terms.map(({ taxonomy, slug, name }) => ({ taxonomy, slug, name })),
      author: entry.author && { id: entry.author.id, name: entry.author.name },
      updatedAt: entry.updatedAt,
      publishedAt: entry.publishedAt,
      publishAt: entry.publishAt,
    }
    return result({ entry: shown }, entry.title || entry.slug)
  },
})
