import { z } from 'zod'
import { checkLongText, checkTextOptions, isNoText, numberAsText, searchable, textOptions } from './checks.ts'
import { addressedIn, defineField } from './define.ts'

/** Markdown source, stored as written. */
export const markdown = defineField({
  type: 'markdown',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  empty: () => '',
  isEmpty: isNoText,
  check: checkLongText,
  adopt: numberAsText,
  links: addressedIn,
  text: searchable,
})
