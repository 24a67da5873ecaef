import type { RevisionItem } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { paging } from './inputs.ts'
import { countedOf, readRows, result } from './reading.ts'
import { tool } from './tool.ts'

export const listRevisions = tool({
  name: 'list_revisions',
  kind: 'read',
  permission: 'content.read',
  description: 'Saved history of one entry, newest first.',
  input: z.strictObject({ entryId: z.string(), ...paging }),
  label: () => 'Reading the history of an entry',
  async run(reach, { entryId, limit, offset }) {
    const asked = { params: { id: entryId }, limit, offset }
    const found = await readRows<RevisionItem>(reach, '/api/entries/:id/revisions', asked)
    const revisions = found.rows.map(({ id, version, createdAt, author, title, changed }) => ({
      ...{ id, version, createdAt, author, title },
      changedKeys: changed,
    }))
    return result({ total: found.total, nextOffset: found.nextOffset, revisions }, countedOf(found, 'revision'))
  },
})
