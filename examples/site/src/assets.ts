import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Asset = { body: Buffer; type: string; etag: string; headers?: Readonly<Record<string, string>> }

const require = createRequire(import.meta.url)

export const assetOf = (body: Buffer, type: string, headers: Readonly<Record<string, string>> = {}): Asset => ({
  body,
  type,
  etag: `"${versionOf(body)}"`,
  headers,
})

const versionOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64url').slice(0, 22)

/** Ends with its version: a file at such an address never changes, so browsers keep it. */
export const addressOf = (path: string, { etag }: Asset): string => `${path}?v=${etag.slice(1, -1)}`

type Face = { family: string; package: string; file: string; style: string; weights: string; range: string }

// The ranges are those of the packages.
const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD'
const LATIN_EXT =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+0304, U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF'

/** Browsers load the ones that a page needs; for English text that is three. */
const faces: Face[] = [
  { family: 'EB Garamond', package: 'eb-garamond', style: 'normal', weights: '400 800' },
  { family: 'EB Garamond', package: 'eb-garamond', style: 'italic', weights: '400 800' },
  { family: 'Instrument Sans', package: 'instrument-sans', style: 'normal', weights: '400 700' },
].flatMap((face) => [
  { ...face, file: `${face.package}-latin-wght-${face.style}.woff2`, range: LATIN },
  { ...face, file: `${face.package}-latin-ext-wght-${face.style}.woff2`, range: LATIN_EXT },
])

/** The editor shows pages in a frame without an origin; fonts are refused there unless anybody may load them. */
const FOR_ALL = { 'access-control-allow-origin': '*' }

const fonts = new Map<string, Asset>(
  faces.map(({ package: name, file }) => {
    const path = require.resolve(`@fontsource-variable/${name}/files/${file}`)
    return [`/fonts/${file}`, assetOf(readFileSync(path), 'font/woff2', FOR_ALL)] as const
  }),
)

const faceRules = faces.map(({ family, file, style, weights, range }) => {
  const path = `/fonts/${file}`
  const asset = fonts.get(path)
  return `@font-face { font-family: "${family}"; font-style: ${style}; font-weight: ${weights}; font-display: swap; src: url("${asset ? addressOf(path, asset) : path}") format("woff2"); unicode-range: ${range}; }`
})

/** One file for browsers: later ones win. */
const STYLES = [
  'tokens',
  'base',
  'frame',
  'prose',
  'entries',
  'home',
  'books',
  'events',
  'articles',
  'search',
  'preferences',
]

const styles = STYLES.map((name) => readFileSync(new URL(`../public/styles/${name}.css`, import.meta.url), 'utf8'))

const style = assetOf(Buffer.from([...faceRules, ...styles].join('\n')), 'text/css; charset=utf-8')

/** The files of the site, by path. */
export const assets: ReadonlyMap<string, Asset> = new Map([['/style.css', style], ...fonts])

export const STYLE_URL = addressOf('/style.css', style)

/** What every page is set in: loaded at once, not only when the styles are there. */
export const FONT_URLS: readonly string[] = [...fonts].flatMap(([path, font]) =>
  path.endsWith('-latin-wght-normal.woff2') ? [addressOf(path, font)] : [],
)
