import { type KeyboardEvent, useState } from 'react'

type GridKeys = {
  /** The tile that Tab reaches. */
  tabIndex: (key: string) => 0 | -1
  /** Spread on the element around the tiles; each tile has `data-tile={key}`. */
  props: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => void; onFocus: (event: { target: EventTarget }) => void }
}

/** One stop for Tab in a grid of tiles; arrows, Home and End go from tile to tile. */
export const useGridKeys = (keys: readonly string[]): GridKeys => {
  const [last, setLast] = useState<string>()
  const current = last !== undefined && keys.includes(last) ? last : keys[0]
  return {
    tabIndex: (key) => (key === current ? 0 : -1),
    props: {
      onFocus: ({ target }) => {
        const key = tileOf(target)?.dataset.tile
        if (key !== undefined) setLast(key)
      },
      onKeyDown: (event) => {
        const from =
          event.target instanceof HTMLElement && event.target.dataset.tile !== undefined ? event.target : null
        if (!from || event.altKey || event.ctrlKey || event.metaKey) return
        const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tile]')]
        const next = nextTile(tiles, from, event.key)
        if (!next) return
        event.preventDefault()
        next.focus()
        next.scrollIntoView({ block: 'nearest' })
      },
    },
  }
}

const tileOf = (target: EventTarget): HTMLElement | null =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-tile]') : null

const nextTile = (tiles: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined => {
  const at = tiles.indexOf(from)
  if (key === 'ArrowLeft') return tiles[at - 1]
  if (key === 'ArrowRight') return tiles[at + 1]
  if (key === 'Home') return tiles[0]
  if (key === 'End') return tiles.at(-1)
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const columns = columnsOf(tiles)
  return key === 'ArrowUp' ? tiles[at - columns] : (tiles[at + columns] ?? lastOfNextRow(tiles, at, columns))
}

/** How many tiles stand in the first row, as the browser laid them out. */
const columnsOf = (tiles: readonly HTMLElement[]): number => {
  const top = tiles[0]?.getBoundingClientRect().top
  const below = tiles.findIndex((tile) => tile.getBoundingClientRect().top !== top)
  return below < 0 ? tiles.length : below
}

const lastOfNextRow = (tiles: readonly HTMLElement[], at: number, columns: number): HTMLElement | undefined =>
  Math.floor(at / columns) < Math.floor((tiles.length - 1) / columns) ? tiles.at(-1) : undefined
