import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assets } from './assets.ts'
import { design } from './design.ts'

const css = assets.get('/style.css')?.body.toString() ?? ''

/** What the stylesheet says about a custom property at first. */
const declared = (name: string): string =>
  new RegExp(`^\\s*${name}: ([^;]+);`, 'm').exec(css)?.[1] ?? assert.fail(`the stylesheet has no ${name}`)

type Lab = readonly [l: number, a: number, b: number]

/** sRGB to OKLab and back, after https://bottosson.github.io/posts/oklab/ */
const toLab = (colour: string): Lab => {
  const [red = 0, green = 0, blue = 0] = linear(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

const linear = (colour: string): number[] => {
  const [, ...parts] = /^#(..)(..)(..)$/.exec(colour) ?? assert.fail(`${colour} is no #rrggbb`)
  return parts.map((part) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
}

const luminance = ([l, a, b]: Lab): number => {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (value: number): number => Math.min(1, Math.max(0, value))
  return (
    0.2126 * clamp(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short) +
    0.7152 * clamp(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short) +
    0.0722 * clamp(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  )
}

const ratio = (one: Lab, other: Lab): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `color-mix(in oklab, top share%, ground)` */
const mix = (top: Lab, share: number, ground: Lab): Lab => {
  const part = (index: 0 | 1 | 2): number => top[index] * share + ground[index] * (1 - share)
  return [part(0), part(1), part(2)]
}

/** `oklch(from … l c h)` with another lightness, and no more colour than that. */
const relit = ([l, a, b]: Lab, { least = 0, most = 1, chroma = 1 }): Lab => {
  const size = Math.hypot(a, b)
  const scale = size === 0 ? 0 : Math.min(size, chroma) / size
  return [Math.min(most, Math.max(least, l)), a * scale, b * scale]
}

const WHITE = toLab('#ffffff')
const lab = (name: string): Lab => toLab(declared(name))

/** What the stylesheet derives; a change there is made here, too. */
const shares = {
  muted: Number(/--muted: color-mix\(in oklab, var\(--text\) (\d+)%, var\(--paper\)\)/.exec(css)?.[1]) / 100,
  band: Number(/--band-paper: .*var\(--band\) (\d+)%, var\(--night\)/.exec(css)?.[1]) / 100,
  light: Number(/oklch\(from var\(--accent\) min\(l, ([\d.]+)\) c h\)/.exec(css)?.[1]),
  dark: Number(/oklch\(from var\(--accent\) max\(l, ([\d.]+)\) min\(c, 0.12\) h\)/.exec(css)?.[1]),
}

const themes = {
  light: { paper: lab('--background'), text: lab('--ink'), band: lab('--band'), onLink: WHITE },
  dark: {
    paper: lab('--night'),
    text: lab('--moon'),
    band: mix(lab('--band'), shares.band, lab('--night')),
    onLink: lab('--night'),
  },
}
const linkOf = (theme: string, accent: Lab): Lab =>
  theme === 'light' ? relit(accent, { most: shares.light }) : relit(accent, { least: shares.dark, chroma: 0.12 })

describe('the looks of the site', () => {
  test('five surfaces are declared, and their defaults are what the stylesheet says', () => {
    assert.equal(design.surfaces.length, 5)
    for (const { properties } of design.surfaces)
      for (const { css: name, default: value } of properties)
        assert.equal(declared(name), value === null ? 'none' : String(value), name)
  })

  for (const [theme, { paper, text, band, onLink }] of Object.entries(themes)) {
    test(`text can be read in the ${theme} theme`, () => {
      assert.ok(Object.values(shares).every((share) => share > 0))
      const link = linkOf(theme, lab('--accent'))
      const pairs: [string, number][] = [
        ['text on paper', ratio(text, paper)],
        ['muted on paper', ratio(mix(text, shares.muted, paper), paper)],
        ['link on paper', ratio(link, paper)],
        ['button', ratio(onLink, link)],
        ['text on band', ratio(text, band)],
      ]
      for (const [pair, found] of pairs) assert.ok(found >= 4.5, `${pair}: ${found.toFixed(2)}`)
    })

    test(`whatever accent is chosen, links and buttons can be read in the ${theme} theme`, () => {
      for (const accent of ['#000000', '#ffffff', '#ffe600', '#00e5ff', '#00ff00', '#0000ff', '#ff0000', '#7a00ff']) {
        const link = linkOf(theme, toLab(accent))
        for (const [what, found] of [
          ['link', ratio(link, paper)],
          ['button', ratio(onLink, link)],
        ] as const)
          assert.ok(found >= 4.5, `${what} of ${accent}: ${found.toFixed(2)}`)
      }
    })
  }

  test('bands with colours of their own can be read in both themes', () => {
    const pairs = [
      ['--hero-text', '--hero-background'],
      ['--footer-text', '--footer-background'],
    ] as const
    for (const [front, back] of pairs) assert.ok(ratio(lab(front), lab(back)) >= 7, front)
    const notice = /\.hero-notice \{[^}]*?(?<!-)color: (#\w{6})/s.exec(css)?.[1] ?? ''
    assert.ok(ratio(toLab(notice), lab('--hero-background')) >= 7)
  })
})
