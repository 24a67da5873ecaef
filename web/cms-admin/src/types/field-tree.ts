import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { FieldDraft } from './draft.ts'

/** The way to a field by ids, through the lists that it is in; empty for the fields of the type itself. */
export type FieldPath = readonly string[]

export const fieldAt = (fields: readonly FieldDraft[], path: FieldPath): FieldDraft | undefined => {
  const [id, ...rest] = path
  const field = fields.find((candidate) => candidate.id === id)
  return rest.length === 0 ? field : field && fieldAt(field.fields, rest)
}

/** The fields of the list at a path, or of the type. */
export const fieldsBelow = (fields: readonly FieldDraft[], path: FieldPath): readonly FieldDraft[] =>
  path.length === 0 ? fields : (fieldAt(fields, path)?.fields ?? [])

/** All fields, with those below the path replaced. */
export const changeBelow = (
  fields: readonly FieldDraft[],
  path: FieldPath,
  change: (below: readonly FieldDraft[]) => FieldDraft[],
): FieldDraft[] => {
  const [id, ...rest] = path
  if (id === undefined) return change(fields)
  return fields.map((field) =>
    field.id === id ? { ...field, fields: changeBelow(field.fields, rest, change) } : field,
  )
}

/** All fields, with the one at the path replaced. */
export const changeAt = (
  fields: readonly FieldDraft[],
  path: FieldPath,
  change: (field: FieldDraft) => FieldDraft,
): FieldDraft[] =>
  changeBelow(fields, path.slice(0, -1), (below) =>
    below.map((field) => (field.id === path.at(-1) ? change(field) : field)),
  )

export const moveItem = <T>(items: readonly T[], from: number, to: number): T[] => {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** How problems name the field at the path: `fields.2.fields.0.`; empty when it is gone. */
export const problemPrefix = (fields: readonly FieldDraft[], path: FieldPath): string => {
  const [id, ...rest] = path
  const index = fields.findIndex((field) => field.id === id)
  if (index === -1) return ''
  const own = `fields.${index}.`
  return rest.length === 0 ? own : own + problemPrefix(fields[index]?.fields ?? [], rest)
}

/** The field that a problem is about, as deep as it goes; empty when it is about the type. */
export const pathOfProblem = (fields: readonly FieldDraft[], key: string): string[] => {
  const [, index, rest = ''] = /^fields\.(\d+)(?:\.(.*))?$/.exec(key) ?? []
  const field = index === undefined ? undefined : fields[Number(index)]
  return field ? [field.id, ...pathOfProblem(field.fields, rest)] : []
}

/** Problems of one place, with their keys below it. */
export const problemsIn = (problems: readonly FieldProblem[], prefix: string): FieldProblem[] =>
  problems
    .filter(({ key }) => key.startsWith(prefix) || `${key}.` === prefix)
    .map(({ key, message }) => ({ key: key.slice(prefix.length), message }))
