import { z } from 'zod'
import { isNothing } from '../checks.ts'
import { checkChoice, checkChoices, choiceCalled, choices, labelOf } from '../choices.ts'
import { defineField, noLinks } from '../define.ts'
import { isShortened } from '../narrowing.ts'
import { choiceTypes } from '../typescript.ts'

/** One of a declared set of options. */
export const select = defineField({
  type: 'select',
  options: z.strictObject({ options: choices }),
  checkOptions: ({ options }) => checkChoices(options),
  narrows: { options: isShortened },
  empty: () => null,
  isEmpty: isNothing,
  check: (value, { options }, path) => (value === null ? [] : checkChoice(value, options, path)),
  clean: (value) => (value === '' ? null : value),
  links: noLinks,
  text: (value, { options }) => labelOf(value, options),
  comparesAs: 'text',
  storedRule: ({ options }) => ({ oneOf: options.map(({ value }) => value) }),
  fromCell: (cell, { options }) => choiceCalled(cell, options) ?? null,
  typescript: (options) => [...choiceTypes(options), 'null'].join(' | '),
  writing: 'select',
})
