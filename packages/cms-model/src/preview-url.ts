import { z } from 'zod'

const MAX_LENGTH = 2000

/** What an address is made of. */
export type PreviewValues = { slug: string; id: string; locale: string | null; type: string }

const placeholders = ['slug', 'id', 'locale', 'type'] as const
const KNOWN = placeholders.map((name) => `{${name}}`).join(', ')

/** `{slug}` or `:slug`. At the start of a part of the path, or of a value, any `:word` is meant as one. */
const PLACEHOLDER = /\{([^{}]*)\}|(?<=[/=]):([a-zA-Z]\w*)|:(slug|id|locale|type)\b/g

/** An address template for the entries of a type: `/blog/{slug}` or `https://example.com/:locale/:slug`. */
export const previewUrl = z.string().superRefine((template, context) => {
  const message = previewUrlProblem(template)
  if (message !== null) context.addIssue({ code: 'custom', message })
})

/** What to change in a template that cannot be used, or null. */
export const previewUrlProblem = (template: string): string | null => {
  if (template.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  if (/[\p{Cc}\p{Z}\\<>"'`^|]/u.test(template)) return 'must not contain spaces, quotes or backslashes'
  const isPath = template.startsWith('/') && !template.startsWith('//')
  if (!isPath && !/^https?:\/\/[^/]/i.test(template)) return 'must start with /, http:// or https://'
  const unknown = [...template.matchAll(PLACEHOLDER)].find((match) => !isPlaceholder(nameOf(match)))
  if (unknown) return `contains ${unknown[0].slice(0, 50)}, but the only placeholders are ${KNOWN}`
  const rest = template.replace(PLACEHOLDER, 'x')
  if (/[{}$]/.test(rest)) return `contains an extra $ or brace; the only placeholders are ${KNOWN}`
  return isPath ? null : hostProblem(template, rest)
}

/** The address of an entry. A path is put behind the base, which is the address of the site. */
export const fillPreviewUrl = (template: string, values: PreviewValues, base: string): string =>
  compilePreviewUrl(template, base)(values)

/** `fillPreviewUrl` for many entries: the template is parsed once. */
export const compilePreviewUrl = (template: string, base: string): ((values: PreviewValues) => string) => {
  const site = base.replace(/\/+$/, '')
  const parts = partsOf(template)
  return (values) => {
    let filled = ''
    for (const { text, name } of parts) filled += text + (name === null ? '' : encodeURIComponent(values[name] ?? ''))
    if (!filled.startsWith('/')) return filled
    // An entry without a locale must not turn the path into the name of another host.
    return site + (filled.startsWith('//') ? filled.replace(/^\/+/, '/') : filled)
  }
}

/** What an address was made of, and how much of it the template itself says: more is a closer fit. */
export type ReadAddress = { values: Partial<PreviewValues>; fixed: number }

/** The other way round: null for an address that the template does not make. What follows a `#` or `?` does not count. */
export const readPreviewUrl = (template: string, base: string, address: string): ReadAddress | null => {
  const [page = ''] = template.split('#')
  const parts = partsOf(page.startsWith('/') ? base.replace(/\/+$/, '') + page : page)
  const pattern = parts.map(({ text, name }) => inPattern(text) + (name === null ? '' : '([^/?#&]+)')).join('')
  const match = new RegExp(`^${pattern.replace(/\/$/, '')}/?$`, 'i').exec(withoutQuery(address, page))
  if (!match) return null
  const values: Partial<PreviewValues> = {}
  for (const [index, { name }] of parts.entries()) if (name !== null) values[name] ??= decoded(match[index + 1] ?? '')
  return { values, fixed: parts.reduce((sum, { text }) => sum + text.length, 0) }
}

/** Escapes text for a pattern, percent-encoded as browsers write it in an address. */
const inPattern = (text: string): string =>
  text.replace(/[^\p{ASCII}]+/gu, encodeURIComponent).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const withoutQuery = (address: string, template: string): string => {
  const [page = ''] = address.split('#')
  return template.includes('?') ? page : (page.split('?')[0] ?? '')
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not written by us, and no value of ours
    return text
  }
}

/** Text and the placeholder after it. */
const partsOf = (template: string): { text: string; name: keyof PreviewValues | null }[] => {
  const parts: { text: string; name: keyof PreviewValues | null }[] = []
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const name = nameOf(match)
    if (!isPlaceholder(name)) continue
    parts.push({ text: template.slice(end, match.index), name })
    end = match.index + match[0].length
  }
  return [...parts, { text: template.slice(end), name: null }]
}

const nameOf = (match: RegExpExecArray): string => match[1] ?? match[2] ?? match[3] ?? ''

const isPlaceholder = (name: string): name is keyof PreviewValues => placeholders.some((known) => known === name)

/** Values must not choose the host. */
const hostProblem = (template: string, rest: string): string | null => {
  const host = /^https?:\/\/([^/?#]*)/i.exec(template)?.[1] ?? ''
  if (host.search(PLACEHOLDER) !== -1 || host.includes('@'))
    return 'must have a host name without placeholders and usernames'
  return URL.canParse(rest) ? null : 'must be a URL like https://example.com/{slug}'
}
