import { z } from 'zod'
import { checkCount, checkCountOptions, countOptions, isNoItem, readsOneByOne } from '../checks.ts'
import { checkChoice, checkChoices, choiceCalled, choices, labelOf } from '../choices.ts'
import { defineField, noLinks } from '../define.ts'
import { countNarrows, isShortened } from '../narrowing.ts'
import { choiceTypes } from '../typescript.ts'

/** Several of the declared options, each once. */
export const multiselect = defineField({
  type: 'multiselect',
  options: z.strictObject({ options: choices, ...countOptions }),
  checkOptions: (options) => [...checkChoices(options.options), ...checkCountOptions(options)],
  narrows: { options: isShortened, ...countNarrows },
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
  isMisfit: readsOneByOne,
  links: noLinks,
  text: (value, { options }) =>
    Array.isArray(value)
      ? value
          .map((item) => labelOf(item, options))
          .filter((label) => label !== '')
          .join(' ')
      : '',
  comparesAs: 'choices',
  fromCell: (cell, { options }) => cell.split(/[,;]/).flatMap((part) => choiceCalled(part.trim(), options) ?? []),
  typescript: (options) => {
    const alternatives = choiceTypes(options)
    return alternatives.length === 0 ? 'never[]' : `(${alternatives.join(' | ')})[]`
  },
  changeView: 'list',
})
