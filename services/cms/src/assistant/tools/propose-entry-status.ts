import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { readEntry, statusWord } from './proposed-records.ts'
import {
  baseVersion,
  changeOf,
  entryLabel,
  given,
  proposed,
  realChanges,
  reason,
  rehearse,
  roleToRehearse,
} from './proposing.ts'
import { type Reach, tool } from './tool.ts'

const ROUTE = '/api/entries/:id/status'

type Action = 'publish' | 'unpublish' | 'draft'

const WORDS: { readonly [A in Action]: { verb: string; planned: string; at: string } } = {
  publish: { verb: 'Publish', planned: 'Schedule', at: 'Publish at' },
  unpublish: { verb: 'Unpublish', planned: 'Schedule', at: 'Unpublish at' },
  draft: { verb: 'Return to draft', planned: 'Return to draft', at: 'At' },
}

/** Someone who cannot publish may still ask for it, of what they may write. */
const rehearseStatus = async (reach: Reach, id: string, action: Action, at: string | undefined): Promise<Entry> => {
  const role = action === 'draft' ? undefined : roleToRehearse(reach, 'content.publish')
  if (role) await reach.rehearse({ method: 'PUT', path: '/api/entries/:id', params: { id }, body: {} })
  return rehearse<Entry>(reach, { method: 'POST', path: ROUTE, params: { id }, body: given({ action, at }) }, { role })
}

export const proposeEntryStatus = tool({
  name: 'propose_entry_status',
  kind: 'propose',
  permission: 'content.write',
  description: 'Publish, unpublish, or return to draft.',
  input: z.strictObject({
    entryId: z.string(),
    action: z.enum(['publish', 'unpublish', 'draft']),
    at: z.string().describe('ISO 8601, schedules a publish').optional(),
    reason,
  }),
  label: () => 'Preparing a change of status',
  run: async (reach, { entryId: id, action, at, reason: why }) => {
    const before = await readEntry(reach, id)
    const after = await rehearseStatus(reach, id, action, at)
    const words = WORDS[action]
    const verb = at === undefined ? words.verb : words.planned
    const times = action === 'unpublish' ? [before.unpublishAt, after.unpublishAt] : [before.publishAt, after.publishAt]
    const changes = realChanges([
      changeOf({ path: 'action', label: 'Status', before: statusWord(before), after: statusWord(after) }),
      changeOf({ path: 'at', label: words.at, before: times[0], after: times[1] }),
    ])
    const version = baseVersion(reach, 'entry', id, before.version)
    const isPublic = action !== 'draft' || before.status === 'published'
    return proposed({
      title: `${verb} “${entryLabel(before)}”`,
      reason: why,
      risk: isPublic ? 'live' : 'edit',
      verb,
      permission: action === 'draft' ? 'content.write' : 'content.publish',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'entry' },
      changes,
      requests: [
        {
          method: 'POST',
          route: ROUTE,
          params: { id },
          body: given({ action, at }),
          version,
          record: { kind: 'entry', id },
          isWhole: true,
        },
      ],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
