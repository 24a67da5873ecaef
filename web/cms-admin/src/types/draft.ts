import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { contentFields, type Field, type FieldInput, scalarOf } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import type { DraftOptions } from '../fields/field-view.ts'
import { newDraftId } from './draft-ids.ts'
import { readOptions, retypeOptions } from './field-options.ts'
import { freeKey } from './names.ts'

/** A field while it is edited. */
export type FieldDraft = {
  /** Stays the same while the key is typed and the field is moved. */
  id: string
  /** The key that its values are stored under; empty for a new field. */
  savedKey: string
  key: string
  label: string
  help: string
  type: FieldType
  required: boolean
  unique: boolean
  indexed: boolean
  hidden: boolean
  default: unknown
  /** Options as the forms hold them, also those of earlier types, so that switching the type for a moment loses nothing. */
  options: DraftOptions
  /** The fields that make up its values. */
  fields: FieldDraft[]
}

/** A content type while it is edited. */
export type TypeDraft = {
  label: string
  labelPlural: string
  name: string
  description: string
  icon: string
  kind: 'collection' | 'single'
  previewUrl: string
  fields: FieldDraft[]
}

export const emptyType: TypeDraft = {
  label: '',
  labelPlural: '',
  name: '',
  description: '',
  icon: '',
  kind: 'collection',
  previewUrl: '',
  fields: [],
}

export const newField = (type: FieldType, members: Partial<FieldDraft> = {}): FieldDraft => ({
  id: newDraftId(),
  savedKey: '',
  key: '',
  label: '',
  help: '',
  type,
  required: false,
  unique: false,
  indexed: false,
  hidden: false,
  default: null,
  options: {},
  fields: [],
  ...members,
})

/** The saved type, to be edited. Saved twice, it has the same ids. */
export const draftOf = (type: ContentType): TypeDraft => ({
  label: type.label,
  labelPlural: type.labelPlural,
  name: type.name,
  description: type.description,
  icon: type.icon,
  kind: type.kind,
  previewUrl: type.previewUrl ?? '',
  fields: type.fields.map((field) => draftOfField(field, '')),
})

/** New fields with these settings. */
export const newFields = (inputs: readonly FieldInput[]): FieldDraft[] =>
  contentFields.parse([...inputs]).map((field) => asNew(draftOfField(field, '')))

/** Another field with the same settings, and a key of its own. */
export const copyField = (field: FieldDraft, taken: ReadonlySet<string>): FieldDraft => ({
  ...asNew(field),
  key: freeKey(field.key === '' ? 'field' : field.key, taken),
  label: field.label === '' ? '' : `${field.label} copy`,
})

/** The field as another type. */
export const retype = (field: FieldDraft, type: FieldType): FieldDraft => ({
  ...field,
  type,
  default: null,
  options: retypeOptions(field.options, type),
  unique: field.unique && isScalar(type),
  indexed: field.indexed && isScalar(type),
})

/** Whether values of the type can be unique, and entries be sorted and filtered by them. */
export const isScalar = (type: FieldType): boolean => scalarOf({ type }) !== undefined

const asNew = (field: FieldDraft): FieldDraft => ({
  ...field,
  id: newDraftId(),
  savedKey: '',
  fields: field.fields.map(asNew),
})

const draftOfField = (field: Field, prefix: string): FieldDraft => {
  const id = prefix + field.key
  return {
    id,
    savedKey: field.key,
    key: field.key,
    label: field.label,
    help: field.help,
    type: field.type,
    required: field.required,
    unique: field.unique,
    indexed: field.indexed,
    hidden: field.hidden,
    default: field.default,
    options: readOptions(field),
    fields: 'fields' in field ? field.fields.map((inner) => draftOfField(inner, `${id}.`)) : [],
  }
}
