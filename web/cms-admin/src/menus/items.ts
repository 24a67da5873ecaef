import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { type MenuItem, updateMenuInput } from '@stoa/cms-model/menus.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import { sentence } from '@stoa/ui/request/request.ts'
import type { LeafItem } from './tree.ts'

/** An item that nobody else has yet; ids stay, so that others can refer to it. */
export const newLink = (): LeafItem => ({ id: newItemId(), label: '', url: '' })

export const newEntryLink = (entryId: string, label: string): LeafItem => ({ id: newItemId(), label, entryId })

/** The item with an address in place of whatever it led to. */
export const toAddress = ({ id, label, target }: LeafItem, url: string): LeafItem => ({
  id,
  label,
  url,
  ...(target ? { target } : {}),
})

/** The item with an entry in place of whatever it led to; without a label, it gets the entry's title. */
export const toEntry = ({ id, label, target }: LeafItem, entry: { id: string; title: string }): LeafItem => ({
  id,
  label: label.trim() === '' ? entry.title : label,
  entryId: entry.id,
  ...(target ? { target } : {}),
})

export const inNewTab = ({ target: _, ...item }: LeafItem, on: boolean): LeafItem =>
  on ? { ...item, target: '_blank' } : item

export const nameOfItem = (item: LeafItem): string => item.label.trim() || item.url || 'New link'

/** Problems of a menu that are clear before it is sent, by the keys that the service uses. */
export const menuProblems = (menu: { label: string; items: readonly MenuItem[] }): FieldProblem[] => {
  const { error } = updateMenuInput.safeParse(menu, { error: issueText })
  const problems = (error?.issues ?? []).map(({ path, message }) => ({
    key: path.join('.'),
    message: sentence(message),
  }))
  const typed = problems.map((problem) => ({ ...problem, message: words(problem, menu) }))
  return [...new Map(typed.toReversed().map((problem) => [problem.key, problem])).values()].toReversed()
}

/** Problems of one row, and not of those below it. */
export const problemsAt = (problems: readonly FieldProblem[], path: string): FieldProblem[] =>
  problems
    .filter(({ key }) => key === path || (key.startsWith(`${path}.`) && !key.startsWith(`${path}.children.`)))
    .map(({ key, message }) => ({ key: key.slice(path.length + 1), message }))

const words = ({ key, message }: FieldProblem, menu: { items: readonly MenuItem[] }): string => {
  if (key.endsWith('label')) return message === 'Must not be empty.' ? 'Enter a label.' : message
  return key.endsWith('url') && readAt(menu, key) === '' ? 'Enter a URL, or choose an entry.' : message
}

const readAt = (value: unknown, key: string): unknown =>
  key.split('.').reduce<unknown>((inner, part) => {
    return typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined
  }, value)

/** As random as a UUID; pages without https have no `crypto.randomUUID`. */
const newItemId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
