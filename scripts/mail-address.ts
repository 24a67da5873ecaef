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

const USAGE = `Usage: npm run mail:address -- list                          lists all mailboxes
       npm run mail:address -- add <user@example.com>       makes a mailbox, with its domain if need be
       npm run mail:address -- password <user@example.com>  draws a new password
       npm run mail:address -- remove <user@example.com>    deletes a mailbox and its mail`

export const readAddressCommand = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (rest.length > 0) throw new Error(USAGE)
  if (verb === 'list' && given === '') return list
  const orders: Record<string, (address: Wanted) => Order> = { add, password, remove }
  const order = Object.hasOwn(orders, verb) ? orders[verb] : undefined
  const parsed = order && parseRecipient(given)
  if (!order || (parsed && parsed.domain === null)) throw new Error(USAGE)
  if (!parsed?.domain) throw new Error(`"${given}" is not an address.`)
  const { localPart, domain } = parsed
  return order({ localPart, domain, email: `${localPart}@${domain}` })
}

type Wanted = { localPart: string; domain: string; email: string }

const add =
  ({ localPart, domain }: Wanted): Order =>
  async ({ database, config, now, say }) => {
    const added = await addAddress(database, createHosting(config), { localPart, domain, now })
    if (added.madeDomain) say(`The domain ${domain} is hosted from now on.`)
    if (added.madeOwner) say(`The account ${added.email} owns the instance; it has the same password for the panel.`)
    return say(`The password of ${added.email}, shown only now: ${added.password.reveal()}`)
  }

const password =
  ({ email }: Wanted): Order =>
  async ({ database, now, say }) => {
    const drawn = await resetAddressPassword(database, { email, now }).catch(explain(email))
    return say(`The new password of ${email}, shown only now: ${drawn.reveal()}`)
  }

const remove =
  ({ email }: Wanted): Order =>
  async ({ database, now, say }) => {
    await removeAddress(database, { email, now }).catch(explain(email))
    return say(`${email} is gone, and its mail with it.`)
  }

const list: Order = async ({ database, say }) => {
  const all = await listAllAddresses(database.db)
  if (all.length === 0) return say('There is no mailbox yet: npm run mail:address -- add <user@example.com>')
  const lines = all.map(({ email, account, used_bytes, enabled, verified_at }) => {
    const notes = [...(enabled ? [] : ['switched off']), ...(verified_at ? [] : ['domain not verified'])]
    const size = `${Math.ceil((used_bytes ?? 0) / 1024)} KB`
    return [email, size, account, ...(notes.length > 0 ? [`(${notes.join(', ')})`] : [])].join('  ')
  })
  return say(lines.join('\n'))
}

const explain =
  (email: string) =>
  (error: unknown): never => {
    if (error instanceof Error && 'code' in error && error.code === 'not_found')
      throw new Error(`There is no mailbox ${email}.`)
    throw error
  }

if (import.meta.main) await beMailCommand(readAddressCommand)
