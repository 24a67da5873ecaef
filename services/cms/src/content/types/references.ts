import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'

/** A field that points to entries of a type. `path` finds it in the input, `key` in the type: `items.author`. */
export type Reference = { to: string; path: string; key: string }

/** Every reference field, also inside of lists. */
export const referencesIn = (fields: readonly Field[], path = 'fields', prefix = ''): Reference[] =>
  fields.flatMap((field, index) => {
    const key = prefix + field.key
    if ('to' in field) return [{ to: field.to, path: `${path}.${index}.to`, key }]
    return field.type === 'list' ? referencesIn(field.fields, `${path}.${index}.fields`, `${key}.`) : []
  })

/** References to types that do not exist. */
export const referenceProblems = (fields: readonly Field[], known: ReadonlySet<string>): FieldProblem[] =>
  referencesIn(fields)
    .filter(({ to }) => !known.has(to))
    .map(({ to, path }) => ({ key: path, message: `there is no content type '${to}': make it first` }))
