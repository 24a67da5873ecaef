import { z } from 'zod'
import { plainText } from '../html/escape.ts'
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

/** Plain multi-line text. */
export const textarea = defineField({
  type: 'textarea',
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
  clean: (value) => (typeof value === 'string' ? plainText(value) : value),
  adopt: numberAsText,
  links: noLinks,
  text: searchable,
})
