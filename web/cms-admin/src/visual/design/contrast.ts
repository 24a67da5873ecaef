/** Channels from 0 to 1. */
type Color = { red: number; green: number; blue: number; alpha: number }

/** WCAG 2.2 §1.4.3: text needs at least this ratio. */
export const MIN_CONTRAST = 4.5

/** The ratio of a text on its background, or null for colors that are not read here (`oklch()`, see-through grounds). */
export const contrastOf = (text: string, background: string): number | null => {
  const [ink, ground] = [readColor(text), readColor(background)]
  if (!ink || !ground || ground.alpha < 1) return null
  const over = (mine: number, below: number) => mine * ink.alpha + below * (1 - ink.alpha)
  const shown = {
    red: over(ink.red, ground.red),
    green: over(ink.green, ground.green),
    blue: over(ink.blue, ground.blue),
  }
  const [lighter, darker] = [luminanceOf(shown), luminanceOf(ground)].toSorted((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}

/** Relative luminance (WCAG 2.2). */
const luminanceOf = ({ red, green, blue }: Omit<Color, 'alpha'>): number => {
  const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

const readColor = (text: string): Color | null => readHex(text) ?? readFunction(text)

const readHex = (text: string): Color | null => {
  const [, digits] = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text) ?? []
  if (digits === undefined) return null
  const pairs = digits.length < 5 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 1] = pairs.map((pair) => Number.parseInt(pair, 16) / 255)
  return { red, green, blue, alpha }
}

const readFunction = (text: string): Color | null => {
  const [, name, inside = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/i.exec(text.trim()) ?? []
  const parts = inside.trim().split(/\s*[,/]\s*|\s+/)
  if (name === undefined || parts.length < 3 || parts.length > 4) return null
  const alpha = clamp(part(parts[3] ?? '1', 1))
  const [first = '', second = '', third = ''] = parts
  const color =
    name.toLowerCase() === 'rgb'
      ? { red: part(first, 255), green: part(second, 255), blue: part(third, 255) }
      : fromHsl(hue(first), clamp(part(second, 100)), clamp(part(third, 100)))
  if (Object.values(color).some(Number.isNaN) || Number.isNaN(alpha)) return null
  return { red: clamp(color.red), green: clamp(color.green), blue: clamp(color.blue), alpha }
}

/** From 0 to 1: a percentage, or a number of which `whole` is all. */
const part = (text: string, whole: number): number =>
  text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : text === '' ? Number.NaN : Number(text) / whole

const hue = (text: string): number => {
  const [, amount, unit = 'deg'] = /^([+-]?[\d.]+)(deg|turn|rad|grad)?$/i.exec(text) ?? []
  const turns = { deg: 360, turn: 1, rad: 2 * Math.PI, grad: 400 }[unit.toLowerCase()] ?? 360
  return amount === undefined ? Number.NaN : Number(amount) / turns
}

/** CSS Color 4 §7.1. */
const fromHsl = (turns: number, saturation: number, lightness: number) => {
  const channel = (offset: number): number => {
    const at = (((offset + turns * 12) % 12) + 12) % 12
    return lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(at - 3, 9 - at, 1))
  }
  return { red: channel(0), green: channel(8), blue: channel(4) }
}

const clamp = (value: number): number => (Number.isNaN(value) ? value : Math.min(1, Math.max(0, value)))

type Named = { key: string; label: string; type: string }

const ROLES = {
  text: /text|ink|foreground/i,
  background: /background|backdrop|\bbg\b|^bg|Bg$/i,
} as const

const roleOf = ({ key, label, type }: Named): keyof typeof ROLES | null => {
  if (type !== 'color') return null
  const says = (role: keyof typeof ROLES) => ROLES[role].test(key) || ROLES[role].test(label)
  return says('background') ? 'background' : says('text') ? 'text' : null
}

/** What is left of a key without its role: `button` of `buttonText` and of `buttonBackground`. */
const stemOf = ({ key }: Named, role: keyof typeof ROLES): string =>
  key
    .replace(ROLES[role], '')
    .replace(/colou?r/i, '')
    .toLowerCase()

/**
 * Text colors of a surface with the background that they stand on, as far as their names say: the background that is
 * named like the text, else the one without a name of its own, else the only one.
 */
export const textPairs = <P extends Named>(properties: readonly P[]): { text: P; background: P }[] => {
  const backgrounds = properties.filter((property) => roleOf(property) === 'background')
  return properties.flatMap((text) => {
    if (roleOf(text) !== 'text') return []
    const named = (stem: string) => backgrounds.find((each) => stemOf(each, 'background') === stem)
    const background =
      named(stemOf(text, 'text')) ?? named('') ?? (backgrounds.length === 1 ? backgrounds[0] : undefined)
    return background ? [{ text, background }] : []
  })
}
