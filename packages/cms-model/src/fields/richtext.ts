import { z } from 'zod'
import { cleanHtml } from '../html/clean.ts'
import { isMarkup, paragraphsOf } from '../html/plain.ts'
import { mediaIdsOf, showsMedia, textOfHtml } from '../html/text.ts'
import { isWritten } from '../html/written.ts'
import {
  checkBytes,
  checkLength,
  checkString,
  checkTextOptions,
  MAX_SEARCH_TEXT,
  numberAsText,
  problem,
  textOptions,
} from './checks.ts'
import { defineField, type Problem } from './define.ts'

type Options = z.infer<z.ZodObject<typeof textOptions>>

const check = (value: unknown, options: Options, path: string): Problem[] => {
  // What cleaning leaves of a text that does not fit: nothing that could be stored by mistake.
  if (value === null) return problem(path, 'is longer than 1 MB: split it')
  const problems = checkString(value, path)
  if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
  const tooLong = checkBytes(value, path)
  if (tooLong.length > 0) return tooLong
  const { minLength, maxLength, pattern } = options
  const isMeasured = [minLength, maxLength, pattern].some((option) => option !== undefined)
  return isMeasured ? checkLength(textOfHtml(value), options, path) : []
}

/** Text that was stored while the field was of another type has not been cleaned: it may be anything. */
const adopt = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value : numberAsText(value)
  if (text === undefined || (typeof value === 'string' && isWritten(value))) return undefined
  return cleanHtml(isMarkup(text) ? text : paragraphsOf(text)) ?? undefined
}

/** Formatted writing, stored as cleaned HTML. Lengths and patterns are about its text. */
export const richtext = defineField({
  type: 'richtext',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  empty: () => '',
  isEmpty: (value) => typeof value !== 'string' || (!showsMedia(value) && textOfHtml(value) === ''),
  check,
  clean: (value, _options, site) => (typeof value === 'string' ? cleanHtml(value, site.embedHosts) : value),
  adopt,
  read: (value, options) => {
    const html = typeof value === 'string' && isWritten(value) ? value : adopt(value)
    return html !== undefined && check(html, options, '').length === 0 ? html : ''
  },
  links: (value) => ({ media: typeof value === 'string' ? mediaIdsOf(value) : [], entries: [] }),
  text: (value) => (typeof value === 'string' ? textOfHtml(value).slice(0, MAX_SEARCH_TEXT) : ''),
})
