import { z } from 'zod'
import { diffFields, type FieldChange } from './fields/changes.ts'
import { contentFields, type Field, fieldList } from './fields/field.ts'
import { typeName } from './fields/names.ts'
import { previewUrl } from './preview-url.ts'

export const typeKinds = ['collection', 'single'] as const

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must have at most ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'must be on one line')

const label = line(200).min(1, 'must not be empty')
const description = z.string().trim().max(2000, 'must have at most 2000 characters')
const icon = z.string().regex(/^[a-z0-9-]{0,50}$/, 'must be the name of an icon like file-text')
const kind = z.enum(typeKinds)

/** A new content type. Its name never changes. */
export const contentTypeInput = z
  .strictObject({
    name: typeName,
    label,
    labelPlural: line(200).default(''),
    description: description.default(''),
    icon: icon.default(''),
    kind: kind.default('collection'),
    previewUrl: previewUrl.nullable().default(null),
    fields: contentFields.default([]),
  })
  .overwrite((type) => ({ ...type, labelPlural: type.labelPlural === '' ? type.label : type.labelPlural }))
export type ContentTypeInput = z.infer<typeof contentTypeInput>

/** Only the members sent change; `fields` are sent as a whole. */
export const updateContentTypeInput = z.strictObject({
  label: label.optional(),
  labelPlural: label.optional(),
  description: description.optional(),
  icon: icon.optional(),
  kind: kind.optional(),
  previewUrl: previewUrl.nullable().optional(),
  fields: contentFields.optional(),
  /** New keys of fields by their present ones, with the values of all entries: `{"text": "body", "rows.n": "rows.count"}`. */
  renames: z.record(z.string(), z.string().max(600, 'must have at most 600 characters')).optional(),
  version: z.int().min(1).optional(),
})
export type UpdateContentTypeInput = z.infer<typeof updateContentTypeInput>

const moment = z.iso.datetime({ precision: 3 })

/** A content type, as people with content.read see it. */
export const contentType = z.object({
  name: z.string(),
  label: z.string(),
  labelPlural: z.string(),
  description: z.string(),
  icon: z.string(),
  kind,
  previewUrl: z.string().nullable(),
  fields: fieldList,
  /** Names of the taxonomies whose terms its entries may carry. */
  taxonomies: z.array(z.string()),
  version: z.int(),
  createdAt: moment,
  updatedAt: moment,
})
export type ContentType = z.infer<typeof contentType>

/** What a change of a type means for the entries there are, for a dry run and a warning. */
export const diffTypes = (before: { fields: readonly Field[] }, after: { fields: readonly Field[] }): FieldChange[] =>
  diffFields(before.fields, after.fields)
