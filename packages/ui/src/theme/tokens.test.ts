import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { PERSON_HUES } from '../display/person-hue.ts'

type Rgb = { r: number; g: number; b: number; alpha: number }

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

const number = '[\\d.]+'
const oklch = `oklch\\((${number}) (${number}) (${number})(?: / (${number}))?\\)`
const hued = `oklch\\((${number}) (${number}) var\\(--person-hue\\)\\)`
const personPattern = new RegExp(`light-dark\\(${hued}, ${hued}\\)`, 'g')
const pattern = new RegExp(`--color-([a-z-]+): light-dark\\(${oklch}, ${oklch}\\)`, 'g')

/** OKLCH to linear sRGB, after https://bottosson.github.io/posts/oklab/ */
const toRgb = (l: number, c: number, h: number, alpha: number): Rgb => {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  return {
    r: clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    g: clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    b: clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
    alpha,
  }
}

const tokens = { light: new Map<string, Rgb>(), dark: new Map<string, Rgb>() }
for (const match of css.matchAll(pattern)) {
  const [, name = '', ...parts] = match
  const [l1, c1, h1, a1, l2, c2, h2, a2] = parts.map((part) => (part === undefined ? 1 : Number(part)))
  tokens.light.set(name, toRgb(l1 ?? 0, c1 ?? 0, h1 ?? 0, a1 ?? 1))
  tokens.dark.set(name, toRgb(l2 ?? 0, c2 ?? 0, h2 ?? 0, a2 ?? 1))
}

type Theme = 'light' | 'dark'
const themes: readonly Theme[] = ['light', 'dark']

