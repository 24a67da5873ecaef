import type { Members } from '@stoa/cms-model/fields/members.ts'
import { toast, toasts } from '@stoa/ui/feedback/toast-store.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { insertItem, mayMove, moveItem, removeItem, replaceItem } from '../items.ts'
import { type KeyedRows, keyRows, rekeyRows } from './row-keys.ts'

/** The actions on the rows of a list. Rows are named by their keys, since their positions can change. */
export type RowActions = {
  /** Gives the keys of the new rows. */
  insert: (at: number, ...rows: Members[]) => readonly string[]
  change: (key: string, member: string, value: unknown) => void
  duplicate: (key: string) => void
  remove: (key: string) => void
  move: (from: number, to: number) => void
}

/** The rows with stable keys, and actions that start from the newest rows, however late they are called. */
export const useRows = (rows: readonly Members[], onChange: (rows: Members[]) => void) => {
  const [known, setKnown] = useState<KeyedRows<Members>>(() => keyRows(rows))
  const isSame = known.rows.length === rows.length && known.rows.every((row, index) => row === rows[index])
  const keyed = isSame ? known : rekeyRows(known, rows)
  if (!isSame) setKnown(keyed)
  const latest = useRef({ keyed, onChange })
  useLayoutEffect(() => {
    latest.current = { keyed, onChange }
  })
  const undoable = useRef(new Set<number>())
  // An undo would write into a list that is not on the page any more
  useEffect(() => {
    const open = undoable.current
    return () => {
      for (const id of open) toasts.close(id)
    }
  }, [])

  const emit = (next: Members[]): KeyedRows<Members> => {
    const after = rekeyRows(latest.current.keyed, next)
    latest.current = { ...latest.current, keyed: after }
    setKnown(after)
    latest.current.onChange(next)
    return after
  }
  const indexOf = (key: string) => latest.current.keyed.keys.indexOf(key)
  const insert = (at: number, ...added: Members[]) => {
    const after = emit(insertItem(latest.current.keyed.rows, at, ...added))
    return added.flatMap((row) => after.keys[after.rows.indexOf(row)] ?? [])
  }
  const actions: RowActions = {
    insert,
    change: (key, member, value) => {
      const index = indexOf(key)
      const row = latest.current.keyed.rows[index]
      if (row) emit(replaceItem(latest.current.keyed.rows, index, { ...row, [member]: value }))
    },
    duplicate: (key) => {
      const index = indexOf(key)
      const row = latest.current.keyed.rows[index]
      if (row) insert(index + 1, structuredClone(row))
    },
    remove: (key) => {
      const index = indexOf(key)
      const row = latest.current.keyed.rows[index]
      if (!row) return
      emit(removeItem(latest.current.keyed.rows, index))
      const id = toast({
        title: `Item ${index + 1} deleted`,
        action: { label: 'Undo', onAction: () => void insert(index, row) },
      })
      undoable.current.add(id)
    },
    move: (from, to) => {
      const current = latest.current.keyed.rows
      if (mayMove(current.length, from, to)) emit(moveItem(current, from, to))
    },
  }
  return { keys: keyed.keys, actions }
}
