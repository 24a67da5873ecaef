import { z } from 'zod'
import { isNothing } from './checks.ts'
import { checkChoice, checkChoices, choices, labelOf } from './choices.ts'
import { defineField, noLinks } from './define.ts'

/** One of a declared set of options. */
export const select = defineField({
  type: 'select',
  options: z.strictObject({ options: choices }),
  checkOptions: ({ options }) => checkChoices(options),
  empty: () => null,
  isEmpty: isNothing,
  check: (value, { options }, path) => (value === null ? [] : checkChoice(value, options, path)),
  clean: (value) => (value === '' ? null : value),
  links: noLinks,
  text: (value, { options }) => labelOf(value, options),
  scalar: 'text',
})