const luminance = ({ r, g, b }: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

const ratio = (front: Rgb, back: Rgb): number => {
  const [one, other] = [luminance(front), luminance(back)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** `field over canvas`: what shows through is mixed as browsers do it, with the values of sRGB. */
const colourOf = (theme: Theme, name: string): Rgb => {
  const [top = '', ground] = name.split(' over ')
  const colour = tokens[theme].get(top) ?? assert.fail(`no token ${top}`)
  return ground === undefined ? colour : mix(colour, colourOf(theme, ground))
}

const mix = (top: Rgb, ground: Rgb): Rgb => {
  const part = (key: 'r' | 'g' | 'b') => decoded(encoded(top[key]) * top.alpha + encoded(ground[key]) * (1 - top.alpha))
  return { r: part('r'), g: part('g'), b: part('b'), alpha: 1 }
}
const encoded = (linear: number): number => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055)
const decoded = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

const contrast = (theme: Theme, front: string, back: string): number =>
  ratio(colourOf(theme, front), colourOf(theme, back))

const grounds = ['canvas', 'surface', 'raised', 'sunken']
const meanings = ['neutral', 'draft', 'live', 'scheduled', 'failed']

// WCAG 2.2: 1.4.3 for text, 1.4.11 for the edges of inputs, marks and the focus ring
const TEXT = 4.5
const MARK = 3

const pairs: readonly [front: string, back: string, least: number][] = [
  ...['ink', 'muted', 'faint', 'accent-ink', 'danger-ink'].flatMap((ink) =>
    grounds.map((ground): [string, string, number] => [ink, ground, TEXT]),
  ),
  ...meanings.flatMap((meaning): [string, string, number][] => [
    [`${meaning}-ink`, `${meaning}-soft`, TEXT],
    ['ink', `${meaning}-soft`, TEXT],
    ['muted', `${meaning}-soft`, TEXT],
    [`${meaning}-mark`, 'surface', MARK],
  ]),
  ['accent-ink', 'accent-soft', TEXT],
  ['muted', 'accent-soft', TEXT],
  ['danger-ink', 'failed-soft', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-hover', TEXT],
  ['on-danger', 'danger', TEXT],
  ['on-danger', 'danger-hover', TEXT],
  ['on-inverse', 'inverse', TEXT],
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['ring', ground, MARK],
    ['accent', ground, MARK],
  ]),
  ['control', 'surface', MARK],
  ['control', 'canvas', MARK],
  ['second', 'surface', MARK],
  ['second', 'raised', MARK],
  ...['field', 'field-hover', 'hover'].flatMap((fill) =>
    grounds.flatMap((ground) =>
      ['ink', 'muted', 'faint'].map((ink): [string, string, number] => [ink, `${fill} over ${ground}`, TEXT]),
    ),
  ),
  // Not asked for by WCAG, because every input has a label: at rest its line still has to be seen
  ...grounds.map((ground): [string, string, number] => ['field-line', ground, 1.3]),
]

describe('colour tokens', () => {
  test('every colour has a light and a dark value', () => {
    const names = [...css.matchAll(/--color-([a-z-]+):/g)].map((match) => match[1])
    assert.ok(names.length > 40)
    assert.deepEqual([...tokens.light.keys()].sort(), names.sort())
  })

  for (const theme of themes) {
    test(`text and marks reach the contrast of WCAG AA in ${theme}`, () => {
      const weak = pairs
        .map(([front, back, least]) => ({ front, back, least, got: contrast(theme, front, back) }))
        .filter(({ got, least }) => got < least)
        .map(({ front, back, least, got }) => `${front} on ${back}: ${got.toFixed(2)} < ${least}`)
      assert.deepEqual(weak, [])
    })
  }

  test('initials are read on the hue of every person, in light and in dark', () => {
    const [ground, ink] = [...css.matchAll(personPattern)].map(([, ...parts]) => parts.map(Number))
    assert.ok(ground && ink, 'no colours for people')
    const weak = themes.flatMap((theme, index) =>
      PERSON_HUES.map((hue) => {
        const at = ([l = 0, c = 0]: number[]) => toRgb(l, c, hue, 1)
        const of = (parts: number[]) => at(parts.slice(index * 2, index * 2 + 2))
        return { theme, hue, got: ratio(of(ground), of(ink)) }
      }).filter(({ got }) => got < TEXT),
    )
    assert.deepEqual(weak, [])
  })
})

describe('classes of the design system', () => {
  const folders = ['../', '../../gallery/src/', '../../../../web/cms-admin/src/', '../../../../web/mail/src/']
  const files = folders.flatMap((folder) => {
    const at = new URL(folder, import.meta.url)
    return readdirSync(at, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => ({ name, text: readFileSync(new URL(name, at), 'utf8') }))
  })

  // A class without a token draws nothing, without any error
  for (const [what, used] of [
    ['shadow', /(?<=[\s:'"`])shadow-(?!none\b)([a-z0-9]+|\[)/g],
    ['text', /(?<=[\s:'"`])text-((?:2xs|xs|sm|base|md|lg|xl|\dxl)\b|\[)/g],
  ] as const)
    test(`every ${what} is a step of the scale`, () => {
      const steps = new Set([...css.matchAll(new RegExp(`--${what}-([a-z0-9]+):`, 'g'))].map((match) => match[1]))
      assert.ok(steps.size >= 3)
      const found = files.flatMap(({ name, text }) =>
        [...text.matchAll(used)].map((match) => ({ name, step: match[1] })),
      )
      assert.ok(found.length > 20)
      assert.deepEqual(
        found.filter(({ step }) => !steps.has(step)),
        [],
      )
    })
})

test('the fallback of Inter has its line height, whatever its width', () => {
  const fonts = readFileSync(new URL('./fonts.css', import.meta.url), 'utf8')
  const percents = (name: string) =>
    [...fonts.matchAll(new RegExp(`${name}: ([\\d.]+)%`, 'g'))].map((match) => Number(match[1]) / 100)
  const sizes = percents('size-adjust')
  assert.equal(sizes.length, 2)
  for (const [index, size] of sizes.entries()) {
    assert.ok(Math.abs(size * (percents('ascent-override')[index] ?? 0) - 1984 / 2048) < 0.001)
    assert.ok(Math.abs(size * (percents('descent-override')[index] ?? 0) - 494 / 2048) < 0.001)
  }
})
