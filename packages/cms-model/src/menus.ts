import { z } from 'zod'
import type { FieldProblem } from './errors.ts'
import { typeName } from './fields/names.ts'
import { linkUrl } from './html/urls.ts'
import { moment } from './moments.ts'
import { oneLine } from './one-line.ts'

/** Visitors do not find a sixth level of navigation. */
export const MAX_MENU_DEPTH = 5
/** A menu is sent whole with every page. */
export const MAX_MENU_ITEMS = 500
const MAX_LABEL_LENGTH = 200
const MAX_URL_LENGTH = 2048

/** Page templates ask for a menu by its name, so that it never changes. */
export const menuName = typeName

const menuLabel = oneLine({ min: 1, max: MAX_LABEL_LENGTH })

const targets = ['_self', '_blank'] as const

/** One place of a menu: an address, or an entry whose address delivery looks up. */
export type MenuItem = {
  id: string
  label: string
  url?: string | undefined
  entryId?: string | undefined
  target?: (typeof targets)[number] | undefined
  children: MenuItem[]
}

/** Where a menu may lead: http, https, mailto, tel, a path of the site or a place on the page; anything else is null. */
export const menuUrl = (value: string): string | null => {
  const text = value.trim()
  if (text.length > MAX_URL_LENGTH) return null
  // `//host` leaves the site, and a bare word means something else on every page.
  return /^(?:https?:\/\/[^/]|mailto:.|tel:.|\/(?!\/)|#)/i.test(text) ? linkUrl(text) : null
}

const menuUrlInput = z.string().transform((text, context): string => {
  const address = menuUrl(text)
  if (address !== null) return address
  context.addIssue({
    code: 'custom',
    message: 'must be an http, https, mailto or tel URL, or start with / or #',
  })
  return z.NEVER
})

const menuItemInput = z.strictObject({
  /** Kept when sent, so that others can refer to the item; made otherwise. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9][\w-]{0,63}$/, 'must contain only letters, digits, - and _, up to 64 characters')
    .optional(),
  label: menuLabel,
  url: menuUrlInput.nullish(),
  entryId: z.uuid('must be the ID of an entry').nullish(),
  target: z.enum(targets).nullish(),
  get children(): z.ZodOptional<z.ZodArray<typeof menuItemInput>> {
    return z.array(menuItemInput).optional()
  },
})
export type MenuItemInput = z.infer<typeof menuItemInput>

const menuItemsInput = z.array(menuItemInput).superRefine((items, context) => {
  for (const { key, message } of treeProblems(items))
    context.addIssue({ code: 'custom', path: key === '' ? [] : key.split('.'), message })
})

export const createMenuInput = z.strictObject({
  name: menuName,
  /** The name, if absent. */
  label: menuLabel.optional(),
  items: menuItemsInput.optional(),
})
export type CreateMenuInput = z.infer<typeof createMenuInput>

/** Only the members sent change; the items are replaced whole. */
export const updateMenuInput = z.strictObject({
  label: menuLabel.optional(),
  items: menuItemsInput.optional(),
  version: z.int().min(1).optional(),
})
export type UpdateMenuInput = z.infer<typeof updateMenuInput>

const menuItem = z.object({
  id: z.string(),
  label: z.string(),
  url: z.string().optional(),
  entryId: z.uuid().optional(),
  target: z.enum(targets).optional(),
  get children(): z.ZodArray<typeof menuItem> {
    return z.array(menuItem)
  },
})

/** The tree of a menu, as it is stored and shown. */
export const menuItems = z.array(menuItem)

export const menu = z.object({
  name: z.string(),
  label: z.string(),
  items: menuItems,
  version: z.int(),
  createdAt: moment,
  updatedAt: moment,
})
export type Menu = z.infer<typeof menu>

/** The items to store: each with an id, and without members that say nothing. */
export const toMenuItems = (items: readonly MenuItemInput[], newId: () => string): MenuItem[] =>
  items.map(({ id, label, url, entryId, target, children }) => ({
    id: id ?? newId(),
    label,
    ...(typeof url === 'string' && { url }),
    ...(typeof entryId === 'string' && { entryId }),
    ...(target && { target }),
    children: toMenuItems(children ?? [], newId),
  }))

/** The entries that a menu leads to, each with the dot paths of the items that do. */
export const entriesOfMenu = (items: readonly MenuItemInput[]): Map<string, string[]> => {
  const paths = new Map<string, string[]>()
  for (const { item, path } of walk(items))
    if (typeof item.entryId === 'string')
      paths.set(item.entryId, [...(paths.get(item.entryId) ?? []), `${path}.entryId`])
  return paths
}

type NestedItem = { item: MenuItemInput; path: string; depth: number }

/** Every item, a parent before its children, with its dot path below `items`. */
const walk = function* (items: readonly MenuItemInput[], parent = '', depth = 1): Generator<NestedItem> {
  for (const [index, item] of items.entries()) {
    const path = `${parent}${index}`
    yield { item, path, depth }
    yield* walk(item.children ?? [], `${path}.children.`, depth + 1)
  }
}

/** What is wrong with items that are right one by one. */
const treeProblems = (items: readonly MenuItemInput[]): FieldProblem[] => {
  const nested = [...walk(items)]
  if (nested.length > MAX_MENU_ITEMS) return [{ key: '', message: `must have at most ${MAX_MENU_ITEMS} items` }]
  const ids = new Set<string>()
  return nested.flatMap(({ item, path, depth }) => {
    const problems = itemProblems(item, path, depth)
    if (item.id !== undefined && ids.has(item.id))
      problems.push({ key: `${path}.id`, message: 'must not be the ID of another item' })
    if (item.id !== undefined) ids.add(item.id)
    return problems
  })
}

const itemProblems = ({ url, entryId }: MenuItemInput, path: string, depth: number): FieldProblem[] => {
  const problems: FieldProblem[] = []
  const hasUrl = typeof url === 'string'
  const hasEntry = typeof entryId === 'string'
  if (hasUrl && hasEntry) problems.push({ key: `${path}.url`, message: 'must be left out if entryId is set' })
  if (!hasUrl && !hasEntry) problems.push({ key: `${path}.url`, message: 'is required, unless entryId is set' })
  // Its children are deeper still, and not worth a line each.
  if (depth === MAX_MENU_DEPTH + 1)
    problems.push({ key: path, message: `must not be nested deeper than ${MAX_MENU_DEPTH} levels` })
  return problems
}
