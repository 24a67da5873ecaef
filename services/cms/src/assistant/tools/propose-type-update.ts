import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { type ProposedField, proposedField, toField } from './proposed-fields.ts'
import { readType } from './proposed-records.ts'
import {
  asJson,
  asMembers,
  baseVersion,
  changeOf,
  given,
  proposed,
  realChanges,
  reason,
  refuseMember,
  rehearse,
} from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/types/:name'

export const proposeTypeUpdate = tool({
  name: 'propose_type_update',
  kind: 'propose',
  permission: 'types.manage',
  description: 'Add or change fields of a type; affects every entry of it.',
  input: z.strictObject({
    type: z.string(),
    label: z.string().optional(),
    previewUrl: z.string().optional(),
    addFields: z.array(proposedField).optional(),
    changeFields: z.array(proposedField).optional(),
    reason,
  }),
  label: ({ type }) => `Preparing changes to the type ${type}`,
  run: async (reach, { type: name, label, previewUrl, addFields = [], changeFields = [], reason: why }) => {
    const before = await readType(reach, name)
    const fields = fieldsAfter(before, addFields, changeFields)
    const sent = given({ label, previewUrl: previewUrl === '' ? null : previewUrl, fields })
    const params = { name }
    const after = await rehearse<ContentType>(reach, { method: 'PUT', path: ROUTE, params, body: sent })
    const memberOf = (member: 'label' | 'previewUrl', label: string) =>
      Object.hasOwn(sent, member)
        ? [changeOf({ path: member, label, before: before[member], after: after[member] })]
        : []
    const fieldOf = (type: ContentType, key: string) => type.fields.find((field) => field.key === key) ?? null
    const changes = realChanges([
      ...memberOf('label', 'Name'),
      ...memberOf('previewUrl', 'Preview URL'),
      ...after.fields.map((field) =>
        changeOf({
          // A field that is there is sent as well: to leave it out would remove it.
          path: `${fieldOf(before, field.key) ? 'changeFields' : 'fields'}.${field.key}`,
          label: field.label,
          fieldType: field.type,
          before: fieldOf(before, field.key),
          after: field,
          view: 'json',
        }),
      ),
    ])
    const version = baseVersion(reach, 'type', name, before.version)
    return proposed({
      title: `Update the type “${before.label}”`,
      reason: why,
      risk: 'live',
      verb: 'Apply',
      permission: 'types.manage',
      target: { kind: 'type', id: name, label: before.label, screen: 'type' },
      changes,
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body: given({ ...sent, fields: sent.fields && asJson(after.fields) }),
          version,
          record: { kind: 'type', id: name },
          isBehind: version !== before.version,
          keep: before.fields.map(({ key }) => key),
        },
      ],
      base: { kind: 'type', id: name, version },
      anchors: null,
    })
  },
})

/** All fields of the type: those it has, with what changes, and the new ones after them. */
const fieldsAfter = (
  { fields }: ContentType,
  added: readonly ProposedField[],
  changed: readonly ProposedField[],
): Json | undefined => {
  if (added.length + changed.length === 0) return undefined
  for (const [index, { key }] of changed.entries())
    if (!fields.some((field) => field.key === key))
      refuseMember(`changeFields.${index}.key`, "isn't a field of this type; add it with addFields")
  for (const [index, { key }] of added.entries())
    if (fields.some((field) => field.key === key))
      refuseMember(`addFields.${index}.key`, 'is already a field of this type; change it with changeFields')
  const present = fields.map((field) => {
    const change = changed.find(({ key }) => key === field.key)
    return change ? merge(field, change) : asJson(field)
  })
  return [...present, ...added.map(toField)]
}

/** Another type has other options; what every field has stays. */
const merge = (field: Field, change: ProposedField): Json => {
  const { key, label, help, required, unique, indexed, hidden } = field
  const kept = field.type === change.type ? field : { key, label, help, required, unique, indexed, hidden }
  return { ...asMembers(kept), ...toField(change) }
}
