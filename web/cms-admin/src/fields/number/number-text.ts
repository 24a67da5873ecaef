/** Longer texts are no numbers that anybody typed. */
const MAX_TYPED_LENGTH = 400

/** The number that was typed, null for nothing, and the text itself when it is no number: it must not be lost. */
export const readNumber = (typed: string): number | null | string => {
  const text = typed.trim().replace(/^[−–]/, '-')
  if (text === '') return null
  if (text.length > MAX_TYPED_LENGTH) return typed
  const plain = withDecimalPoint(text)
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i.test(plain)) return typed
  const number = Number(plain)
  return Number.isFinite(number) ? number : typed
}

/** What the input shows: what was typed as long as it means the value, else the value itself. */
export const shownNumber = (typed: string, value: unknown): string => {
  if (Object.is(readNumber(typed), value)) return typed
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

type Steps = { min?: number | undefined; max?: number | undefined; step?: number | undefined }

/** The next number up or down that the field takes, for the arrow keys. */
export const stepNumber = (value: number | null, direction: 1 | -1, { min, max, step = 1 }: Steps): number => {
  const from = min ?? 0
  if (value === null) return clamp(direction > 0 || min === undefined ? from : (max ?? from), min, max)
  const steps = (value - from) / step
  const nearest = Math.round(steps)
  const isOnStep = Math.abs(steps - nearest) < 1e-9 * Math.max(1, Math.abs(steps))
  const next = isOnStep ? nearest + direction : direction > 0 ? Math.ceil(steps) : Math.floor(steps)
  return clamp(withoutNoise(from + next * step), min, max)
}

// 1,5 is one and a half; 1,500 may be either, and is left for the person to decide
const withDecimalPoint = (text: string): string => {
  const parts = /^([+-]?)(\d*),(\d+)$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  const isGrouped = fraction.length === 3 && whole !== '' && !/^0+$/.test(whole)
  return isGrouped ? text : `${sign}${whole === '' ? '0' : whole}.${fraction}`
}

const clamp = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, min), max)

// 0.1 + 0.2 is 0.30000000000000004
const withoutNoise = (value: number): number => Number(value.toPrecision(12))
