import type { PaletteGroup, PaletteItem } from '@stoa/ui/shell/command-palette.tsx'
import { useEffect, useRef } from 'react'

type Source = { heading: string; items: () => readonly PaletteItem[] }

const sources = new Set<Source>()

/** Offers actions in the command menu, above everything else, as long as the component is on the screen. */
export const useCommands = (heading: string, items: readonly PaletteItem[]): void => {
  const latest = useRef(items)
  useEffect(() => {
    latest.current = items
  })
  useEffect(() => {
    const source: Source = { heading, items: () => latest.current }
    sources.add(source)
    return () => void sources.delete(source)
  }, [heading])
}

/** The actions of the current screen. */
export const screenCommands = (): readonly PaletteGroup[] =>
  [...sources].map(({ heading, items }) => ({ heading, items: items() })).filter(({ items }) => items.length > 0)
