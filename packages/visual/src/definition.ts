import { isObject } from './is-object.ts'
import { compileSelector, type Matcher } from './selectors.ts'

/** The members of a visual definition that concern the page. Hosts wrote it, and it is unchecked. */
export type Definition = {
  readonly sections?:
    | readonly { readonly id: string; readonly selector: string; readonly movable?: boolean | undefined }[]
    | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** The members of a website manifest that concern the page. */
export type Website = { readonly parts: readonly { readonly id: string; readonly selector: string }[] }

/** Elements that get a name: of a section, of a field, of a part. */
export type ElementTarget = { readonly name: string; readonly matches: Matcher }
export type SectionTarget = ElementTarget & { readonly isDeclaredMovable: boolean }

export type Targets = {
  readonly sections: readonly SectionTarget[]
  readonly ids: ReadonlySet<string>
  readonly fields: readonly ElementTarget[]
}

/** The elements to look for in pages; invalid entries are left out. Compiled once for each definition. */
export const targetsOf = (definition: object): Targets => remember(targets, definition, readTargets)
export const partsOf = (website: object): readonly ElementTarget[] => remember(parts, website, readParts)

const targets = new WeakMap<object, Targets>()
const parts = new WeakMap<object, readonly ElementTarget[]>()

const remember = <T>(cache: WeakMap<object, T>, key: object, make: (key: object) => T): T => {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make(key)
  cache.set(key, made)
  return made
}

const readTargets = (definition: object): Targets => {
  const { sections: declared, fields } = definition as Readonly<Record<string, unknown>>
  const sections = itemsById(declared).flatMap((section) =>
    target(section.id, section.selector).map((found) => ({ ...found, isDeclaredMovable: section.movable !== false })),
  )
  return {
    sections,
    ids: new Set(sections.map(({ name }) => name)),
    fields: Object.entries(isObject(fields) ? fields : {}).flatMap(([key, selector]) => target(key, selector)),
  }
}

const readParts = (website: object): ElementTarget[] =>
  itemsById((website as Readonly<Record<string, unknown>>).parts).flatMap(({ id, selector }) => target(id, selector))

type WithId = { readonly id: string; readonly [member: string]: unknown }

/** Members of a list that have an id. A repeated id means the first. */
const itemsById = (list: unknown): WithId[] => {
  const byId = new Map<string, WithId>()
  for (const item of Array.isArray(list) ? list : []) if (hasId(item) && !byId.has(item.id)) byId.set(item.id, item)
  return [...byId.values()]
}

const hasId = (value: unknown): value is WithId => isObject(value) && typeof value.id === 'string' && value.id !== ''

const target = (name: string, selector: unknown): ElementTarget[] => {
  const matches = compileSelector(selector)
  return matches ? [{ name, matches }] : []
}
