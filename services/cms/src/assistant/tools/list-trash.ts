import type { TrashedEntry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { paging } from './inputs.ts'
import { countedOf, readRows, result } from './reading.ts'
import { tool } from './tool.ts'

export const listTrash = tool({
  name: 'list_trash',
  kind: 'read',
  permission: 'content.write',
  description: 'Deleted entries that can be restored.',
  input: z.strictObject({ type: z.string().optional(), ...paging }),
  label: () => 'Reading the trash',
  async run(reach, { type, limit, offset }) {
    const found = await readRows<TrashedEntry>(reach, '/api/trash', { query: { type }, limit, offset })
    const entries = found.rows.map(({ id, type, slug, title, deletedAt, deletedBy }) => ({
      ...{ id, type, slug, title, deletedAt, deletedBy },
    }))
    const summary = countedOf(found, 'deleted entry', 'deleted entries')
    return result({ total: found.total, nextOffset: found.nextOffset, entries }, summary)
  },
})
