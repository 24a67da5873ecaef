import { z } from 'zod'
import {
  checkLength,
  checkString,
  checkTextOptions,
  isNoText,
  numberAsText,
  onOneLine,
  problem,
  searchable,
  textOptions,
} from '../checks.ts'
import { defineField, noLinks } from '../define.ts'
import { textNarrows } from '../narrowing.ts'

/** More does not fit on a line. */
const MAX_LENGTH = 10_000

/** A single line. */
export const text = defineField({
  type: 'text',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  narrows: textNarrows,
  empty: () => '',
  isEmpty: isNoText,
  check: (value, options, path) => {
    const problems = checkString(value, path)
    if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
    if (/[\r\n]/.test(value)) return problem(path, 'must be on one line')
    if (value.length > MAX_LENGTH) return problem(path, `must have at most ${MAX_LENGTH} characters`)
    return checkLength(value, options, path)
  },
  clean: onOneLine,
  adopt: numberAsText,
  links: noLinks,
  text: searchable,
  comparesAs: 'text',
  fromCell: (cell) => cell.replace(/\s+/g, ' '),
  typescript: () => 'string',
  writing: 'text',
})
