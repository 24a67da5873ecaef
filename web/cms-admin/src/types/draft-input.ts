import { type ContentTypeInput, contentTypeInput } from '@stoa/cms-model/content-types.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { scalarOf } from '@stoa/cms-model/fields/field.ts'
import type { Renames } from '@stoa/cms-model/fields/renames.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { sentence } from '@stoa/ui/request/request.ts'
import { viewOf } from '../fields/index.ts'
import type { FieldDraft, TypeDraft } from './draft.ts'
import { optionProblems, writeOptions } from './field-options.ts'

/** The request body for the service, with the saved fields that were renamed. */
export type ReadType = { input: ContentTypeInput; renames: Renames }

/** The request body, or the errors by the keys that the service uses. */
export const readDraft = (draft: TypeDraft): ReadType | { problems: FieldProblem[] } => {
  const mistakes = typedProblems(draft)
  const parsed = contentTypeInput.safeParse(inputOf(draft), { error: issueText })
  if (parsed.success && mistakes.length === 0) return { input: parsed.data, renames: renamesIn(draft.fields) }
  const refused = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ key: path.join('.'), message: sentence(message) }))
  return { problems: firstOfEach([...mistakes, ...refused]) }
}

/** Renames by the current paths of the fields; a new field has no old key. */
const renamesIn = (fields: readonly FieldDraft[], prefix = ''): Renames =>
  Object.assign(
    {},
    ...fields
      .filter(({ savedKey }) => savedKey !== '')
      .map((field) => ({
        ...(field.key !== field.savedKey && { [prefix + field.savedKey]: prefix + field.key }),
        ...renamesIn(innerFields(field), `${prefix}${field.savedKey}.`),
      })),
  )

/** Shows a refused rename at the key of its field. */
export const renameProblems = (fields: readonly FieldDraft[], problems: readonly FieldProblem[]): FieldProblem[] => {
  const keys = inputKeys(fields)
  return problems.map((problem) => ({ ...problem, key: keys.get(problem.key) ?? problem.key }))
}

const inputKeys = (fields: readonly FieldDraft[], saved = 'renames.', prefix = 'fields.'): Map<string, string> =>
  new Map(
    fields.flatMap((field, index) => [
      [saved + field.savedKey, `${prefix}${index}.key`] as const,
      ...inputKeys(field.fields, `${saved}${field.savedKey}.`, `${prefix}${index}.fields.`),
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
  ...writeOptions(draft),
  ...(viewOf(draft).hasFields && { fields: draft.fields.map(fieldInputOf) }),
})

/** A number is typed as text; what is none stays as it is, to be refused. */
const defaultOf = ({ type, default: value }: FieldDraft): unknown =>
  isNumber(type) && typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value

const isNumber = (type: FieldType): boolean => scalarOf({ type }) === 'number'

/** Inner fields only count for types that have them: a draft may keep some from an earlier type. */
const innerFields = (draft: FieldDraft): readonly FieldDraft[] => (viewOf(draft).hasFields ? draft.fields : [])

/** Errors that the schema would only report in technical words. */
const typedProblems = (draft: TypeDraft): FieldProblem[] => [
  ...(draft.label.trim() === '' ? [{ key: 'label', message: 'Enter a label.' }] : []),
  ...(draft.name === '' ? [{ key: 'name', message: 'Enter a name. It is used in URLs.' }] : []),
  ...draft.fields.flatMap((field, index) => fieldProblems(field, `fields.${index}.`)),
]

const fieldProblems = (field: FieldDraft, prefix: string): FieldProblem[] => [
  ...(field.key === '' && field.label.trim() === '' ? [{ key: `${prefix}label`, message: 'Enter a label.' }] : []),
  ...(field.key === ''
    ? [{ key: `${prefix}key`, message: "Enter a key. It's the name of the field in the API." }]
    : []),
  ...optionProblems(field).map(({ key, message }) => ({ key: prefix + key, message })),
  ...innerFields(field).flatMap((inner, index) => fieldProblems(inner, `${prefix}fields.${index}.`)),
]

const firstOfEach = (problems: readonly FieldProblem[]): FieldProblem[] =>
  [...new Map(problems.toReversed().map((problem) => [problem.key, problem])).values()].toReversed()
