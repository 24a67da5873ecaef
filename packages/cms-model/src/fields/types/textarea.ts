import { z } from 'zod'
import { plainText } from '../../html/escape.ts'
import { checkLongText, checkTextOptions, isNoText, numberAsText, searchable, textOptions } from '../checks.ts'
import { addressedIn, defineField } from '../define.ts'
import { textNarrows } from '../narrowing.ts'

/** Plain multi-line text. */
export const textarea = defineField({
  type: 'textarea',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  narrows: textNarrows,
  empty: () => '',
  isEmpty: isNoText,
  check: checkLongText,
  clean: (value) => (typeof value === 'string' ? plainText(value) : value),
  adopt: numberAsText,
  links: addressedIn,
  text: searchable,
  comparesAs: 'writing',
  fromCell: (cell) => cell,
  typescript: () => 'string',
  writing: 'textarea',
})
