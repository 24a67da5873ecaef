import type { Entry } from '@stoa/cms-model/entries.ts'
import { z } from 'zod'
import { readEntry, termsOf } from './proposed-records.ts'
import { baseVersion, changeOf, entryLabel, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/entries/:id/terms'

export const proposeEntryTerms = tool({
  name: 'propose_entry_terms',
  kind: 'propose',
  permission: 'content.write',
  description: 'File an entry under terms of one taxonomy; replaces that set.',
  input: z.strictObject({
    entryId: z.string(),
    taxonomy: z.string(),
    terms: z.array(z.string().describe('term slug')),
    reason,
  }),
  label: () => 'Choosing terms',
  run: async (reach, { entryId: id, taxonomy, terms, reason: why }) => {
    const before = await readEntry(reach, id)
    const body = { taxonomy, terms }
    const after = await rehearse<Entry>(reach, { method: 'PUT', path: ROUTE, params: { id }, body })
    const version = baseVersion(reach, 'entry', id, before.version)
    return proposed({
      title: `Change the terms of “${entryLabel(before)}”`,
      reason: why,
      // Terms have no working copy.
      risk: before.status === 'published' ? 'live' : 'edit',
      verb: 'Apply',
      permission: 'content.write',
      target: { kind: 'entry', id, label: entryLabel(before), screen: 'entry' },
      changes: realChanges([
        changeOf({
          path: 'terms',
          label: `Terms of ${taxonomy}`,
          before: termsOf(before, taxonomy),
          after: termsOf(after, taxonomy),
          view: 'list',
        }),
      ]),
      requests: [{ method: 'PUT', route: ROUTE, params: { id }, body, version, record: { kind: 'entry', id } }],
      base: { kind: 'entry', id, version },
      anchors: null,
    })
  },
})
