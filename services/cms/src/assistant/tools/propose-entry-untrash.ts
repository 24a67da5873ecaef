import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { readEntry, statusWord } from './proposed-records.ts'
import { baseVersion, changeOf, entryLabel, proposed, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries/:id/restore'

export const proposeEntryUntrash = tool({
  name: 'propose_entry_untrash',
  kind: 'propose',
  permission: 'content.write',
  description: 'Restore an entry from the trash.',
  input: z.strictObject({ entryId: z.string(), reason }),
  label: () => 'Looking in the trash',
  run: async (reach, { entryId: id, reason: why }) => {
    const before = await readEntry(reach, id)
    const params = { id }
    const after = await rehearse<Entry>(reach, { method: 'POST', path: ROUTE, params, body: {} })
    const version = baseVersion(reach, 'entry', id, before.version)
    return proposed({
      title: `Restore “${entryLabel(before)}” from the trash`,
      reason: why,
      risk: 'edit',
      verb: 'Restore',
      permission: 'content.write',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'trash' },
      changes: [changeOf({ path: 'status', label: 'Status', before: statusWord(before), after: statusWord(after) })],
      requests: [{ method: 'POST', route: ROUTE, params, body: {}, version, record: { kind: 'entry', id } }],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
