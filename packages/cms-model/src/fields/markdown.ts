import { z } from 'zod'
import {
  checkBytes,
  checkLength,
  checkString,
  checkTextOptions,
  isNoText,
  numberAsText,
  searchable,
  textOptions,
} from './checks.ts'
import { defineField, noLinks } from './define.ts'

/** Markdown source, stored as written. */
export const markdown = defineField({
  type: 'markdown',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  empty: () => '',
  isEmpty: isNoText,
  check: (value, options, path) => {
    const problems = checkString(value, path)
    if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
    const tooLong = checkBytes(value, path)
    return tooLong.length > 0 ? tooLong : checkLength(value, options, path)
  },
  adopt: numberAsText,
  links: noLinks,
  text: searchable,
})
