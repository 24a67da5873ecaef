import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Contact, ContactInput, ContactListRequest, ContactUpdate } from '@stoa/mail-model/contacts.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Mailbox } from '../../formats/mime/mime.ts'
import { signInOf } from '../../principal.ts'
import type { MailTx } from '../../store/store.ts'
import {
  type ContactRow,
  countSaved,
  deleteContactRow,
  findContact,
  insertContact,
  listContactRows,
  trimContacts,
  updateContact,
  upsertContacts,
} from './queries.ts'

export { knowsContact } from './queries.ts'
export { getSuggestions } from './suggestions.ts'

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

/** Whom the mailbox has written to, and whom its owner wrote down. */
export const getContacts = async (ctx: Ctx, list: ContactListRequest): Promise<List<Contact>> => {
  const { rows, total } = await listContactRows(ctx.db, signInOf(ctx).address.id, list)
  return toList(list, total, rows.map(contactJson))
}

export const loadContact = async (ctx: Ctx, { params }: { params: { contact_id: string } }): Promise<ContactRow> =>
  (await findContact(ctx.db, signInOf(ctx).address.id, params.contact_id)) ?? fail('not_found')

export const addContact = (ctx: Ctx, { email, name, note }: ContactInput): Promise<Contact> =>
  ctx.tx(async (tx) => {
    const addressId = signInOf(ctx).address.id
    if ((await countSaved(tx, addressId)) >= MAX_CONTACTS)
      fail('quota_exceeded', { message: `A mailbox can have up to ${MAX_CONTACTS} contacts.` })
    const row = { address_id: addressId, id: newId(), email, name: name ?? null, note: note ?? null, uses: 0 }
    return contactJson(
      await insertContact(tx, { ...row, is_saved: true, last_used_at: null, created_at: ctx.now() }).catch(takenBefore),
    )
  })

export const changeContact = async (ctx: Ctx, { id }: ContactRow, input: ContactUpdate): Promise<Contact> => {
  const change = {
    ...(input.email !== undefined && { email: input.email }),
    ...(input.name !== undefined && { name: input.name }),
    ...(input.note !== undefined && { note: input.note }),
    is_saved: true,
  }
  const row = await ctx.tx((tx) => updateContact(tx, signInOf(ctx).address.id, id, change).catch(takenBefore))
  return row ? contactJson(row) : fail('not_found')
}

const takenBefore = (error: unknown): never => {
  if (isConflict(error, 'contact_email_key'))
    return fail('conflict', { message: 'This address is already in your contacts.', cause: error })
  throw error
}

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
  note: row.note,
  saved: row.is_saved,
  uses: row.uses,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
