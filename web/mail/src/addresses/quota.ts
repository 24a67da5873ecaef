import { formatBytes } from '@stoa/ui/text/format.ts'

export const quotaUnits = ['MB', 'GB', 'TB'] as const
export type QuotaUnit = (typeof quotaUnits)[number]

const SIZES: Record<QuotaUnit, number> = { MB: 1e6, GB: 1e9, TB: 1e12 }
/** The largest number of bytes that the service accepts. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER

/** A quota as it is typed: an empty number is no limit of its own. */
export type QuotaText = { amount: string; unit: QuotaUnit }

export const quotaText = (bytes: number | null): QuotaText => {
  if (bytes === null) return { amount: '', unit: 'GB' }
  const unit = bytes >= SIZES.TB ? 'TB' : bytes >= SIZES.GB || bytes === 0 ? 'GB' : 'MB'
  return { amount: String(Number((bytes / SIZES[unit]).toFixed(3))), unit }
}

/** The bytes, null for no limit, or undefined when it is not a number. */
export const readQuota = ({ amount, unit }: QuotaText): number | null | undefined => {
  const text = amount.trim().replace(',', '.')
  if (text === '') return null
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined
  const bytes = Math.round(Number(text) * SIZES[unit])
  return bytes <= MAX_BYTES ? bytes : undefined
}

export const describeUse = (used: number, quota: number | null): string =>
  quota === null ? formatBytes(used) : `${formatBytes(used)} of ${formatBytes(quota)}`
