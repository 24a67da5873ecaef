import { useStored } from '@stoa/ui/browser/stored.ts'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Narrower, a text beside the details would have too little room to be read. */
const ROOM_PX = 860

export type SideColumn = {
  /** The whole editor, whose width decides. */
  root: RefObject<HTMLDivElement | null>
  /** Beside the text; without room it is a layer over it. */
  isBeside: boolean
  isOpen: boolean
  setOpen: (open: boolean) => void
}

/** Where the details of an entry are shown. Whether they stand beside the text is remembered in this browser. */
export const useSideColumn = (): SideColumn => {
  const root = useRef<HTMLDivElement>(null)
  const [isBeside, setBeside] = useState(true)
  const [isColumnOpen, setColumnOpen] = useStored('entry-details', (stored) => stored !== false)
  const [isLayerOpen, setLayerOpen] = useState(false)
  useLayoutEffect(() => {
    const element = root.current
    if (!element) return
    const measure = () => setBeside(element.clientWidth >= ROOM_PX)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return isBeside
    ? { root, isBeside, isOpen: isColumnOpen, setOpen: setColumnOpen }
    : { root, isBeside, isOpen: isLayerOpen, setOpen: setLayerOpen }
}
