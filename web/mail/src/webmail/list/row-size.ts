import { useMediaQuery } from '@stoa/ui/browser/use-media-query.ts'
import type { RowLayout } from './message-row.tsx'

/** Heights of a row in rem: all rows of a list are equally high, so that any place of it can be jumped to. */
const HEIGHTS: Readonly<Record<RowLayout, { fine: number; coarse: number }>> = {
  stacked: { fine: 4.75, coarse: 5 },
  line: { fine: 2.25, coarse: 2.75 },
}

const FALLBACK_ROOT = 16

/** The height of a row in pixels, in the letters of this browser. */
export const useRowHeight = (layout: RowLayout): number => {
  const isCoarse = useMediaQuery('(pointer: coarse)')
  const { fine, coarse } = HEIGHTS[layout]
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || FALLBACK_ROOT
  return Math.round((isCoarse ? coarse : fine) * root)
}
