import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Contact, ContactListRequest } from '@stoa/mail-model/contacts.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Mailbox } from '../../formats/mime/mime.ts'
import { contains, type Page, readPage } from '../../lists/lists.ts'
import { signInOf } from '../../principal.ts'
import type { MailTx } from '../../store/store.ts'
import type { ContactTable } from '../../tables/webmail.ts'
import type { Tables } from '../../tables.ts'

/** More than anybody remembers. */
const MAX_CONTACTS = 10_000
const MAX_NAME = 200

/** Remembers whom a mailbox writes to, in the transaction that sends: by the names that the message gives them. */
export const gatherContacts = async (
  tx: MailTx,
  input: {
    addressId: string
    recipients: readonly { readonly address: string }[]
    named: readonly Mailbox[]
    now: Date
  },
): Promise<void> => {
  const { addressId, recipients, named, now } = input
  const names = new Map(named.map(({ name, email }) => [email.toLowerCase(), name]))
  const emails = new Set(recipients.map(({ address }) => address.toLowerCase()))
  const contacts = [...emails].map((email) => ({ id: newId(), email, name: nameOf(names.get(email) ?? null, email) }))
  if ((await upsertContacts(tx, { addressId, contacts, now })) > 0) await trimContacts(tx, addressId, MAX_CONTACTS)
}

/** Whom the mailbox has written to. */
export const getContacts = async (ctx: Ctx, list: ContactListRequest): Promise<List<Contact>> => {
  const { rows, total } = await listContactRows(ctx.db, signInOf(ctx).address.id, list)
  return toList(list, total, rows.map(contactJson))
}

export const loadContact = async (ctx: Ctx, { params }: { params: { contact_id: string } }): Promise<ContactRow> =>
  (await findContact(ctx.db, signInOf(ctx).address.id, params.contact_id)) ?? fail('not_found')

export const removeContact = async (ctx: Ctx, { id }: ContactRow) => {
  const isGone = await ctx.tx((tx) => deleteContactRow(tx, signInOf(ctx).address.id, id))
  return isGone ? ({ object: 'contact', id, deleted: true } as const) : fail('not_found')
}

/** A name that only repeats the address is none. */
const nameOf = (name: string | null, email: string): string | null => {
  const text = name?.replaceAll('\u0000', '').trim().slice(0, MAX_NAME).toWellFormed() ?? ''
  return text === '' || text.toLowerCase() === email ? null : text
}

const contactJson = (row: ContactRow): Contact => ({
  object: 'contact',
  id: row.id,
  email: row.email,
  name: row.name,
  uses: row.uses,
  last_used_at: row.last_used_at.toISOString(),
  created_at: row.created_at.toISOString(),
})

type ContactRow = Omit<Selectable<ContactTable>, 'address_id'>

const COLUMNS = ['id', 'email', 'name', 'uses', 'last_used_at', 'created_at'] as const

const listContactRows = (db: Db<Tables>, addressId: string, list: ContactListRequest): Promise<Page<ContactRow>> => {
  const all = db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId)
  const found = list.search ? all.where(contains(sql`concat_ws(' ', name, email)`, list.search)) : all
  return readPage(found, list, {
    columns: { uses: 'uses', last_used_at: 'last_used_at', email: 'email', name: 'name' },
    id: 'id',
  })
}

const findContact = (db: Db<Tables>, addressId: string, id: string): Promise<ContactRow | undefined> =>
  db.selectFrom('contact').select(COLUMNS).where('address_id', '=', addressId).where('id', '=', id).executeTakeFirst()

const deleteContactRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('contact')
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .returning('id')
    .execute()
  return gone.length > 0
}

type UsedContact = { id: string; email: string; name: string | null }

/** Counts everybody once more, new ones for the first time; a name is kept until there is another. Gives how many are new. */
const upsertContacts = async (
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
const trimContacts = async (tx: Tx<Tables>, addressId: string, keep: number): Promise<void> => {
  await tx.query({
    text: `delete from contact where address_id = $1 and id = any (array(
        select id from contact where address_id = $1 order by last_used_at desc, id offset $2))`,
    values: [addressId, keep],
  })
}
