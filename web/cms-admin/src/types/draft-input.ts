import { type ContentTypeInput, contentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Renames } from '@stoa/cms-model/fields/renames.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { sentence } from '@stoa/ui/request.ts'
import type { FieldDraft, TypeDraft } from './draft.ts'

/** What the service would get, with saved fields that have another key now. */
export type ReadType = { input: ContentTypeInput; renames: Renames }

/** What the service would get, or what is wrong with it; the keys are those that the service uses. */
export const readDraft = (draft: TypeDraft): ReadType | { problems: FieldProblem[] } => {
  const mistakes = typedProblems(draft)
  const parsed = contentTypeInput.safeParse(inputOf(draft), { error: issueText })
  if (parsed.success && mistakes.length === 0) return { input: parsed.data, renames: renamesIn(draft.fields) }
  const refused = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ key: path.join('.'), message: sentence(message) }))
  return { problems: firstOfEach([...mistakes, ...refused]) }
}

/** By the paths that the fields have now; a new field has no other key. */
const renamesIn = (fields: readonly FieldDraft[], prefix = ''): Renames =>
  Object.assign(
    {},
    ...fields
      .filter(({ savedKey }) => savedKey !== '')
      .map(({ savedKey, key, type, fields: inner }) => ({
        ...(key !== savedKey && { [prefix + savedKey]: prefix + key }),
        ...(type === 'list' && renamesIn(inner, `${prefix}${savedKey}.`)),
      })),
  )

/** Where a refused rename is shown: at the key of its field. */
export const renameProblems = (fields: readonly FieldDraft[], problems: readonly FieldProblem[]): FieldProblem[] => {
  const places = placesOf(fields)
  return problems.map((problem) => ({ ...problem, key: places.get(problem.key) ?? problem.key }))
}

const placesOf = (fields: readonly FieldDraft[], saved = 'renames.', place = 'fields.'): Map<string, string> =>
  new Map(
    fields.flatMap((field, index) => [
      [saved + field.savedKey, `${place}${index}.key`] as const,
      ...placesOf(field.fields, `${saved}${field.savedKey}.`, `${place}${index}.fields.`),
    ]),
  )

const inputOf = (draft: TypeDraft): unknown => ({
  ...draft,
  previewUrl: draft.previewUrl.trim() === '' ? null : draft.previewUrl.trim(),
  fields: draft.fields.map(fieldInputOf),
})

const fieldInputOf = (draft: FieldDraft): unknown => ({
  key: draft.key,
  type: draft.type,
  label: draft.label,
  help: draft.help,
  required: draft.required,
  unique: draft.unique,
  indexed: draft.indexed,
  hidden: draft.hidden,
  default: defaultOf(draft),
  ...optionsOf(draft),
})

/** A number is typed as text; what is none stays as it is, to be refused. */
const defaultOf = ({ type, default: value }: FieldDraft): unknown =>
  type === 'number' && typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value

/** Only the options that the type knows. */
const optionsOf = (draft: FieldDraft): object => {
  switch (draft.type) {
    case 'text':
    case 'textarea':
    case 'richtext':
    case 'markdown':
      return { ...numbers(draft, 'minLength', 'maxLength'), ...texts(draft, 'pattern') }
    case 'number':
      return { ...numbers(draft, 'min', 'max', 'step'), ...(draft.integer ? { integer: true } : {}) }
    case 'date':
    case 'datetime':
      return texts(draft, 'min', 'max')
    case 'select':
      return { options: choicesOf(draft) }
    case 'multiselect':
      return { options: choicesOf(draft), ...numbers(draft, 'minItems', 'maxItems') }
    case 'media':
      return { accept: draft.accept }
    case 'gallery':
      return { accept: draft.accept, ...numbers(draft, 'minItems', 'maxItems') }
    case 'reference':
      return {
        to: draft.to,
        multiple: draft.multiple,
        ...(draft.multiple ? numbers(draft, 'minItems', 'maxItems') : {}),
      }
    case 'list':
      return { fields: draft.fields.map(fieldInputOf), ...numbers(draft, 'minItems', 'maxItems') }
    case 'url':
      return { protocols: draft.protocols }
    case 'boolean':
    case 'json':
    case 'color':
    case 'email':
      return {}
  }
}

type TypedOption = 'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'minItems' | 'maxItems' | 'pattern'

const texts = (draft: FieldDraft, ...names: TypedOption[]): object =>
  Object.fromEntries(names.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, draft[name].trim()]])))

const numbers = (draft: FieldDraft, ...names: TypedOption[]): object =>
  Object.fromEntries(Object.entries(texts(draft, ...names)).map(([name, text]) => [name, Number(text)]))

const choicesOf = ({ choices }: FieldDraft) => choices.map(({ value, label }) => ({ value, label }))

/** What the schema would only say in a programmer's words. */
const typedProblems = (draft: TypeDraft): FieldProblem[] => [
  ...(draft.label.trim() === '' ? [{ key: 'label', message: 'Enter a label.' }] : []),
  ...(draft.name === '' ? [{ key: 'name', message: 'Enter a name for addresses.' }] : []),
  ...draft.fields.flatMap((field, index) => fieldProblems(field, `fields.${index}.`)),
]

const fieldProblems = (field: FieldDraft, prefix: string): FieldProblem[] => {
  const options = optionsOf(field)
  const wrong = Object.entries(options).filter(([, value]) => Number.isNaN(value))
  return [
    ...(field.key === '' && field.label.trim() === '' ? [{ key: `${prefix}label`, message: 'Enter a label.' }] : []),
    ...(field.key === '' ? [{ key: `${prefix}key`, message: 'Enter a key: the name of the value in the API.' }] : []),
    ...wrong.map(([name]) => ({ key: prefix + name, message: 'Enter a number, or nothing.' })),
    ...('to' in options && field.to === '' ? [{ key: `${prefix}to`, message: 'Choose a content type.' }] : []),
    ...('options' in options && field.choices.length === 0
      ? [{ key: `${prefix}options`, message: 'Add a choice.' }]
      : []),
    ...('fields' in options
      ? field.fields.flatMap((inner, index) => fieldProblems(inner, `${prefix}fields.${index}.`))
      : []),
  ]
}

const firstOfEach = (problems: readonly FieldProblem[]): FieldProblem[] =>
  [...new Map(problems.toReversed().map((problem) => [problem.key, problem])).values()].toReversed()
