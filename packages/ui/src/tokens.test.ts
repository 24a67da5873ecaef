import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

type Rgb = { r: number; g: number; b: number; alpha: number }

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

const number = '[\\d.]+'
const oklch = `oklch\\((${number}) (${number}) (${number})(?: / (${number}))?\\)`
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

const luminance = ({ r, g, b }: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

const contrast = (theme: 'light' | 'dark', front: string, back: string): number => {
  const one = luminance(tokens[theme].get(front) ?? assert.fail(`no token ${front}`))
  const other = luminance(tokens[theme].get(back) ?? assert.fail(`no token ${back}`))
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

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
]

describe('colour tokens', () => {
  test('every colour has a light and a dark value', () => {
    const names = [...css.matchAll(/--color-([a-z-]+):/g)].map((match) => match[1])
    assert.ok(names.length > 40)
    assert.deepEqual([...tokens.light.keys()].sort(), names.sort())
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`text and marks reach the contrast of WCAG AA in ${theme}`, () => {
      const weak = pairs
        .map(([front, back, least]) => ({ front, back, least, got: contrast(theme, front, back) }))
        .filter(({ got, least }) => got < least)
        .map(({ front, back, least, got }) => `${front} on ${back}: ${got.toFixed(2)} < ${least}`)
      assert.deepEqual(weak, [])
    })
  }
})
