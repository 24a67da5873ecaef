import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type FieldType, fieldTypes } from '@stoa/cms-model/fields/types/index.ts'
import type { DraftOptions, OptionDraft } from '../fields/field-view.ts'
import { viewOf } from '../fields/index.ts'
import { asStored } from '../fields/typed-options.ts'

type WithOptions = { readonly type: FieldType; readonly options: DraftOptions }

/** The options of a saved field, as the form of its type has them. */
export const readOptions = (field: Field): DraftOptions =>
  eachOption(field.type, (name, draft) => draft.read(Reflect.get(field, name)))

/** All options of the type: those that nobody has touched are as those of a new field. */
export const formOptions = ({ type, options }: WithOptions): DraftOptions =>
  eachOption(type, (name, draft) => options[name] ?? draft.blank)

/** The options to send: only those that the type knows and that are set. */
export const writeOptions = ({ type, options }: WithOptions): DraftOptions => {
  const form = formOptions({ type, options })
  const written = eachOption(type, (name, draft) => draft.write(form[name], form))
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
}

/** Keeps the options when the type changes, so that they return with it; those with another meaning in this type are reset. */
export const retypeOptions = (options: DraftOptions, type: FieldType): DraftOptions =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const draft = optionDraft(type, name)
      return [name, draft.startsAnew ? draft.blank : value]
    }),
  )

/** Errors that the schema would only report in technical words. */
export const optionProblems = (field: WithOptions): FieldProblem[] => {
  const unread = Object.entries(writeOptions(field)).filter(([, value]) => Number.isNaN(value))
  const wrong = Object.entries(formOptions(field)).flatMap(([key, value]) => {
    const message = optionDraft(field.type, key).problem?.(value)
    return message === undefined ? [] : [{ key, message }]
  })
  return [...unread.map(([key]) => ({ key, message: 'Enter a number, or leave it empty.' })), ...wrong]
}

const eachOption = (type: FieldType, of: (name: string, draft: OptionDraft) => unknown): DraftOptions =>
  Object.fromEntries(
    Object.keys(fieldTypes[type].options.shape)
      // Inner fields are drafts of their own
      .filter((name) => name !== 'fields')
      .map((name) => [name, of(name, optionDraft(type, name))]),
  )

const optionDraft = (type: FieldType, name: string): OptionDraft => viewOf({ type }).draft?.[name] ?? untouched

const untouched = asStored<unknown>(undefined)
