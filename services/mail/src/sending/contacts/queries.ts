import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ContactListRequest } from '@stoa/mail-model/contacts.ts'
import { type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../lists/lists.ts'
import type { ContactTable } from '../../tables/webmail.ts'
import type { Tables } from '../../tables.ts'

export type ContactRow = Omit<Selectable<ContactTable>, 'address_id'>

const COLUMNS = ['id', 'email', 'name', 'uses', 'last_used_at', 'created_at'] as const

export const listContactRows = (
  db: Db<Tables>,
  addressId: string,
  list: ContactListRequest,
): Promise<Page<ContactRow>> => {
  const all = db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId)
  const found = list.search ? all.where(contains(sql`concat_ws(' ', name, email)`, list.search)) : all
  return readPage(found, list, {
    columns: { uses: 'uses', last_used_at: 'last_used_at', email: 'email', name: 'name' },
    id: 'id',
  })
}

export const findContact = (db: Db<Tables>, addressId: string, id: string): Promise<ContactRow | undefined> =>
  db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId).where('id', '=', id).executeTakeFirst()

export const deleteContactRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('contact')
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .returning('id')
    .execute()
  return gone.length > 0
}

export type UsedContact = { id: string; email: string; name: string | null }

/** Counts everybody once more, new ones for the first time; a name is kept until there is another. Gives how many are new. */
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
        name = coalesce(excluded.name, c.name)
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

/** Forgets those who were written to longest ago, past a number of them. */
export const trimContacts = async (tx: Tx<Tables>, addressId: string, keep: number): Promise<void> => {
  await tx.query({
    text: `delete from contact where address_id = $1 and id = any (array(
        select id from contact where address_id = $1 order by last_used_at desc, id offset $2))`,
    values: [addressId, keep],
  })
}
