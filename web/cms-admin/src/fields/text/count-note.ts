import { formatNumber } from '@stoa/ui/text/format.ts'

/** From here on the end of the room is near. */
const NEAR = 0.8

/** What to say about the length of a text; nothing while it is right and far from its bounds. */
export const countNote = (
  length: number,
  min: number | undefined,
  max: number | undefined,
): { text: string; isOver: boolean } | undefined => {
  if (max !== undefined && length >= max * NEAR)
    return { text: `${formatNumber(length)} / ${formatNumber(max)}`, isOver: length > max }
  if (min !== undefined && length > 0 && length < min)
    return { text: `${formatNumber(length)} of ${formatNumber(min)} or more`, isOver: false }
  return undefined
}
