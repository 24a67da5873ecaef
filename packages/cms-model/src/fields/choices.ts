import { z } from 'zod'
import { problem } from './checks.ts'
import type { Problem } from './define.ts'

/** A longer list of choices is a content type, to be referred to. */
const MAX_CHOICES = 500

const choice = z
  .strictObject({
    value: z
      .string()
      .min(1, 'must not be empty')
      .max(200, 'must have at most 200 characters')
      .regex(/^\P{Cc}*$/u, 'must be on one line'),
    /** The value itself, when it is left out. */
    label: z.string().trim().max(200, 'must have at most 200 characters').default(''),
  })
  .overwrite(({ value, label }) => ({ value, label: label === '' ? value : label }))

export const choices = z
  .array(choice)
  .min(1, 'must have at least one choice')
  .max(MAX_CHOICES, `must have at most ${MAX_CHOICES} choices`)
export type Choice = z.infer<typeof choice>

/** Each value once. */
export const checkChoices = (options: readonly Choice[]): Problem[] => {
  const seen = new Set<string>()
  return options.flatMap(({ value }, index) => {
    if (seen.has(value)) return problem(`options.${index}.value`, 'is used twice')
    seen.add(value)
    return []
  })
}

export const checkChoice = (value: unknown, options: readonly Choice[], path: string): Problem[] =>
  options.some((option) => option.value === value) ? [] : problem(path, `must be one of ${namesOf(options)}`)

/** What people call the choice. */
export const labelOf = (value: unknown, options: readonly Choice[]): string =>
  options.find((option) => option.value === value)?.label ?? ''

/** The value of the choice with this value or label, whatever the case of its letters. */
export const choiceCalled = (name: string, options: readonly Choice[]): string | undefined => {
  const isSame = (own: string) => own.toLowerCase() === name.toLowerCase()
  return options.find(({ value, label }) => isSame(value) || isSame(label))?.value
}

const namesOf = (options: readonly Choice[]): string => {
  const names = options.slice(0, 10).map(({ value }) => value)
  return options.length > names.length ? `${names.join(', ')} …` : names.join(', ')
}
