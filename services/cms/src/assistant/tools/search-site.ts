import { type SearchResults, searchKinds } from '@stoa/cms-model/search.ts'
import { z } from 'zod'
import { counted, read, result } from './reading.ts'
import { tool } from './tool.ts'

export const searchSite = tool({
  name: 'search_site',
  kind: 'read',
  permission: 'content.read',
  description: 'Find a page by title, or a file by name, alt text, caption or folder.',
  input: z.strictObject({
    query: z.string().min(1),
    kinds: z.array(z.enum(searchKinds)).optional(),
    limit: z.int().min(1).max(20).default(10),
  }),
  label: ({ query }) => `Searching for “${query.slice(0, 60)}”`,
  async run(reach, { query, kinds = [], limit }) {
    const asked = { q: query, kinds: kinds.join(','), limit }
    const found = await read<SearchResults>(reach, '/api/search', { query: asked })
    const entries = found.entries.map(({ id, type, slug, title, status }) => ({ id, type, slug, title, status }))
    const media = found.media.map(({ id, filename, alt, caption, folder, url }) => ({
      ...{ id, filename, alt, caption, folder, url },
    }))
    const summary = `${counted(entries.length, 'entry', 'entries')}, ${counted(media.length, 'file').toLowerCase()}`
    return result({ entries, media }, summary)
  },
})
