import type { Problem } from '@stoa/cms-model/fields/define.ts'
import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { type KeyboardEvent, useState } from 'react'
import type { EditorProps } from '../editor.ts'
import { mayMove } from '../items.ts'
import { keyActionOf, OWN_ARROWS } from './row-shortcuts.ts'
import { countProblems, newRow, rowsOf } from './rows.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useRows } from './use-rows.ts'

/** The rows of a list, which of them are open, and everything that can be done with them, with the focus in its place. */
export const useList = ({ field, value, onChange, path, problems, disabled }: EditorProps<FieldOf<'list'>>) => {
  const rows = rowsOf(value)
  const { keys, actions } = useRows(rows, onChange)
  const open = useOpenRows(keys, problems, path)
  const focus = useRowFocus()
  // For those who do not see the rows move
  const [announcement, setAnnouncement] = useState('')
  const isFull = rows.length >= (field.maxItems ?? Number.POSITIVE_INFINITY)

  const add = (at: number) => {
    if (isFull) return
    const added = actions.insert(at, newRow(field.fields))
    open.show(added)
    focus.toFields(added[0])
  }
  const move = (from: number, to: number) => {
    if (!mayMove(rows.length, from, to)) return
    focus.keep()
    actions.move(from, to)
    setAnnouncement(`Item ${from + 1} moved to position ${to + 1} of ${rows.length}.`)
  }
  const remove = (index: number) => {
    const key = keys[index]
    if (key === undefined) return
    focus.toHead(keys[index + 1] ?? keys[index - 1])
    actions.remove(key)
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (event.defaultPrevented || disabled) return
    const action = keyActionOf(event, event.target instanceof Element && event.target.closest(OWN_ARROWS) !== null)
    if (action === undefined) return
    event.preventDefault()
    // Not of the list around this one
    event.stopPropagation()
    if (action === 'add') add(index + 1)
    else move(index, action === 'up' ? index - 1 : index + 1)
  }
  return { rows, keys, actions, open, focus, announcement, isFull, add, move, remove, press }
}

/** Which rows are open. Rows with new problems open by themselves. */
const useOpenRows = (keys: readonly string[], problems: readonly Problem[], path: string) => {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const inside = problems.filter(({ key }) => key.startsWith(`${path}.`))
  // Every refusal brings its own problems, also when they say the same
  const [seen, setSeen] = useState<readonly Problem[]>([])
  const isSame = inside.length === seen.length && inside.every((problem, index) => problem === seen[index])
  if (!isSame) {
    setSeen(inside)
    const fresh = inside.filter((problem) => !seen.includes(problem))
    const wrong = keys.filter((_, index) => countProblems(fresh, `${path}.${index}`) > 0)
    if (wrong.length > 0) setOpen(new Set([...open, ...wrong]))
  }
  return {
    isOpen: (key: string) => open.has(key),
    openCount: keys.filter((key) => open.has(key)).length,
    toggle: (key: string) =>
      setOpen(open.has(key) ? new Set([...open].filter((other) => other !== key)) : new Set([...open, key])),
    show: (shown: readonly string[]) => setOpen((current) => new Set([...current, ...shown])),
    closeAll: () => setOpen(new Set()),
  }
}
