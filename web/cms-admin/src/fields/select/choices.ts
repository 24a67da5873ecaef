import type { Choice } from '@stoa/cms-model/fields/choices.ts'

// More, or longer ones, are easier to find in a list
const FEW = 5
const SHORT = 40

/** Whether all choices can be in sight at once. */
export const isFewChoices = (options: readonly Choice[]): boolean =>
  options.length <= FEW && options.every(({ label }) => label.length <= SHORT)

// About three lines of chips
const CHIPS = 16

/** Whether a set to choose several of needs a search. */
export const needsSearch = (options: readonly Choice[]): boolean => options.length > CHIPS

/** The choices whose label or value has all these words. */
export const findChoices = (options: readonly Choice[], words: string): readonly Choice[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return options.filter(({ label, value }) => {
    const text = `${label} ${value}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** The set with one choice more or less, in the order of the choices. */
export const toggleChoice = (options: readonly Choice[], chosen: readonly unknown[], value: string): string[] =>
  options
    .map((option) => option.value)
    .filter((option) => (option === value ? !chosen.includes(value) : chosen.includes(option)))
