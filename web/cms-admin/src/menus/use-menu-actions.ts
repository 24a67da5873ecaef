import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useEffect, useRef, useState } from 'react'
import { nameOfItem } from './items.ts'
import {
  insertBlock,
  type LeafItem,
  type MenuRow,
  type MoveDirection,
  parentAt,
  removeAt,
  siblingsAt,
  sizeAt,
  stepOf,
} from './tree.ts'

type MenuActions = {
  /** The announcement about the last action, for screen readers. */
  said: string
  add: (item: LeafItem, at: number, depth: number) => void
  replace: (item: LeafItem) => void
  /** Removes an item with all below it; a notice offers to take it back. */
  remove: (row: MenuRow, index: number) => void
  /** False when the item cannot go there. */
  step: (row: MenuRow, index: number, to: MoveDirection) => boolean
  /** The rows after a drag. */
  drop: (rows: readonly MenuRow[], id: string) => void
}

/** The actions on the rows of a menu, each with its announcement. */
export const useMenuActions = (rows: readonly MenuRow[], onRows: (rows: readonly MenuRow[]) => void): MenuActions => {
  const [said, setSaid] = useState('')
  const latest = useRef({ rows, onRows })
  // An undo comes later than the rows that it was made for
  useEffect(() => {
    latest.current = { rows, onRows }
  })
  const drop: MenuActions['drop'] = (next, id) => {
    onRows(next)
    setSaid(describePlace(next, id))
  }
  return {
    said,
    drop,
    add: (item, at, depth) => {
      onRows(rows.toSpliced(at, 0, { item, depth }))
      setSaid(`${nameOfItem(item)} added.`)
    },
    replace: (item) => onRows(rows.map((row) => (row.item.id === item.id ? { ...row, item } : row))),
    remove: ({ item }, index) => {
      const block = rows.slice(index, index + sizeAt(rows, index))
      const below = block.length - 1
      onRows(removeAt(rows, index))
      toast({
        title: `“${nameOfItem(item)}” removed`,
        ...(below > 0 ? { description: `With ${formatCount(below, 'item', 'items')} below it.` } : {}),
        action: {
          label: 'Undo',
          onAction: () => latest.current.onRows(insertBlock(latest.current.rows, block, index)),
        },
      })
    },
    step: ({ item }, index, to) => {
      const next = stepOf(rows, index, to)
      if (next) drop(next, item.id)
      else setSaid(`${nameOfItem(item)} can't move ${stepWords[to]}.`)
      return next !== null
    },
  }
}

const stepWords: Record<MoveDirection, string> = { up: 'up', down: 'down', in: 'deeper', out: 'further out' }

const describePlace = (rows: readonly MenuRow[], id: string): string => {
  const index = rows.findIndex(({ item }) => item.id === id)
  const row = rows[index]
  if (!row) return ''
  const siblings = siblingsAt(rows, index)
  const parent = rows[parentAt(rows, index)]
  const below = parent ? ` below ${nameOfItem(parent.item)}` : ''
  return `${nameOfItem(row.item)}: level ${row.depth + 1}, position ${siblings.indexOf(index) + 1} of ${siblings.length}${below}.`
}
