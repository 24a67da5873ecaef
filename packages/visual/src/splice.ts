import type { Range } from './find.ts'
import type { Edit } from './tag.ts'

/** A place of the page in which the content of another place is shown, or none. */
export type Slot = Range & { readonly shows: Range | null }

/**
 * The page with its changes; all other bytes stay as they are. Slots that show something are nested properly, and what
 * a slot shows is written as it becomes by the changes inside of it.
 */
export const splice = (html: string, edits: readonly Edit[], slots: readonly Slot[]): string => {
  if (edits.length + slots.length === 0) return html
  const changes = [...edits, ...slots].sort((a, b) => a.start - b.start)
  const slotAt = new Map<number, number>()
  for (const [index, change] of changes.entries()) if ('shows' in change) slotAt.set(change.start, index)
  const output: string[] = []
  const open = [{ at: 0, end: html.length, next: 0 }]
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const change = changes[level.next]
    if (!change || change.start >= level.end) {
      output.push(html.slice(level.at, level.end))
      open.pop()
      continue
    }
    level.next += 1
    // Inside of what has been written or left out already.
    if (change.start < level.at) {
      if ('shows' in change && !change.shows) level.at = Math.max(level.at, change.end)
      continue
    }
    output.push(html.slice(level.at, change.start))
    level.at = change.end
    if ('text' in change) output.push(change.text)
    else if (change.shows) {
      const { start, end } = change.shows
      open.push({ at: start, end, next: (slotAt.get(start) ?? -1) + 1 })
    }
  }
  return output.join('')
}
