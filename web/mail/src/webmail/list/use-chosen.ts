import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useState } from 'react'

/** What acts need to know of a chosen row. */
export type ChosenRow = Pick<MessageItem, 'id' | 'thread_id' | 'folder_id' | 'thread_count' | 'flags' | 'keywords'>

/** Chosen rows by their ids, or everything that the list has. */
export type Chosen = { rows: ReadonlyMap<string, ChosenRow>; isAll: boolean }

const NONE: Chosen = { rows: new Map(), isAll: false }

export type Choosing = Chosen & {
  count: (total: number) => number
  has: (id: string) => boolean
  set: (rows: readonly ChosenRow[], chosen: boolean) => void
  chooseAll: () => void
  clear: () => void
  /** Rows that have left the list are not chosen any more. */
  forget: (ids: readonly string[]) => void
}

/** The chosen rows of one list; another list begins with none. They are kept by id, so that a refresh changes nothing. */
export const useChosen = (listKey: string): Choosing => {
  const [state, setState] = useState({ listKey, chosen: NONE })
  const chosen = state.listKey === listKey ? state.chosen : NONE
  const change = (next: (before: Chosen) => Chosen) =>
    setState((before) => ({ listKey, chosen: next(before.listKey === listKey ? before.chosen : NONE) }))
  return {
    ...chosen,
    count: (total) => (chosen.isAll ? total : chosen.rows.size),
    has: (id) => chosen.isAll || chosen.rows.has(id),
    set: (rows, isChosen) => change(({ rows: before }) => ({ rows: withRows(before, rows, isChosen), isAll: false })),
    chooseAll: () => change((before) => ({ ...before, isAll: true })),
    clear: () => change(() => NONE),
    forget: (ids) => change((before) => ({ ...before, rows: without(before.rows, ids) })),
  }
}

const withRows = (
  before: Chosen['rows'],
  touched: readonly ChosenRow[],
  isChosen: boolean,
): ReadonlyMap<string, ChosenRow> => {
  const next = new Map(before)
  for (const row of touched) {
    if (isChosen) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

const without = (before: Chosen['rows'], ids: readonly string[]): Chosen['rows'] => {
  const next = new Map(before)
  for (const id of ids) next.delete(id)
  return next
}
