import { formatBytes } from '@stoa/ui/text/format.ts'
import { type Letter, textOf, usedFiles } from './letter.ts'
import { estimatedSize, MAX_FILE_BYTES, MAX_MESSAGE_BYTES, promisesFile } from './limits.ts'
import { MAX_RECIPIENTS, problemOf, RECIPIENT_FIELDS } from './recipients/recipients.ts'
import type { FieldProblems } from './windows.ts'

export type Question = 'no-subject' | 'no-file' | 'failed-file'

/** Errors that prevent sending, by field; empty when there are none. */
export const problemsOf = (letter: Letter): FieldProblems => {
  const problems: FieldProblems = {}
  const count = RECIPIENT_FIELDS.reduce((sum, field) => sum + letter[field].length, 0)
  if (count === 0) problems.to = 'Add at least one recipient.'
  if (count > MAX_RECIPIENTS)
    problems.to = `You can send to up to ${MAX_RECIPIENTS} recipients; this message has ${count}.`
  for (const field of RECIPIENT_FIELDS) {
    const wrong = letter[field].map(({ email }) => problemOf(email)).find((problem) => problem !== null)
    if (wrong) problems[field] = wrong
  }
  if (estimatedSize(letter) > MAX_MESSAGE_BYTES)
    problems.files = `The attachments are too large. The limit is ${formatBytes(MAX_FILE_BYTES)}.`
  return problems
}

/** Things a person may have forgotten. */
export const questionsOf = (letter: Letter): Question[] => {
  const files = usedFiles(letter)
  const isMissing = files.every(({ contentId }) => contentId !== null) && promisesFile(letter.subject, textOf(letter))
  return [
    ...(letter.subject.trim() === '' ? (['no-subject'] as const) : []),
    ...(files.some(({ state }) => state === 'failed') ? (['failed-file'] as const) : []),
    ...(isMissing ? (['no-file'] as const) : []),
  ]
}
