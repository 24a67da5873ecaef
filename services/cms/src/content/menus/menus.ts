import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import {
  type CreateMenuInput,
  entriesOfMenu,
  type MenuItemInput,
  toMenuItems,
  type UpdateMenuInput,
} from '@stoa/cms-model/menus.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type ChangeRecord, recordChange } from '../../events/events.ts'
import { personOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import {
  deleteMenu,
  findLastEditor,
  findMenu,
  insertMenu,
  listKnownEntries,
  listMenus as listMenuRows,
  listMenusTo,
  lockMenu,
  type Menu,
  type MenuChanges,
  type MenuName,
  updateMenu as updateMenuRow,
} from './queries.ts'

export type { Menu }

export const listMenus = async (ctx: Ctx, page: Page): Promise<List<Menu>> => {
  const { menus, total } = await listMenuRows(ctx.db, page)
  return toList(menus, total, page)
}

/** The menu with its tree as it was saved; null when there is none of this name. */
export const readMenu = (db: CmsDb, name: string): Promise<Menu | null> => findMenu(db, name)

/** The menus that lead to an entry. */
export const menusTo = (db: CmsDb, entryId: string): Promise<MenuName[]> => listMenusTo(db, entryId)

export const getMenu = async (ctx: Ctx, name: string): Promise<Menu> =>
  (await findMenu(ctx.db, name)) ?? fail('NOT_FOUND')

export const createMenu = (ctx: Ctx, { name, label = name, items = [] }: CreateMenuInput): Promise<Menu> =>
  ctx.tx(async (tx) => {
    await refuseUnknownEntries(tx, items)
    const menu = { name, label, items: toMenuItems(items, newId) }
    const created = await insertMenu(tx, menu, changeOf(ctx)).catch(refuseTakenName)
    await recordChange(ctx, tx, { ...activityOf('menu.created', created), events: [event('menu.updated', created)] })
    return created
  })

/** Changes the members sent; items are replaced whole, and those that come with their id keep it. */
export const updateMenu = (ctx: Ctx, name: string, input: UpdateMenuInput, wanted: WantedVersion): Promise<Menu> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, name, wanted)
    if (input.items) await refuseUnknownEntries(tx, input.items)
    const changes = changesOf(present, input)
    const changed = Object.keys(changes)
    if (changed.length === 0) return present
    const saved = await updateMenuRow(tx, name, changes, changeOf(ctx))
    await recordChange(ctx, tx, {
      ...activityOf('menu.updated', saved),
      changed,
      events: [event('menu.updated', saved)],
    })
    return saved
  })

/** Not recoverable. */
export const removeMenu = (ctx: Ctx, name: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, name, wanted)
    await deleteMenu(tx, name)
    await recordChange(ctx, tx, { ...activityOf('menu.deleted', present), events: [event('menu.deleted', present)] })
  })

const lockForChange = async (tx: CmsTx, name: string, wanted: WantedVersion): Promise<Menu> => {
  const present = (await lockMenu(tx, name)) ?? fail('NOT_FOUND')
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, name))
  return present
}

const changeOf = (ctx: Ctx) => ({ at: ctx.now(), by: personOf(ctx)?.id ?? null })

const changesOf = (present: Menu, input: UpdateMenuInput): MenuChanges => {
  const items = input.items && toMenuItems(input.items, newId)
  return {
    ...(input.label === undefined || input.label === present.label ? {} : { label: input.label }),
    ...(items === undefined || JSON.stringify(items) === JSON.stringify(present.items) ? {} : { items }),
  }
}

const refuseUnknownEntries = async (db: CmsDb, items: readonly MenuItemInput[]): Promise<void> => {
  const paths = entriesOfMenu(items)
  if (paths.size === 0) return
  const known = await listKnownEntries(db, [...paths.keys()])
  const unknown = [...paths].filter(([id]) => !known.has(id)).flatMap(([, places]) => places)
  const message = "must be an entry that isn't in the trash"
  if (unknown.length > 0) failFields(unknown.map((path) => ({ key: `items.${path}`, message })))
}

const activityOf = (action: string, { name, label }: Menu): Pick<ChangeRecord, 'action' | 'target'> => ({
  action,
  target: { kind: 'menu', id: name, label },
})

const event = (name: 'menu.updated' | 'menu.deleted', menu: Menu) => ({
  name,
  data: { id: menu.name, slug: menu.name, title: menu.label },
  isPublic: true,
})

const refuseTakenName = (raised: unknown): never => {
  if (isConflict(raised, 'menu_pkey'))
    return fail('NAME_TAKEN', { cause: raised, message: 'Another menu already has this name' })
  throw raised
}
