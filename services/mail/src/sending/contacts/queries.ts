import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ContactListRequest } from '@stoa/mail-model/contacts.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { ContactTable } from '../../tables/webmail.ts'
import type { Tables } from '../../tables.ts'

export type ContactRow = Omit<Selectable<ContactTable>, 'address_id'>

const COLUMNS = ['id', 'email', 'name', 'note', 'is_saved', 'uses', 'last_used_at', 'created_at'] as const

export const listContactRows = (
  db: Db<Tables>,
  addressId: string,
  list: ContactListRequest,
): Promise<Page<ContactRow>> => {
  const all = db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId)
  const found = list.search ? all.where(contains(sql`concat_ws(' ', name, email)`, list.search)) : all
  return readPage(found, list, {
    // Contacts that were never written to are sorted last.
    columns: { uses: 'uses', last_used_at: sql`coalesce(last_used_at, '-infinity')`, email: 'email', name: 'name' },
    id: 'id',
  })
}

/** Whose name or address has all these words, most used first. */
export const matchingContacts = (
  db: Db<Tables>,
  { addressId, search, limit }: { addressId: string; search: string; limit: number },
): Promise<ContactRow[]> => {
  const text = sql`concat_ws(' ', name, email)`
  let found = db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId)
  for (const word of search.split(/\s+/).slice(0, 10)) found = found.where(contains(text, word))
  return found.orderBy('uses', 'desc').orderBy('id').limit(limit).execute()
}

export const findContact = (db: Db<Tables>, addressId: string, id: string): Promise<ContactRow | undefined> =>
  db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId).where('id', '=', id).executeTakeFirst()

/** Whether the mailbox has written to one of these, or its owner wrote one down. */
export const knowsContact = async (db: Db<Tables>, addressId: string, emails: readonly string[]): Promise<boolean> => {
  const rows = await db.query({
    name: 'contacts-know',
    text: 'select from contact where address_id = $1 and email = any ($2) limit 1',
    values: [addressId, emails.map((email) => email.toLowerCase())],
  })
  return rows.length > 0
}

export const countSaved = async (db: Db<Tables>, addressId: string): Promise<number> => {
  const row = await db
    .selectFrom('contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('address_id', '=', addressId)
    .where('is_saved', '=', true)
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertContact = (tx: Tx<Tables>, row: Insertable<ContactTable>): Promise<ContactRow> =>
  tx.insertInto('contact').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

export const updateContact = (
  tx: Tx<Tables>,
  addressId: string,
  id: string,
  change: Updateable<ContactTable>,
): Promise<ContactRow | undefined> =>
  tx
    .updateTable('contact')
    .set(change)
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

export const deleteContactRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('contact')
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .returning('id')
    .execute()
  return gone.length > 0
}

type UsedContact = { id: string; email: string; name: string | null }

/**
 * Counts everybody once more, new ones for the first time; a name is kept until there is another, and one that the owner
 * wrote for good. Gives how many are new.
 */
export const upsertContacts = async (
  tx: Tx<Tables>,
  { addressId, contacts, now }: { addressId: string; contacts: readonly UsedContact[]; now: Date },
): Promise<number> => {
  const rows = await tx.query<{ isNew: boolean }>({
    name: 'contacts-upsert',
    text: `insert into contact as c (address_id, id, email, name, uses, last_used_at, created_at)
      select $1, n.id, n.email, n.name, 1, $5, $5 from unnest($2::uuid[], $3::text[], $4::text[]) n (id, email, name)
      order by n.email
      on conflict (address_id, email) do update set uses = c.uses + 1, last_used_at = excluded.last_used_at,
        name = case when c.is_saved then coalesce(c.name, excluded.name) else coalesce(excluded.name, c.name) end
      returning (xmax = 0) as "isNew"`,
    values: [
      addressId,
      contacts.map(({ id }) => id),
      contacts.map(({ email }) => email),
      contacts.map(({ name }) => name),
      now,
    ],
  })
  return rows.filter(({ isNew }) => isNew).length
}

/** Forgets those who were written to longest ago, past a number of them; those that the owner wrote down stay. */
export const trimContacts = async (tx: Tx<Tables>, addressId: string, keep: number): Promise<void> => {
  await tx.query({
    text: `delete from contact where address_id = $1 and id = any (array(
        select id from contact where address_id = $1 and not is_saved order by last_used_at desc, id offset $2))`,
    values: [addressId, keep],
  })
}
