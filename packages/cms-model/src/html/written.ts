import { mediaAddress } from './media-address.ts'
import { EMBED_HOSTS, EMBED_SANDBOX, MAX_HTML_DEPTH, playerTags } from './policy.ts'
import { embedUrl, imageUrl, linkUrl } from './urls.ts'

/**
 * True for HTML that cleaning could have written: it has no other tags, attributes and addresses than cleaning leaves, and
 * each element ends inside the one that it began in. For every read of rich text, so it looks at the tags and parses nothing.
 * What was stored while the field was of another type is mostly not like this, and must be cleaned before anyone shows it.
 */
export const isWritten = (html: string): boolean => {
  if (html !== '' && !html.startsWith('<')) return false
  const open: string[] = []
  let end = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', end)) {
    end = html.indexOf('>', at) + 1
    const tag = html.slice(at + 1, Math.max(at, end - 1))
    if (tag.startsWith('/')) {
      if (open.pop() !== tag.slice(1)) return false
      continue
    }
    // Most tags have no attributes, and are known as they stand.
    const start = bare.has(tag) ? tag : startAt(html, at)
    if (start === null) return false
    if (!VOID.has(start) && open.push(start) > MAX_HTML_DEPTH) return false
  }
  return open.length === 0
}

/** The name of the tag that starts there; null when it is none that cleaning writes. */
const startAt = (html: string, at: number): string | null => {
  TAG.lastIndex = at
  const [, start, attributes = ''] = TAG.exec(html) ?? []
  return start !== undefined && isStart(start, attributes) ? start : null
}

/** Sticky: each match begins where the last `<` was found. */
const TAG = /<([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img'])

type Test = (value: string) => boolean

const isAnything: Test = () => true
const is =
  (...values: string[]): Test =>
  (value) =>
    values.includes(value)
const isNumber: Test = (value) => /^-?\d{1,7}$/.test(value)
const isRecordId: Test = (value) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
const isLanguage: Test = (value) => /^[A-Za-z0-9-]{1,90}$/.test(value)

/** Cleaning writes no other references to characters; with them an address could hide what it is. */
const decode = (value: string): string | null => {
  if (!value.includes('&')) return value
  return /&(?!(?:amp|lt|gt|quot|nbsp);)/.test(value)
    ? null
    : value.replace(/&(amp|lt|gt|quot|nbsp);/g, (_whole, name: string) => CHARACTERS[name] ?? '')
}
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

/** What cleaning would leave as it is. */
const isKept =
  (keep: (value: string) => string | null): Test =>
  (value) => {
    const address = decode(value)
    return address !== null && (isPlainAddress(address) || keep(address) === address)
  }

/** Most addresses: what they are can be seen without parsing them. */
const isPlainAddress: Test = (address) =>
  address.length < 1000 && /^(?:https?:\/\/[a-z0-9]|\/(?!\/)|#)[\w\-.~:/?#@!$&'()*+,;=%]*$/i.test(address)

const isPlayer: Test = (value) => {
  const address = decode(value)
  return address !== null && embedUrl(address, EMBED_HOSTS) === address
}

const plain: Readonly<Record<string, Test>> = {}
const cell = { colspan: isNumber, rowspan: isNumber }
const size = { width: isNumber, height: isNumber }

/** The embed URL belongs to the service itself. */
const player: Readonly<Record<string, Test>> = {
  src: (value) => {
    const address = decode(value)
    return address !== null && mediaAddress(address)?.path === address
  },
  title: isAnything,
  'data-media-id': isRecordId,
  controls: is(''),
  preload: is('metadata'),
}

/** Every tag that cleaning writes, and the attributes it may have besides `lang` and `dir`. */
const tags: ReadonlyMap<string, Readonly<Record<string, Test>>> = new Map<string, Readonly<Record<string, Test>>>([
  ...'p h2 h3 h4 ul li blockquote pre hr figcaption table caption thead tbody tr details summary'
    .split(' ')
    .map((tag) => [tag, plain] as const),
  ...'strong em u s sub sup mark br'.split(' ').map((tag) => [tag, plain] as const),
  ['ol', { start: isNumber }],
  ['code', { class: (value) => /^language-[A-Za-z0-9+#.-]{1,40}$/.test(value) }],
  ['figure', { 'data-align': is('left', 'center', 'right', 'wide') }],
  ['th', { ...cell, scope: is('row', 'col', 'rowgroup', 'colgroup') }],
  ['td', cell],
  [
    'a',
    {
      href: isKept(linkUrl),
      'data-entry-id': isRecordId,
      title: isAnything,
      hreflang: isLanguage,
      target: is('_blank'),
      rel: is('noopener noreferrer'),
    },
  ],
  [
    'img',
    {
      ...size,
      src: isKept(imageUrl),
      alt: isAnything,
      title: isAnything,
      'data-media-id': isRecordId,
      loading: is('lazy', 'eager'),
    },
  ],
  ['video', { ...player, ...size }],
  ['audio', player],
  [
    'iframe',
    {
      ...size,
      src: isPlayer,
      title: isAnything,
      allowfullscreen: is(''),
      loading: is('lazy'),
      sandbox: is(EMBED_SANDBOX),
      allow: isAnything,
    },
  ],
])

/** Tags that need no attribute. */
const bare: ReadonlySet<string> = new Set([...tags.keys()].filter((tag) => !playerTags.has(tag)))

const isStart = (tag: string, attributes: string): boolean => {
  const tests = tags.get(tag)
  if (tests === undefined) return false
  if (attributes === '') return !playerTags.has(tag)
  if (playerTags.has(tag) && tag !== 'iframe' && !attributes.includes(' data-media-id="')) return false
  // Without its sandbox a player could do more than cleaning lets it, and a new window could reach back.
  if (tag === 'iframe' && !attributes.includes(' sandbox="')) return false
  if (attributes.includes(' target="') && !attributes.includes(' rel="')) return false
  ATTRIBUTE.lastIndex = 0
  for (let found = ATTRIBUTE.exec(attributes); found; found = ATTRIBUTE.exec(attributes)) {
    const [, name = '', value = ''] = found
    const test = Object.hasOwn(tests, name) ? tests[name] : anywhere.get(name)
    if (!test?.(value)) return false
  }
  return true
}

const anywhere: ReadonlyMap<string, Test> = new Map([
  ['lang', isLanguage],
  ['dir', is('ltr', 'rtl', 'auto')],
])
