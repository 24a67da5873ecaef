import { type FieldActionName, type FieldAssistantInput, MAX_FIELD_TEXT } from '@stoa/cms-model/assistant.ts'
import type { Writing } from '@stoa/cms-model/fields/define.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'
import { joinLines, type SelectedPart } from '../fields/field-selection.ts'

/** The text to work on: a whole field, or the selected part. */
export type Subject = {
  fieldType: Writing | 'formatted'
  entryId: string | undefined
  /** The full value, as the field holds it. */
  whole: string
  /** Null: all of it. */
  part: SelectedPart | null
  maxLength: number | undefined
  options: readonly { value: string; label: string }[]
}

export type Choice = Pick<FieldAssistantInput, 'action' | 'instruction' | 'tone' | 'targetLocale'>

export const subjectOf = (
  field: Field,
  value: unknown,
  given: Pick<Subject, 'entryId' | 'part'> & { isFormatted: boolean },
): Subject => ({
  fieldType: given.isFormatted ? 'formatted' : textTypeOf(field),
  entryId: given.entryId,
  whole: typeof value === 'string' ? value : '',
  part: given.part,
  maxLength: 'maxLength' in field ? field.maxLength : undefined,
  options: 'options' in field ? field.options : [],
})

const textTypeOf = (field: Field): Subject['fieldType'] => typeOf(field).writing ?? 'text'

const plainOf = ({ fieldType }: Subject, content: string): string =>
  fieldType === 'richtext' || fieldType === 'formatted' ? textOfHtml(content) : content

/** The text that the suggestion is compared with. */
export const beforeOf = ({ part, whole }: Subject): string => part?.content ?? whole

export const isBlank = (subject: Subject): boolean => plainOf(subject, beforeOf(subject)).trim() === ''

/** More than is sent at once: a part has to be selected. */
export const isTooLong = (subject: Subject): boolean => beforeOf(subject).length > MAX_FIELD_TEXT

/** The request to the service. */
export const requestFor = (subject: Subject, choice: Choice): FieldAssistantInput => {
  const { fieldType, part, whole, entryId } = subject
  const text = plainOf(subject, whole)
  const limit = limitOf(subject)
  return {
    ...choice,
    fieldType,
    // The text around the selected part gives context, as far as it fits
    text: text.length > MAX_FIELD_TEXT ? plainOf(subject, beforeOf(subject)) : text,
    ...(part ? { selection: part.content } : fieldType === 'richtext' ? { html: whole } : {}),
    ...(entryId === undefined ? {} : { entryId }),
    ...(limit === undefined ? {} : { limit }),
    ...(fieldType === 'select' ? { options: namesOf(subject) } : {}),
  }
}

/** The maximum length of the suggestion: for a part, what the rest of the text leaves of the field's limit. */
export const limitOf = (subject: Subject): number | undefined => {
  const { maxLength, whole, part } = subject
  if (maxLength === undefined) return undefined
  const around = part ? plainOf(subject, whole).length - plainOf(subject, part.content).length : 0
  return Math.max(1, maxLength - around)
}

/** Names say more than values; where two are the same they say too little. */
const namesOf = ({ options }: Subject): string[] => {
  const labels = options.map(({ label }) => label)
  return new Set(labels).size === labels.length ? labels : options.map(({ value }) => value)
}

/** The value that a suggestion stands for. */
export const valueFor = (subject: Subject, suggestion: string): string => {
  if (subject.fieldType !== 'select') return subject.part?.replaced(suggestion) ?? suggestion
  return subject.options[namesOf(subject).indexOf(suggestion)]?.value ?? suggestion
}

/** The whole value with the suggestion below what it is about. */
export const belowOf = ({ part, whole, fieldType }: Subject, suggestion: string): string => {
  if (part) return part.followedBy(suggestion)
  return fieldType === 'richtext' ? whole + suggestion : joinLines(whole, suggestion)
}

/** On a single line there is no below. */
export const hasBelow = (subject: Subject): boolean =>
  ['textarea', 'richtext', 'markdown'].includes(subject.fieldType) && subject.whole.trim() !== ''

type ActionChoice = { action: FieldActionName; label: string }

const rewording: readonly ActionChoice[] = [
  { action: 'rewrite', label: 'Rewrite' },
  { action: 'shorten', label: 'Shorten' },
  { action: 'expand', label: 'Expand' },
  { action: 'fix', label: 'Fix spelling' },
]

const summing: readonly ActionChoice[] = [
  { action: 'summarise', label: 'Summarize' },
  { action: 'title', label: 'Suggest a title' },
]

/** The one-press actions for a text. An empty field has nothing to reword, but its entry can be read. */
export const actionsFor = (subject: Subject): readonly ActionChoice[] => {
  if (subject.fieldType === 'select') return []
  if (!isBlank(subject)) return [...rewording, ...summing]
  return subject.entryId === undefined ? [] : summing
}
