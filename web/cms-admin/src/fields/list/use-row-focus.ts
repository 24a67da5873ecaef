import { useLayoutEffect, useRef } from 'react'

type Wanted = { key: string | undefined; part: 'fields' | 'head' }

/** Keeps the focus on what has it while rows change their places, and leads it to rows that come, and from those that go. */
export const useRowFocus = () => {
  const root = useRef<HTMLDivElement>(null)
  const kept = useRef<Element>(null)
  const wanted = useRef<Wanted>(undefined)
  const given = useRef<HTMLElement>(undefined)
  useLayoutEffect(() => {
    if (kept.current instanceof HTMLElement && kept.current.isConnected && document.activeElement !== kept.current)
      kept.current.focus()
    kept.current = null
    const target = wanted.current && root.current ? find(root.current, wanted.current) : undefined
    if (!target) return
    wanted.current = undefined
    given.current = target
    target.focus()
  })
  return {
    root,
    /** Before rows change their places. */
    keep: () => {
      kept.current = document.activeElement
    },
    /** To the first input of a row that comes now. */
    toFields: (key: string | undefined) => {
      wanted.current = { key, part: 'fields' }
    },
    /** To a row that stays while its neighbor goes, or to the button that adds one. */
    toHead: (key: string | undefined) => {
      wanted.current = { key, part: 'head' }
    },
    /** A menu that closes takes the focus with it. */
    again: () => given.current?.focus(),
  }
}

const INPUTS = 'input, textarea, select, [contenteditable=true], button'

// In two steps: a row may be inside the fields of another one
const find = (root: HTMLElement, { key, part }: Wanted): HTMLElement | null | undefined => {
  if (key === undefined) return [...root.querySelectorAll<HTMLElement>('[data-list-add]')].at(-1)
  const row = root.querySelector(`[data-row="${key}"]`)
  const head = part === 'head' ? row?.querySelector<HTMLElement>('[data-row-head]') : undefined
  return head ?? row?.querySelector('[data-row-fields]')?.querySelector<HTMLElement>(INPUTS)
}
