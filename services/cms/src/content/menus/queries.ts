import type { Page } from '@stoa/cms-model/lists.ts'
import { type MenuItem, menuItems } from '@stoa/cms-model/menus.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

export type Menu = {
  name: string
  label: string
  items: MenuItem[]
  version: number
  createdAt: Date
  updatedAt: Date
}

const columns = ['name', 'label', 'items', 'version', 'created_at', 'updated_at'] as const
type Row = { name: string; label: string; items: unknown; version: number; created_at: Date; updated_at: Date }

export const findMenu = async (db: CmsDb, name: string): Promise<Menu | null> => {
  const row = await db.selectFrom('menu').select(columns).where('name', '=', name).executeTakeFirst()
  return row ? toMenu(row) : null
}

/** The menu, which nobody else changes before the transaction ends. */
export const lockMenu = async (tx: CmsTx, name: string): Promise<Menu | null> => {
  const row = await tx.selectFrom('menu').select(columns).where('name', '=', name).forUpdate().executeTakeFirst()
  return row ? toMenu(row) : null
}

export const listMenus = async (db: CmsDb, { page, limit }: Page): Promise<{ menus: Menu[]; total: number }> => {
  const { count } = await db
    .selectFrom('menu')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('menu')
    .select(columns)
    .orderBy('name')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { menus: rows.map(toMenu), total: count }
}

export type Stamp = { at: Date; by: string | null }

export const insertMenu = async (
  tx: CmsTx,
  menu: { name: string; label: string; items: readonly MenuItem[] },
  { at, by }: Stamp,
): Promise<Menu> => {
  const row = await tx
    .insertInto('menu')
    .values({
      name: menu.name,
      label: menu.label,
      items: JSON.stringify(menu.items),
      created_at: at,
      updated_at: at,
      updated_by: by,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toMenu(row)
}

export type MenuChanges = { label?: string; items?: readonly MenuItem[] }

export const updateMenu = async (tx: CmsTx, name: string, changes: MenuChanges, { at, by }: Stamp): Promise<Menu> => {
  const row = await tx
    .updateTable('menu')
    .set((set) => ({
      ...(changes.label === undefined ? {} : { label: changes.label }),
      ...(changes.items === undefined ? {} : { items: JSON.stringify(changes.items) }),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('name', '=', name)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toMenu(row)
}

export const deleteMenu = async (tx: CmsTx, name: string): Promise<void> => {
  await tx.deleteFrom('menu').where('name', '=', name).execute()
}

/** Who changed the menu last. */
export const findLastEditor = async (db: CmsDb, name: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('menu')
    .innerJoin('account', 'account.id', 'menu.updated_by')
    .select(['account.id', 'account.name'])
    .where('menu.name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export type MenuName = { name: string; label: string }

/** The menus that lead to an entry, at any depth. */
export const listMenusTo = (db: CmsDb, entryId: string): Promise<MenuName[]> =>
  db.query({
    name: 'list-menus-to',
    text: `select name, label from menu
      where exists (select from jsonb_path_query(items, 'strict $.**.entryId') as target where target = to_jsonb($1::text))
      order by name`,
    values: [entryId],
  })

/** Which of these are entries that are not in the trash. */
export const listKnownEntries = async (db: CmsDb, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('entry')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const toMenu = (row: Row): Menu => ({
  name: row.name,
  label: row.label,
  items: menuItems.parse(row.items),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
