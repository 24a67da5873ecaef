import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { z } from 'zod'
import { proposedField, toField } from './proposed-fields.ts'
import { asJson, changeOf, given, proposed, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/types'

export const proposeTypeCreate = tool({
  name: 'propose_type_create',
  kind: 'propose',
  permission: 'types.manage',
  description: 'New content type.',
  input: z.strictObject({
    name: z.string().describe('camelCase'),
    label: z.string(),
    kind: z.enum(['collection', 'single']).optional(),
    previewUrl: z.string().optional(),
    fields: z.array(proposedField),
    reason,
  }),
  label: () => 'Preparing a content type',
  run: async (reach, { name, label, kind, previewUrl, fields, reason: why }) => {
    const sent = given({ name, label, kind, previewUrl: previewUrl || undefined, fields: fields.map(toField) })
    const after = await rehearse<ContentType>(reach, { method: 'POST', path: ROUTE, body: sent })
    return proposed({
      title: `Create the type “${after.label}”`,
      reason: why,
      risk: 'edit',
      verb: 'Create type',
      permission: 'types.manage',
      target: { kind: 'type', id: null, label: after.label, screen: 'types' },
      changes: [
        changeOf({ path: 'name', label: 'API name', after: after.name }),
        changeOf({ path: 'label', label: 'Name', after: after.label }),
        changeOf({ path: 'kind', label: 'Kind', after: after.kind }),
        ...(after.previewUrl === null
          ? []
          : [changeOf({ path: 'previewUrl', label: 'Preview URL', after: after.previewUrl })]),
        ...after.fields.map((field) =>
          changeOf({
            path: `fields.${field.key}`,
            label: field.label,
            fieldType: field.type,
            after: field,
            view: 'json',
          }),
        ),
      ],
      requests: [
        {
          method: 'POST',
          route: ROUTE,
          params: {},
          body: { ...sent, fields: asJson(after.fields) },
          version: null,
          record: null,
        },
      ],
      base: { kind: 'type', id: null, version: null },
      anchors: null,
    })
  },
})
