import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import { MAX_RESULT } from './fit.ts'
import { nothing } from './inputs.ts'
import { counted, present, read, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listContentTypes = tool({
  name: 'list_content_types',
  kind: 'read',
  permission: 'content.read',
  description: 'Every content type and its fields.',
  input: nothing,
  label: () => 'Reading content types',
  async run(reach) {
    const [types, visual] = await Promise.all([
      readAll<ContentType>(reach, '/api/types'),
      read<{ types: VisualDefinitions }>(reach, '/api/visual'),
    ])
    for (const { name, version } of types) reach.wasRead('type', name, version)
    const shown = (fieldsOf: (fields: readonly Field[]) => object[]) =>
      types.map(({ name, label, kind, previewUrl, fields }) => ({
        ...{ name, label, kind, previewUrl },
        visual: Object.hasOwn(visual.types, name),
        fields: fieldsOf(fields),
      }))
    const full = shown(describeFields)
    // All types with the keys of their fields say more than some types in full.
    const fits = JSON.stringify(full).length < MAX_RESULT * 0.9
    return result({ types: fits ? full : shown(nameFields) }, counted(types.length, 'content type'))
  },
})

const LIMITS = ['min', 'max', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

const describeFields = (fields: readonly Field[]): object[] =>
  fields.map((field) => {
    const { key, type, label, required } = field
    const limits = Object.fromEntries(LIMITS.map((name) => [name, Reflect.get(field, name)]))
    const own = present({
      options: 'options' in field ? field.options : undefined,
      to: 'to' in field ? field.to : undefined,
      multiple: 'multiple' in field ? field.multiple : undefined,
      ...limits,
    })
    return {
      key,
      type,
      label,
      required,
      ...own,
      ...(field.type === 'list' && { fields: describeFields(field.fields) }),
    }
  })

const nameFields = (fields: readonly Field[]): object[] =>
  fields.map(({ key, type, label, required }) => ({ key, type, label, required }))
