import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { type Field, scalarOf } from '@stoa/cms-model/fields/field.ts'
import { type FieldType, fieldTypes } from '@stoa/cms-model/fields/index.ts'
import { isRecord } from '@stoa/cms-model/fields/members.ts'
import { freeKey } from './names.ts'

export type ChoiceDraft = { id: string; value: string; label: string }

/**
 * A field while it is edited: with the options of all types, so that another type for a moment loses nothing. Numbers
 * are as they are typed; an empty text is an option that is left out.
 */
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
  minLength: string
  maxLength: string
  pattern: string
  min: string
  max: string
  step: string
  integer: boolean
  minItems: string
  maxItems: string
  choices: ChoiceDraft[]
  accept: string[]
  to: string
  multiple: boolean
  fields: FieldDraft[]
  /** Options that only one type has, as they are sent; those that are left out get what the type says. */
  own: Readonly<Record<string, unknown>>
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

let made = 0

/** An id for a field or choice that has just been made. */
export const newDraftId = (): string => {
  made += 1
  return `new ${made}`
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
  minLength: '',
  maxLength: '',
  pattern: '',
  min: '',
  max: '',
  step: '',
  integer: false,
  minItems: '',
  maxItems: '',
  choices: [],
  accept: ['image/*'],
  to: '',
  multiple: true,
  fields: [],
  own: {},
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

/** Another field with the same settings, and a key of its own. */
export const copyField = (field: FieldDraft, taken: ReadonlySet<string>): FieldDraft => ({
  ...freshIds(field),
  key: freeKey(field.key === '' ? 'field' : field.key, taken),
  label: field.label === '' ? '' : `${field.label} copy`,
})

/** The field as another type: options that mean something else there start anew. */
export const retype = (field: FieldDraft, type: FieldType): FieldDraft => ({
  ...field,
  type,
  default: null,
  min: '',
  max: '',
  unique: field.unique && isScalar(type),
  indexed: field.indexed && isScalar(type),
})

/** Whether values of the type can be unique, and entries be sorted and filtered by them. */
export const isScalar = (type: FieldType): boolean => scalarOf({ type }) !== undefined

/** The names of the options that fields of the type have. */
export const optionNames = (type: FieldType): string[] => Object.keys(fieldTypes[type].options.shape)

const freshIds = (field: FieldDraft): FieldDraft => ({
  ...field,
  id: newDraftId(),
  savedKey: '',
  choices: field.choices.map((choice) => ({ ...choice, id: newDraftId() })),
  fields: field.fields.map(freshIds),
})

const draftOfField = (field: Field, prefix: string): FieldDraft => {
  const option = (name: string): unknown => Reflect.get(field, name)
  const id = prefix + field.key
  const standard = newField(field.type)
  return {
    ...standard,
    id,
    savedKey: field.key,
    key: field.key,
    label: field.label,
    help: field.help,
    required: field.required,
    unique: field.unique,
    indexed: field.indexed,
    hidden: field.hidden,
    default: field.default,
    minLength: textOf(option('minLength')),
    maxLength: textOf(option('maxLength')),
    pattern: textOf(option('pattern')),
    min: textOf(option('min')),
    max: textOf(option('max')),
    step: textOf(option('step')),
    integer: option('integer') === true,
    minItems: textOf(option('minItems')),
    maxItems: textOf(option('maxItems')),
    choices: choicesOf(option('options'), id),
    accept: namesOf(option('accept')) ?? standard.accept,
    to: textOf(option('to')),
    multiple: option('multiple') !== false,
    fields: field.type === 'list' ? field.fields.map((inner) => draftOfField(inner, `${id}.`)) : [],
    own: Object.fromEntries(
      optionNames(field.type)
        .filter((name) => name !== 'options' && !Object.hasOwn(standard, name))
        .map((name) => [name, option(name)]),
    ),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const namesOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined

const choicesOf = (value: unknown, id: string): ChoiceDraft[] =>
  (Array.isArray(value) ? value.filter(isRecord) : []).map((choice, index) => ({
    id: `${id} ${index}`,
    value: textOf(choice.value),
    label: textOf(choice.label),
  }))
