import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'

/** Lines of their own in a narrow list, one line in a wide one. */
export type RowLayout = 'stacked' | 'line'
export type Density = MailboxSettings['density']

/** Heights of a row in rem: all rows of a list are equally high, so that any place of it can be jumped to. */
const HEIGHTS: Readonly<Record<Density, Readonly<Record<RowLayout, { fine: number; coarse: number }>>>> = {
  comfortable: { stacked: { fine: 4.75, coarse: 5 }, line: { fine: 2.5, coarse: 2.75 } },
  compact: { stacked: { fine: 3.25, coarse: 3.75 }, line: { fine: 1.875, coarse: 2.5 } },
}

/** The height of a day heading, in rem. */
const HEADER = 1.75

const FALLBACK_ROOT = 16

/** The heights of a row and of a heading in pixels, in the letters of this browser. */
export const useRowHeight = (layout: RowLayout, density: Density): { row: number; header: number } => {
  const isCoarse = useMediaQuery('(pointer: coarse)')
  const { fine, coarse } = HEIGHTS[density][layout]
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || FALLBACK_ROOT
  return { row: Math.round((isCoarse ? coarse : fine) * root), header: Math.round(HEADER * root) }
}
