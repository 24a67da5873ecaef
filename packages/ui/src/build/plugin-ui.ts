import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** Path of the style sheet in the built app; the service reads it from there. */
const FILE = 'ext/ui.css'

const read = (name: string): string => readFileSync(new URL(`../theme/${name}`, import.meta.url), 'utf8')

/**
 * The stylesheet that screens of plugins load: the tokens and base rules of this package as plain CSS, and looks for plain
 * elements. `fontUrl` gives the address of a font file by its name.
 */
const pluginStylesheet = (fontUrl: (name: string) => string | null): string =>
  [fontFaces(fontUrl), fromTokens(read('tokens.css')), read('plugin-elements.css')].join('\n')

/** Inputs of a plain page are controls without saying so. */
const CONTROL =
  ':is(.control, input:not([type="checkbox"], [type="radio"], [type="range"], [type="file"]), select, textarea)'

const KEYFRAMES = /@keyframes [\w-]+ \{(?:[^{}]*\{[^{}]*\})*\s*\}/g

const fromTokens = (source: string): string => {
  const start = source.indexOf('@theme static {')
  const end = closing(source, start)
  const theme = source.slice(start, end).replace('@theme static {', ':root {').replace('--*: initial;', '')
  if (start < 0 || /@(apply|utility|variant|tailwind|source)\b/.test(source.slice(end)))
    throw new Error("tokens.css doesn't have the structure that the plugin stylesheet is built from")
  return [
    '@layer theme, base, components;',
    `@layer theme { ${theme.replaceAll(KEYFRAMES, '')} }`,
    ...(theme.match(KEYFRAMES) ?? []),
    source.slice(end).replaceAll(/(?<![\w-])\.control(?![\w-])/g, CONTROL),
  ].join('\n')
}

/** Behind the brace that closes the first one from here on. */
const closing = (source: string, from: number): number => {
  let depth = 0
  for (let at = source.indexOf('{', from); at < source.length; at += 1) {
    if (source[at] === '{') depth += 1
    if (source[at] === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  throw new Error('tokens.css has a brace that nothing closes')
}

const fontFaces = (fontUrl: (name: string) => string | null): string => {
  const { resolve } = createRequire(import.meta.url)
  const faces = ['wght.css', 'wght-italic.css'].map((name) =>
    readFileSync(resolve(`@fontsource-variable/inter/${name}`), 'utf8').replaceAll(
      /url\(\.\/files\/([\w-]+)\.woff2\)/g,
      (_, font: string) => `url(${fontUrl(font) ?? failOn(font)})`,
    ),
  )
  // The fallback font until the web font is loaded.
  const fallback = read('fonts.css').slice(read('fonts.css').indexOf('@font-face'))
  return [...faces, fallback].join('\n')
}

const failOn = (font: string): never => {
  throw new Error(`The app does not come with the font ${font}`)
}

/** Puts the stylesheet beside an app, whose fonts it uses: the service serves both at /ext/ui.css and /ext/ui/. */
export const pluginUi = (): Plugin => ({
  name: 'stoa-plugin-ui',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.keys(bundle)
      const source = pluginStylesheet((font) => {
        const file = files.find((name) => new RegExp(`^assets/${font}-[\\w-]+\\.woff2$`).test(name))
        return file === undefined ? null : `ui/${file.slice('assets/'.length)}`
      })
      this.emitFile({ type: 'asset', fileName: FILE, source })
    },
  },
})
