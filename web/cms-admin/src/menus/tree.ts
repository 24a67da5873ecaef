import { MAX_MENU_DEPTH, type MenuItem } from '@stoa/cms-model/menus.ts'

/** An item without those below it. */
export type LeafItem = Omit<MenuItem, 'children'>

/**
 * One row of a menu as it is shown: a tree written as a list, in which an item is below the nearest one before it that is
 * less deep. The first has depth 0, and no row is more than one deeper than the row before it.
 */
export type MenuRow = { item: LeafItem; depth: number }

const DEEPEST = MAX_MENU_DEPTH - 1

export const rowsOf = (items: readonly MenuItem[], depth = 0): MenuRow[] =>
  items.flatMap(({ children, ...item }) => [{ item, depth }, ...rowsOf(children, depth + 1)])

export const itemsOf = (rows: readonly MenuRow[]): MenuItem[] => {
  const top: MenuItem[] = []
  /** The children of the last item of each depth. */
  const open: MenuItem[][] = [top]
  for (const { item, depth } of rows) {
    const children: MenuItem[] = []
    open[depth]?.push({ ...item, children })
    open.splice(depth + 1, open.length, children)
  }
  return top
}

/** How the service names each row: `items.0.children.2`. */
export const pathsOf = (rows: readonly MenuRow[]): string[] => {
  const counts: number[] = []
  return rows.map(({ depth }) => {
    counts.length = depth + 1
    counts[depth] = (counts[depth] ?? -1) + 1
    return `items.${counts.join('.children.')}`
  })
}

/** How many rows the item and all below it take. */
export const sizeAt = (rows: readonly MenuRow[], index: number): number => {
  const depth = rows[index]?.depth ?? 0
  const next = rows.findIndex((row, at) => at > index && row.depth <= depth)
  return (next === -1 ? rows.length : next) - index
}

/** The row that this one is below; -1 at the top. */
export const parentAt = (rows: readonly MenuRow[], index: number): number => {
  const depth = rows[index]?.depth ?? 0
  return rows.findLastIndex((row, at) => at < index && row.depth < depth)
}

/** The rows of the items beside this one, itself among them. */
export const siblingsAt = (rows: readonly MenuRow[], index: number): number[] => {
  const parent = parentAt(rows, index)
  const depth = rows[index]?.depth ?? 0
  const end = parent === -1 ? rows.length : parent + sizeAt(rows, parent)
  return rows.flatMap((row, at) => (at > parent && at < end && row.depth === depth ? [at] : []))
}

export type MoveDirection = 'up' | 'down' | 'in' | 'out'

/** The rows after one step of an item with all below it; null when it cannot go there. */
export const stepOf = (rows: readonly MenuRow[], index: number, step: MoveDirection): MenuRow[] | null => {
  const row = rows[index]
  if (!row) return null
  const siblings = siblingsAt(rows, index)
  const place = siblings.indexOf(index)
  const before = siblings[place - 1]
  const after = siblings[place + 1]
  switch (step) {
    case 'up':
      return before === undefined ? null : moveBlock(rows, index, before, row.depth)
    case 'down':
      return after === undefined ? null : moveBlock(rows, after, index, row.depth)
    case 'in': {
      const isTooDeep = row.depth + 1 + heightAt(rows, index) > DEEPEST
      return before === undefined || isTooDeep ? null : moveBlock(rows, index, index, row.depth + 1)
    }
    case 'out': {
      const parent = parentAt(rows, index)
      // Behind the parent: where it stood, what came after it would become its own
      return parent === -1 ? null : moveBlock(rows, index, parent + sizeAt(rows, parent), row.depth - 1)
    }
  }
}

export const removeAt = (rows: readonly MenuRow[], index: number): MenuRow[] =>
  rows.toSpliced(index, sizeAt(rows, index))

/** The block back in its place, or as near to it as the rows of now allow. */
export const insertBlock = (rows: readonly MenuRow[], block: readonly MenuRow[], at: number): MenuRow[] => {
  const place = Math.min(at, rows.length)
  const before = rows[place - 1]
  const next = rows[place]
  const first = block[0]
  if (!first) return [...rows]
  const wanted = Math.min(first.depth, before ? before.depth + 1 : 0, DEEPEST - heightAt(block, 0))
  // Not deep enough, the rows behind it would become its own
  if (next && next.depth > wanted) return insertBlock(rows, block, place + 1)
  return rows.toSpliced(place, 0, ...shifted(block, wanted - first.depth))
}

/** The rows that are shown while one is dragged: without those below it. */
export const rowsWhileDragging = (rows: readonly MenuRow[], id: string): MenuRow[] => {
  const index = rows.findIndex(({ item }) => item.id === id)
  return index === -1 ? [...rows] : rows.toSpliced(index + 1, sizeAt(rows, index) - 1)
}

/** How deep a dragged item would be over another one, as near as possible to where it is held; null where it cannot be. */
export const projectDepth = (rows: readonly MenuRow[], id: string, overId: string, wanted: number): number | null => {
  const index = rows.findIndex(({ item }) => item.id === id)
  const shown = rowsWhileDragging(rows, id)
  const from = shown.findIndex(({ item }) => item.id === id)
  const to = shown.findIndex(({ item }) => item.id === overId)
  const row = shown[from]
  if (!row || to === -1) return null
  const others = shown.toSpliced(from, 1)
  const before = others[to - 1]
  const lowest = others[to]?.depth ?? 0
  const highest = Math.min(before ? before.depth + 1 : 0, DEEPEST - heightAt(rows, index))
  return lowest > highest ? null : Math.min(Math.max(wanted, lowest), highest)
}

/** The rows after a dragged item was dropped over another one. */
export const dropOver = (rows: readonly MenuRow[], id: string, overId: string, wanted: number): MenuRow[] | null => {
  const depth = projectDepth(rows, id, overId, wanted)
  const index = rows.findIndex(({ item }) => item.id === id)
  const shown = rowsWhileDragging(rows, id)
  const to = shown.findIndex(({ item }) => item.id === overId)
  const block = rows.slice(index, index + sizeAt(rows, index))
  const first = block[0]
  if (depth === null || !first) return null
  const others = removeAt(rows, index)
  return others.toSpliced(to, 0, ...shifted(block, depth - first.depth))
}

/** How many levels there are below the item. */
const heightAt = (rows: readonly MenuRow[], index: number): number => {
  const depth = rows[index]?.depth ?? 0
  const below = rows.slice(index, index + sizeAt(rows, index))
  return Math.max(...below.map((row) => row.depth), depth) - depth
}

const shifted = (block: readonly MenuRow[], by: number): MenuRow[] =>
  block.map((row) => ({ ...row, depth: row.depth + by }))

/** The block before the row that stands at `to` now. */
const moveBlock = (rows: readonly MenuRow[], index: number, to: number, depth: number): MenuRow[] => {
  const size = sizeAt(rows, index)
  const block = shifted(rows.slice(index, index + size), depth - (rows[index]?.depth ?? 0))
  return rows.toSpliced(index, size).toSpliced(to > index ? to - size : to, 0, ...block)
}
