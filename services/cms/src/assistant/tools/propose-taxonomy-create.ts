import type { Taxonomy } from '@stoa/cms-model/taxonomies.ts'
import { z } from 'zod'
import { changeOf, proposed, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/taxonomies'

export const proposeTaxonomyCreate = tool({
  name: 'propose_taxonomy_create',
  kind: 'propose',
  permission: 'taxonomy.manage',
  description: 'New taxonomy.',
  input: z.strictObject({ name: z.string(), label: z.string(), reason }),
  label: () => 'Preparing a taxonomy',
  run: async (reach, { name, label, reason: why }) => {
    const body = { name, label }
    const after = await rehearse<Taxonomy>(reach, { method: 'POST', path: ROUTE, body })
    return proposed({
      title: `Create the taxonomy “${after.label}”`,
      reason: why,
      risk: 'edit',
      verb: 'Create taxonomy',
      permission: 'taxonomy.manage',
      target: { kind: 'taxonomy', id: null, label: after.label, screen: 'taxonomies' },
      changes: [
        changeOf({ path: 'name', label: 'API name', after: after.name }),
        changeOf({ path: 'label', label: 'Name', after: after.label }),
      ],
      requests: [{ method: 'POST', route: ROUTE, params: {}, body, version: null, record: null }],
      base: { kind: 'taxonomy', id: null, version: null },
      anchors: null,
    })
  },
})
