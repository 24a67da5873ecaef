import { z } from 'zod'
import { readEntry, statusWord } from './proposed-records.ts'
import { baseVersion, entryLabel, proposed, reason } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries/:id'

export const proposeEntryDelete = tool({
  name: 'propose_entry_delete',
  kind: 'propose',
  permission: 'content.write',
  description: 'Move an entry to the trash.',
  input: z.strictObject({ entryId: z.string(), reason }),
  label: () => 'Preparing to move an entry to the trash',
  run: async (reach, { entryId: id, reason: why }) => {
    const before = await readEntry(reach, id)
    await reach.rehearse({ method: 'DELETE', path: ROUTE, params: { id }, body: {} })
    const version = baseVersion(reach, 'entry', id, before.version)
    return proposed({
      title: `Move “${entryLabel(before)}” to the trash`,
      reason: why,
      risk: before.status === 'published' ? 'live' : 'edit',
      verb: 'Move to trash',
      permission: 'content.write',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'entry' },
      changes: [
        {
          path: 'status',
          label: 'Status',
          fieldType: null,
          op: 'remove',
          before: statusWord(before),
          after: 'In trash',
          view: 'text',
        },
      ],
      requests: [
        { method: 'DELETE', route: ROUTE, params: { id }, body: null, version, record: { kind: 'entry', id } },
      ],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
