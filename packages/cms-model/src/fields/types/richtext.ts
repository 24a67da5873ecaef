import { z } from 'zod'
import { cleanHtml } from '../../html/clean.ts'
import { mediaIdsIn } from '../../html/media-address.ts'
import { isMarkup, paragraphsOf } from '../../html/plain.ts'
import { MAX_HTML_BYTES } from '../../html/policy.ts'
import { entryIdsOf, mediaIdsOf, showsMedia, textOfHtml } from '../../html/text.ts'
import { isWritten } from '../../html/written.ts'
import {
  checkLength,
  checkString,
  checkTextOptions,
  MAX_SEARCH_TEXT,
  numberAsText,
  problem,
  textOptions,
} from '../checks.ts'
import { defineField, type Problem } from '../define.ts'
import { textNarrows } from '../narrowing.ts'
import { isLongerThan } from '../sizes.ts'

const TOO_LONG = 'is larger than 1 MiB; split it into several entries or fields'

type Options = z.infer<z.ZodObject<typeof textOptions>>

const check = (value: unknown, options: Options, path: string): Problem[] => {
  // What cleaning leaves of a text that does not fit: nothing that could be stored by mistake.
  if (value === null) return problem(path, TOO_LONG)
  const problems = checkString(value, path)
  if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
  if (isLongerThan(value, MAX_HTML_BYTES)) return problem(path, TOO_LONG)
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

const read = (value: unknown, options: Options): string => {
  const html = typeof value === 'string' && isWritten(value) ? value : adopt(value)
  return html !== undefined && check(html, options, '').length === 0 ? html : ''
}

/** Formatted writing, stored as cleaned HTML. Lengths and patterns are about its text. */
export const richtext = defineField({
  type: 'richtext',
  options: z.strictObject(textOptions),
  checkOptions: checkTextOptions,
  narrows: textNarrows,
  empty: () => '',
  isEmpty: (value) => typeof value !== 'string' || (!showsMedia(value) && textOfHtml(value) === ''),
  check,
  clean: (value, _options, site) => (typeof value === 'string' ? cleanHtml(value, site.embedHosts) : value),
  adopt,
  read,
  isMisfit: (value, options) => value !== '' && read(value, options) === '',
  links: (value) =>
    typeof value === 'string'
      ? { media: mediaIdsOf(value), addressed: mediaIdsIn(value), linked: entryIdsOf(value) }
      : {},
  text: (value) => (typeof value === 'string' ? textOfHtml(value).slice(0, MAX_SEARCH_TEXT) : ''),
  comparesAs: 'writing',
  typescript: () => 'string',
  writing: 'richtext',
  changeView: 'richtext',
})
