import { type RefObject, useEffect, useRef } from 'react'

type RowFocus = {
  /** For the element around the rows. */
  ref: RefObject<HTMLDivElement | null>
  /** The part of the row that has the focus keeps it when the row moves. */
  keep: () => void
  /** The name of this row gets it next. */
  to: (id: string) => void
}

/** Moving a row in the page takes the focus from it: it goes back after the next drawing. */
export const useRowFocus = (): RowFocus => {
  const ref = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    ref.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = undefined
  })
  return {
    ref,
    keep: () => {
      const { row, part } = document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {}
      if (row !== undefined && part !== undefined) wanted.current = selectorOf(row, part)
    },
    to: (id) => {
      wanted.current = selectorOf(id, 'name')
    },
  }
}

const selectorOf = (id: string, part: string): string => `[data-row="${CSS.escape(id)}"][data-part="${part}"]`
