import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useState } from 'react'

/** What actions need from a chosen row. */
export type ChosenRow = Pick<MessageItem, 'id' | 'thread_id' | 'folder_id' | 'thread_count' | 'flags' | 'keywords'>

/** Chosen rows by their keys, or everything that the list has. */
export type Chosen = {
  rows: ReadonlyMap<string, ChosenRow>
  isAll: boolean
  /** With `isAll`: only messages received before this time are chosen, so that later mail is not. */
  before: string | undefined
}

const NONE: Chosen = { rows: new Map(), isAll: false, before: undefined }

export type Choosing = Chosen & {
  count: (total: number) => number
  has: (key: string) => boolean
  set: (rows: readonly ChosenRow[], chosen: boolean) => void
  chooseAll: (before: string) => void
  clear: () => void
  /** Rows that have left the list are not chosen any more. */
  forget: (keys: readonly string[]) => void
}

type KeyOf = (row: ChosenRow) => string

/** The chosen rows of one list; another list begins with none. They are kept by key, so that a refresh changes nothing. */
export const useChosen = (listKey: string, keyOf: KeyOf): Choosing => {
  const [state, setState] = useState({ listKey, chosen: NONE })
  const chosen = state.listKey === listKey ? state.chosen : NONE
  const change = (next: (before: Chosen) => Chosen) =>
    setState((before) => ({ listKey, chosen: next(before.listKey === listKey ? before.chosen : NONE) }))
  return {
    ...chosen,
    // Rows may have left the list since they were chosen
    count: (total) => (chosen.isAll ? total : Math.min(total, chosen.rows.size)),
    has: (key) => chosen.isAll || chosen.rows.has(key),
    set: (rows, isChosen) =>
      change(({ rows: before }) => ({ ...NONE, rows: withRows(before, rows, { isChosen, keyOf }) })),
    chooseAll: (before) => change(({ rows }) => ({ rows, isAll: true, before })),
    clear: () => change(() => NONE),
    forget: (keys) => change((before) => ({ ...before, rows: without(before.rows, keys) })),
  }
}

const withRows = (
  before: Chosen['rows'],
  touched: readonly ChosenRow[],
  { isChosen, keyOf }: { isChosen: boolean; keyOf: KeyOf },
): ReadonlyMap<string, ChosenRow> => {
  const next = new Map(before)
  for (const row of touched) {
    if (isChosen) next.set(keyOf(row), row)
    else next.delete(keyOf(row))
  }
  return next
}

const without = (before: Chosen['rows'], keys: readonly string[]): Chosen['rows'] => {
  const next = new Map(before)
  for (const key of keys) next.delete(key)
  return next
}
