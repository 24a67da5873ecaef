import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { readEntry, readType } from './proposed-records.ts'
import { baseVersion, entryChanges, entryLabel, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries/:id/revisions/:rid/restore'

export const proposeRevisionRestore = tool({
  name: 'propose_revision_restore',
  kind: 'propose',
  permission: 'content.write',
  description: 'Restore an earlier version of an entry.',
  input: z.strictObject({ entryId: z.string(), revisionId: z.string(), reason }),
  label: () => 'Preparing an earlier version',
  run: async (reach, { entryId: id, revisionId: rid, reason: why }) => {
    const before = await readEntry(reach, id)
    // The live version stays unchanged until a person publishes the draft.
    const body = before.status === 'published' ? { mode: 'draft' } : {}
    const params = { id, rid }
    const after = await rehearse<Entry>(reach, { method: 'POST', path: ROUTE, params, body })
    const changes = realChanges(entryChanges(reach, await readType(reach, before.type), before, after))
    const version = baseVersion(reach, 'entry', id, before.version)
    return proposed({
      title: `Restore an earlier version of “${entryLabel(before)}”`,
      reason: why,
      risk: 'edit',
      verb: 'Restore version',
      permission: 'content.write',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'entry' },
      changes,
      requests: [{ method: 'POST', route: ROUTE, params, body, version, record: { kind: 'entry', id } }],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
