import { type RefObject, useEffect, useRef } from 'react'

type RowFocus = {
  /** On the element that holds the rows and, last, the button that adds one. */
  box: RefObject<HTMLFieldSetElement | null>
  /** A row was added: its first input is next. */
  added: () => void
  /** A row is gone, and the focus with it: the button that adds one is next. */
  removed: () => void
}

/** Keeps the focus where the work is while rows come and go. */
export const useRowFocus = (): RowFocus => {
  const box = useRef<HTMLFieldSetElement>(null)
  const pending = useRef<'row' | 'button'>(undefined)
  useEffect(() => {
    const target = pending.current
    pending.current = undefined
    if (target === 'row')
      box.current?.querySelector<HTMLElement>(':scope > ul > li:last-child :is(select, input, textarea)')?.focus()
    if (target === 'button') box.current?.querySelector<HTMLElement>(':scope > button:last-of-type')?.focus()
  })
  return {
    box,
    added: () => {
      pending.current = 'row'
    },
    removed: () => {
      pending.current = 'button'
    },
  }
}
