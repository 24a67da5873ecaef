// `npm run mail:address -- add|list|password|remove [<address>]`: mailboxes without the panel.

import { parseRecipient } from '@stoa/mail/hosting/addresses/names.ts'
import { createHosting } from '@stoa/mail/hosting/domains/hosting.ts'
import {
  addAddress,
  listAllAddresses,
  removeAddress,
  resetAddressPassword,
} from '@stoa/mail/panel/operator/operator.ts'
import { beMailCommand, type Order } from './mail-command.ts'

const USAGE = `Usage: npm run mail:address -- list                          list addresses
       npm run mail:address -- add <user@example.com>       create an address, and its domain if needed
       npm run mail:address -- password <user@example.com>  set a new random password
       npm run mail:address -- remove <user@example.com>    delete an address and its mail; the panel can restore it for 7 days`

export const readAddressCommand = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (rest.length > 0) throw new Error(USAGE)
  if (verb === 'list' && given === '') return list
  const orders: Record<string, (address: Wanted) => Order> = { add, password, remove }
  const order = Object.hasOwn(orders, verb) ? orders[verb] : undefined
  const parsed = order && parseRecipient(given)
  if (!order || (parsed && parsed.domain === null)) throw new Error(USAGE)
  if (!parsed?.domain) throw new Error(`"${given}" isn't an email address. Enter an address like user@example.com.`)
  const { localPart, domain } = parsed
  return order({ localPart, domain, email: `${localPart}@${domain}` })
}

type Wanted = { localPart: string; domain: string; email: string }

const add =
  ({ localPart, domain }: Wanted): Order =>
  async ({ database, config, now, print }) => {
    const added = await addAddress(database, createHosting(config), { localPart, domain, now })
    if (added.madeDomain) print(`Domain ${domain} added.`)
    if (added.madeOwner) print(`Account ${added.email} created as the owner of this instance, with the same password.`)
    return print(`Address ${added.email} created. Password (you won't see it again): ${added.password.reveal()}`)
  }

const password =
  ({ email }: Wanted): Order =>
  async ({ database, now, print }) => {
    const drawn = await resetAddressPassword(database, { email, now }).catch(explain(email))
    return print(`Password changed for ${email}. New password (you won't see it again): ${drawn.reveal()}`)
  }

const remove =
  ({ email }: Wanted): Order =>
  async ({ database, now, print }) => {
    await removeAddress(database, { email, now }).catch(explain(email))
    return print(`${email} and its mail deleted. You can restore it for 7 days under Recently deleted in the panel.`)
  }

const list: Order = async ({ database, print }) => {
  const all = await listAllAddresses(database.db)
  if (all.length === 0) return print('No addresses yet. Create one: npm run mail:address -- add <user@example.com>')
  const lines = all.map(({ email, account, used_bytes, enabled, verified_at }) => {
    const notes = [...(enabled ? [] : ['off']), ...(verified_at ? [] : ['domain not verified'])]
    const size = `${Math.ceil((used_bytes ?? 0) / 1024)} KB`
    return [email, size, account, ...(notes.length > 0 ? [`(${notes.join(', ')})`] : [])].join('  ')
  })
  return print(lines.join('\n'))
}

const explain =
  (email: string) =>
  (error: unknown): never => {
    if (error instanceof Error && 'code' in error && error.code === 'not_found')
      throw new Error(`Address ${email} doesn't exist.`)
    throw error
  }

if (import.meta.main) await beMailCommand(readAddressCommand)
