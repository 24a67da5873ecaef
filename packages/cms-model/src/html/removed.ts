import { parseHtml } from '@stoa/html/parse.ts'
import { childrenOf, type HtmlNode } from '@stoa/html/tree.ts'
import { byteLength } from '../fields/sizes.ts'
import { embedTag, imageTag, linkTag, playerTag } from './attributes.ts'
import { keptName } from './inline-content.ts'
import { EMBED_HOSTS, MAX_HTML_BYTES } from './policy.ts'

/** What cleaning takes out: things that someone would miss, and looks. */
export type RemovedKind =
  | 'embed'
  | 'image'
  | 'video'
  | 'audio'
  | 'link'
  | 'form'
  | 'drawing'
  | 'script'
  | 'object'
  | 'style'

/** The number of removals, and for embeds the host. */
export type Removed = { kind: RemovedKind; host: string | null; count: number }

/** What cleaning this HTML removes, the most common first. Text that only loses its element is not reported. */
export const removedFrom = (html: string, embedHosts: readonly string[] = []): Removed[] => {
  if (byteLength(html) > MAX_HTML_BYTES) return []
  const found = new Map<string, Removed>()
  const note = (kind: RemovedKind, host: string | null = null): void => {
    const key = `${kind} ${host}`
    const known = found.get(key) ?? { kind, host, count: 0 }
    found.set(key, { ...known, count: known.count + 1 })
  }
  const waiting = [parseHtml(html)]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'element' && !look(node, [...EMBED_HOSTS, ...embedHosts], note)) continue
    waiting.push(...childrenOf(node))
  }
  return [...found.values()].sort((a, b) => b.count - a.count)
}

/** In words: "1 embed from example.com", "inline styles". */
export const describeRemoved = (removed: readonly Removed[]): string[] =>
  removed.map(({ kind, host, count }) => {
    const [one, many] = words[kind]
    if (one === many) return one
    const from = host === null ? '' : ` from ${host}`
    return `${count} ${count === 1 ? one : many}${from}`
  })

const words: Readonly<Record<RemovedKind, readonly [one: string, many: string]>> = {
  embed: ['embed', 'embeds'],
  image: ['image without a valid URL', 'images without a valid URL'],
  video: ['video that is not in the media library', 'videos that are not in the media library'],
  audio: ['audio file that is not in the media library', 'audio files that are not in the media library'],
  link: ['link with an unsafe URL', 'links with an unsafe URL'],
  form: ['form field', 'form fields'],
  drawing: ['inline drawing', 'inline drawings'],
  script: ['script', 'scripts'],
  object: ['plug-in object', 'plug-in objects'],
  style: ['inline styles', 'inline styles'],
}

const dropped: Readonly<Record<string, RemovedKind>> = {
  script: 'script',
  style: 'style',
  object: 'object',
  embed: 'object',
  applet: 'object',
  svg: 'drawing',
  math: 'drawing',
  ...Object.fromEntries(['button', 'input', 'select', 'textarea', 'keygen'].map((tag) => [tag, 'form' as const])),
}

/** Notes what becomes of an element; false when its content goes with it. */
const look = (
  node: HtmlNode,
  hosts: readonly string[],
  note: (kind: RemovedKind, host?: string | null) => void,
): boolean => {
  if (keptName(node) === null) {
    const kind = dropped[node.name]
    if (kind !== undefined) note(kind)
    return false
  }
  if (node.attributes.some(({ name }) => name === 'style')) note('style')
  if (node.attributes.some(({ name }) => /^on[a-z]/.test(name))) note('script')
  if (node.name === 'iframe' && embedTag(node, hosts) === null) note('embed', hostOf(node))
  if (node.name === 'img' && imageTag(node) === null) note('image')
  if ((node.name === 'video' || node.name === 'audio') && playerTag(node) === null) note(node.name)
  const isLink = node.name === 'a' && node.attributes.some(({ name, value }) => name === 'href' && value.trim() !== '')
  if (isLink && linkTag(node) === null) note('link')
  return !['iframe', 'video', 'audio'].includes(node.name)
}

const hostOf = (node: HtmlNode): string | null => {
  const src = node.attributes.find(({ name }) => name === 'src')?.value ?? ''
  const base = 'https://relative.invalid'
  if (!URL.canParse(src, base)) return null
  const { hostname, origin } = new URL(src, base)
  return hostname === '' || origin === base ? null : hostname
}
