import { z } from 'zod'
import { checkCount, checkCountOptions, countOptions, isNoItem } from './checks.ts'
import { checkChoice, checkChoices, choices, labelOf } from './choices.ts'
import { defineField, noLinks } from './define.ts'

/** Several of the declared options, each once. */
export const multiselect = defineField({
  type: 'multiselect',
  options: z.strictObject({ options: choices, ...countOptions }),
  checkOptions: (options) => [...checkChoices(options.options), ...checkCountOptions(options)],
  empty: () => [],
  isEmpty: isNoItem,
  check: (value, options, path) => {
    const problems = checkCount(value, options, path)
    if (problems.length > 0 || !Array.isArray(value)) return problems
    return value.flatMap((item, index) => checkChoice(item, options.options, `${path}.${index}`))
  },
  clean: (value) => (Array.isArray(value) ? [...new Set(value)] : value),
  adopt: (value, { options }) => (options.some((option) => option.value === value) ? [value] : undefined),
  read: (value, { options }) =>
    (Array.isArray(value) ? value : [value]).filter((item) => options.some((option) => option.value === item)),
  links: noLinks,
  text: (value, { options }) =>
    Array.isArray(value)
      ? value
          .map((item) => labelOf(item, options))
          .filter((label) => label !== '')
          .join(' ')
      : '',
})
