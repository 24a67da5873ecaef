import type { Problem } from './define.ts'
import { type Field, keyProblem } from './field.ts'
import { isRecord, type Members, memberOf } from './members.ts'

/** New keys of fields by their present ones. A field inside a list is named by its path, on both sides. */
export type Renames = Readonly<Record<string, string>>

/** The fields under their new keys. */
export const renameFields = (fields: readonly Field[], renames: Renames, prefix = ''): Field[] =>
  fields.map((field) => {
    const path = prefix + field.key
    const inner = field.type === 'list' ? { fields: renameFields(field.fields, renames, `${path}.`) } : {}
    return { ...field, ...inner, key: newKey(renames, path) ?? field.key }
  })

/** Stored members under the new keys of their fields; the very same object when none of them has another one. */
export const renameMembers = (members: Members, renames: Renames): Members => {
  const tree = treeOf(renames)
  return tree.size === 0 ? members : renameBy(tree, members)
}

/** The new keys, by their path, under which the members already hold something: values of fields that are gone. */
export const occupiedTargets = (members: Members, renames: Renames): string[] =>
  Object.values(renames).filter((to) =>
    valuesAt(members, to.split('.')).some((value) => value !== undefined && value !== null && value !== ''),
  )

/** The values at a path through lists: one per item. */
export const valuesAt = (members: Members, path: readonly string[]): unknown[] => {
  const [key = '', ...rest] = path
  const value = memberOf(members, key)
  if (rest.length === 0) return [value]
  return (Array.isArray(value) ? value.filter(isRecord) : []).flatMap((item) => valuesAt(item, rest))
}

/** What is wrong with renames, by `renames.<path>`; `next` are the fields as they would be. */
export const checkRenames = (renames: Renames, present: readonly Field[], next: readonly Field[]): Problem[] => {
  const known = new Set(pathsOf(present))
  const wanted = new Set(pathsOf(next))
  const becomes = new Map([...formerPaths(present, renames)].map(([path, former]) => [former, path]))
  const targets = Object.values(renames)
  return Object.entries(renames).flatMap(([from, to]) => {
    const refuse = (message: string): Problem[] => [{ key: `renames.${from.slice(0, 600)}`, message }]
    if (!known.has(from)) return refuse("isn't a field of this type")
    if (parentOf(from) !== parentOf(to)) return refuse('must stay in the same list')
    const problem = keyProblem(to.slice(parentOf(to).length))
    if (problem !== null) return refuse(problem)
    if (known.has(to)) return refuse(`${to} is already the key of another field; choose another one`)
    if (targets.filter((target) => target === to).length > 1) return refuse(`${to} is used twice`)
    return wanted.has(becomes.get(from) ?? '') ? [] : refuse(`${to} is missing from the fields`)
  })
}

/** Where each field of the renamed ones was before: the path that its stored values still have. */
export const formerPaths = (present: readonly Field[], renames: Renames): Map<string, string> => {
  const former = pathsOf(present)
  return new Map(pathsOf(renameFields(present, renames)).map((path, index) => [path, former[index] ?? path]))
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1)

const newKey = (renames: Renames, path: string): string | undefined =>
  Object.hasOwn(renames, path) ? renames[path]?.slice(parentOf(path).length) : undefined

const pathsOf = (fields: readonly Field[], prefix = ''): string[] =>
  fields.flatMap((field) => {
    const path = prefix + field.key
    return [path, ...(field.type === 'list' ? pathsOf(field.fields, `${path}.`) : [])]
  })

/** What happens to the members of one level: their new key, and the renames inside of their items. */
type Tree = Map<string, { to: string; inner: Tree }>

const treeOf = (renames: Renames): Tree => {
  const tree: Tree = new Map()
  for (const [from, to] of Object.entries(renames)) {
    const parts = from.split('.')
    let level = tree
    for (const [index, part] of parts.entries()) {
      const step = level.get(part) ?? { to: part, inner: new Map() }
      if (index === parts.length - 1) step.to = to.slice(to.lastIndexOf('.') + 1)
      level.set(part, step)
      level = step.inner
    }
  }
  return tree
}

const renameBy = (tree: Tree, members: Members): Members => {
  let isChanged = false
  const targets = new Set([...tree.values()].map(({ to }) => to))
  const renamed = Object.entries(members).flatMap(([key, value]) => {
    const step = tree.get(key)
    // Nothing is lost: the caller has checked `occupiedTargets`.
    if (step === undefined) return targets.has(key) ? [] : [[key, value] as const]
    const next = step.inner.size > 0 && Array.isArray(value) ? renameItems(step.inner, value) : value
    isChanged ||= step.to !== key || next !== value
    return [[step.to, next] as const]
  })
  return isChanged ? Object.fromEntries(renamed) : members
}

const renameItems = (tree: Tree, items: readonly unknown[]): readonly unknown[] => {
  const renamed = items.map((item) => (isRecord(item) ? renameBy(tree, item) : item))
  return renamed.some((item, index) => item !== items[index]) ? renamed : items
}
