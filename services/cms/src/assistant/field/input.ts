import type { FieldActionName, FieldAssistantInput } from '@stoa/cms-model/assistant.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { cleanHtml } from '@stoa/cms-model/html/clean.ts'
import { cleanInline } from '@stoa/cms-model/html/inline.ts'
import { isMarkup, paragraphsOf } from '@stoa/cms-model/html/plain.ts'
import { textOfHtml } from '@stoa/cms-model/html/text.ts'
import { canonicalLocale } from '@stoa/cms-model/settings.ts'
import { failFields } from '../../errors.ts'
import { type FieldKind, fieldKinds, isFieldKind } from './clean.ts'

/** What the model works on, as the field would store it. */
export type Subject = {
  readonly kind: FieldKind
  /** Empty where something is written anew. */
  readonly content: string
  /** What stands around a part; empty when it is all there is. */
  readonly around: string
  readonly isPart: boolean
}

/** Actions that can read the whole entry where the field is empty. */
const READS_ENTRY: ReadonlySet<FieldActionName> = new Set(['title', 'summarise', 'custom'])

const AROUND = 4_000

/** What is asked for, once it makes sense. */
export const subjectOf = (input: FieldAssistantInput): Subject => {
  const problems = problemsOf(input)
  if (problems.length > 0) failFields(problems)
  const kind = input.action === 'alt' || !isFieldKind(input.fieldType) ? 'text' : input.fieldType
  const { selection, html, text } = input
  const isPart = selection !== undefined && selection.trim() !== ''
  const content = storedOf(kind, isPart ? selection : (kind === 'richtext' ? html : undefined) || text)
  const around = isPart && text.trim() !== selection.trim() ? text.slice(0, AROUND) : ''
  const isBlank = (kind === 'richtext' || kind === 'formatted' ? textOfHtml(content) : content).trim() === ''
  const needsText = input.action !== 'alt' && kind !== 'select'
  if (isBlank && needsText && !(READS_ENTRY.has(input.action) && (input.action === 'custom' || input.entryId)))
    failFields([{ key: 'text', message: 'must not be empty' }])
  return { kind, content: isBlank ? '' : content, around, isPart }
}

const storedOf = (kind: FieldKind, content: string): string => {
  if (kind === 'richtext') return cleanHtml(isMarkup(content) ? content : paragraphsOf(content)) ?? ''
  return kind === 'formatted' ? (cleanInline(content) ?? '') : content
}

const problemsOf = (input: FieldAssistantInput): FieldProblem[] => {
  const { action, fieldType, instruction, tone, targetLocale, mediaId, options } = input
  const missing = (key: string, value: string | undefined, what: string): FieldProblem[] =>
    value === undefined || value === '' ? [{ key, message: what }] : []
  return [
    ...(action === 'alt' || isFieldKind(fieldType)
      ? []
      : [{ key: 'fieldType', message: `must be one of ${fieldKinds.join(', ')}` }]),
    ...(action === 'custom' ? missing('instruction', instruction, 'must be an instruction') : []),
    ...(action === 'tone' ? missing('tone', tone, 'must be a tone like friendly') : []),
    ...(action === 'alt' ? missing('mediaId', mediaId, 'must be the ID of an image') : []),
    ...(action !== 'alt' && fieldType === 'select' && !options?.length
      ? [{ key: 'options', message: 'must list the options of the field' }]
      : []),
    ...(action === 'translate' ? missing('targetLocale', targetLocale, 'must be a language tag like de') : []),
    ...(targetLocale !== undefined && targetLocale !== '' && canonicalLocale(targetLocale) === null
      ? [{ key: 'targetLocale', message: 'must be a language tag like de' }]
      : []),
  ]
}
