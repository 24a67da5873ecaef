import { useRef, useState } from 'react'

export type Selection = {
  keys: ReadonlySet<string>
  toggle: (key: string, order: readonly string[], range: boolean) => void
  setAll: (keys: readonly string[], chosen: boolean) => void
  clear: () => void
}

/**
 * The chosen rows of a list, kept by key so that they survive a refresh; Shift chooses a range. `of` names the list where
 * rows are acted on unseen: whatever was chosen of another one is no longer chosen.
 */
export const useSelection = (of = ''): Selection => {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [chosenOf, setChosenOf] = useState(of)
  if (chosenOf !== of) {
    setChosenOf(of)
    setKeys(new Set())
  }
  const anchor = useRef<string>(undefined)
  return {
    keys,
    toggle: (key, order, range) => {
      const touched = range ? between(order, anchor.current, key) : [key]
      setKeys(withKeys(keys, touched, !keys.has(key)))
      anchor.current = key
    },
    setAll: (all, chosen) => setKeys(withKeys(keys, all, chosen)),
    clear: () => setKeys(new Set()),
  }
}

/** The keys from one row to another, in the order of the list; only the second when the first is gone. */
export const between = (order: readonly string[], from: string | undefined, to: string): readonly string[] => {
  const start = from === undefined ? -1 : order.indexOf(from)
  const end = order.indexOf(to)
  if (start < 0 || end < 0) return [to]
  return order.slice(Math.min(start, end), Math.max(start, end) + 1)
}

const withKeys = (keys: ReadonlySet<string>, touched: readonly string[], chosen: boolean): ReadonlySet<string> => {
  const next = new Set(keys)
  for (const key of touched) {
    if (chosen) next.add(key)
    else next.delete(key)
  }
  return next
}
