import { z } from 'zod'
import { checkString, isNoText, problem, searchable, trimmed } from '../checks.ts'
import { addressedIn, defineField } from '../define.ts'
import { isShortened } from '../narrowing.ts'

const MAX_LENGTH = 2048
/** Run code or show a document of their own where a link is expected. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'blob',
  'file',
  'filesystem',
  'about',
])

const protocol = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]{0,30}$/, 'must be a protocol like https or mailto, without a colon')
  .refine((name) => !FORBIDDEN.has(name), "can't be used as a protocol of links")

/** A URL. `relative` among the protocols allows a path of the site, like /about. */
export const url = defineField({
  type: 'url',
  options: z.strictObject({
    protocols: z.array(protocol).min(1, 'must not be empty').max(20).default(['http', 'https', 'relative']),
  }),
  narrows: { protocols: isShortened },
  empty: () => '',
  isEmpty: isNoText,
  check: (value, { protocols }, path) => {
    const problems = checkString(value, path)
    if (problems.length > 0 || typeof value !== 'string' || value === '') return problems
    if (value.length > MAX_LENGTH) return problem(path, `must have at most ${MAX_LENGTH} characters`)
    return isAllowed(value, protocols) ? [] : problem(path, adviceFor(protocols))
  },
  clean: trimmed,
  links: addressedIn,
  text: searchable,
  comparesAs: 'text',
  fromCell: (cell) => cell,
  typescript: () => 'string',
})

const isAllowed = (text: string, protocols: readonly string[]): boolean => {
  // Browsers skip tabs and line breaks in an address and read a backslash as a slash.
  if (/[\p{Cc}\p{Z}\\<>"]/u.test(text)) return false
  if (text.startsWith('/')) return protocols.includes('relative') && !text.startsWith('//')
  const [, name = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/i.exec(text) ?? []
  const scheme = name.toLowerCase()
  if (scheme === '' || scheme === 'relative' || FORBIDDEN.has(scheme) || !protocols.includes(scheme)) return false
  const isWeb = scheme === 'http' || scheme === 'https'
  return (!isWeb || /^\/\/[^/]/.test(rest)) && rest !== '' && URL.canParse(text)
}

const adviceFor = (protocols: readonly string[]): string => {
  const starts = protocols.map((name) => {
    if (name === 'relative') return '/'
    return name === 'http' || name === 'https' ? `${name}://` : `${name}:`
  })
  return `must be a full URL that starts with ${starts.join(' or ')}`
}
