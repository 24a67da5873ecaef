import { formatNumber } from '@stoa/ui/text/format.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes as plans are cut: 25 GiB is a whole number, and 26.8 GB would not be what was sold. */
export const formatStorage = (bytes: number, locale?: string): string => {
  const unit = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${formatNumber(bytes / 1024 ** unit, locale)} ${UNITS[unit]}`
}
