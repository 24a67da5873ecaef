import { readNumber } from '@stoa/cms-model/fields/number-text.ts'

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

const clamp = (value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number =>
  Math.min(Math.max(value, min), max)

// 0.1 + 0.2 is 0.30000000000000004
const withoutNoise = (value: number): number => Number(value.toPrecision(12))
