import type { Json } from '../../people/call-route/call-route.ts'
import { cleanContent, isList, MAX_STRING } from './clean.ts'

export const MAX_RESULT = 24_000

type Members = { readonly [member: string]: Json }

/** The JSON that a model reads of a result: marked as content, cleaned, and never longer than the limit. */
export const fitResult = (result: Members, offset = 0): string => {
  const { value, isCut, hasHidden } = cleanContent(result)
  const cleaned = value as Members
  const hints = [...(isCut ? [CUT_TEXTS] : []), ...(hasHidden ? [HIDDEN] : [])]
  const whole = write(cleaned, hints, isCut)
  if (whole.length <= MAX_RESULT) return whole
  return fewerRows(cleaned, offset, hints) ?? shorter(cleaned, hints)
}

const CUT_TEXTS = `Texts over ${MAX_STRING} characters were cut (they end with …): never replace a text that you have not read whole.`
const HIDDEN = 'Comments and invisible parts of texts are not shown: whoever replaces such a text removes them.'

const write = (members: Members, hints: readonly string[], truncated = true): string =>
  JSON.stringify({
    ...members,
    ...(truncated && { truncated }),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
    _untrusted: true,
  })

/** Without the last rows of the longest list, as many as it takes; null where that is not enough. */
const fewerRows = (members: Members, offset: number, hints: readonly string[]): string | null => {
  const [key, rows] = longestList(members)
  if (key === null || rows.length < 2) return null
  const isPaged = 'nextOffset' in members
  const withRows = (count: number): string => {
    const shown = { ...members, [key]: rows.slice(0, count), ...(isPaged && { nextOffset: offset + count }) }
    const next = isPaged ? `Ask again with offset ${offset + count}.` : 'The others are not shown.'
    return write(shown, [...hints, `Only ${count} of these ${rows.length} ${key} fit. ${next}`])
  }
  // Rows differ in length: the largest number that fits is found by halving.
  let [fits, tooMany] = [0, rows.length]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (withRows(middle).length <= MAX_RESULT) fits = middle
    else tooMany = middle
  }
  return fits === 0 ? null : withRows(fits)
}

const longestList = (members: Members): [string | null, readonly Json[]] => {
  const lists = Object.entries(members).filter((entry): entry is [string, readonly Json[]] => isList(entry[1]))
  const sized = lists.map(([key, rows]) => ({ key, rows, size: JSON.stringify(rows).length }))
  const [longest] = sized.sort((a, b) => b.size - a.size)
  return longest ? [longest.key, longest.rows] : [null, []]
}

/** How long texts may still be, and how many members a list or an object may have. */
const STEPS: readonly (readonly [text: number, members: number])[] = [
  [2_000, 1_000],
  [1_000, 500],
  [500, 200],
  [250, 100],
  [120, 50],
  [60, 20],
  [30, 10],
  [20, 5],
  [10, 3],
]

/** One record that is too long by itself: everywhere the beginning of it. */
const shorter = (members: Members, hints: readonly string[]): string => {
  const allHints = [...hints, 'The record is long: longer texts and lists show their beginning only.']
  for (const [text, most] of STEPS) {
    const cut = first(cleanContent(members, text).value, most)
    const written = write(cut as Members, allHints)
    if (written.length <= MAX_RESULT) return written
  }
  return write({}, ['The record is too long to be shown.'])
}

const first = (value: Json, most: number): Json => {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.slice(0, most).map((item) => first(item, most))
  const members = Object.entries(value).slice(0, Math.max(most, 20))
  return Object.fromEntries(members.map(([key, member]) => [key, first(member, most)]))
}
