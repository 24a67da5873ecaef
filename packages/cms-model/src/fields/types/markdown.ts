import { z } from 'zod'
import { checkLongText, checkTextOptions, isNoText, numberAsText, searchable, textOptions } from '../checks.ts'
import { addressedIn, defineField } from '../define.ts'
import { textNarrows } from '../narrowing.ts'

/** Markdown source, stored as written. */
export const markdown = defineField({
  type: 'markdown',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  narrows: textNarrows,
  empty: () => '',
  isEmpty: isNoText,
  check: checkLongText,
  adopt: numberAsText,
  links: addressedIn,
  text: searchable,
  comparesAs: 'writing',
  fromCell: (cell) => cell,
  typescript: () => 'string',
  writing: 'markdown',
  changeView: 'markdown',
})
