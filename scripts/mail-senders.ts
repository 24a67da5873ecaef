// `npm run mail:senders -- list|allow|block|remove [<sender>]`: the instance's list of senders, from the host.

import { hostActor } from '@stoa/mail/hosting/audit/audit.ts'
import { listAllSenders, putOnList, takeOffList } from '@stoa/mail/receiving/senders/senders.ts'
import { type SenderInput, senderInput } from '@stoa/mail-model/senders.ts'
import { beMailCommand, type Order } from './mail-command.ts'

const USAGE = `Usage: npm run mail:senders -- list               list allowed and blocked senders of the instance
       npm run mail:senders -- allow <sender>     never treat as junk, if the author is authenticated
       npm run mail:senders -- block <sender>     deliver to Junk; mail from an IP address or network is rejected
       npm run mail:senders -- remove <sender>    remove from the list

A sender is an address, a domain like @example.com, an IP address or a network like 192.0.2.0/24.`

const INSTANCE = { addressId: null, domainId: null }

export const readSendersCommand = ([verb = '', given = '', ...rest]: readonly string[]): Order => {
  if (rest.length > 0) throw new Error(USAGE)
  if (verb === 'list' && given === '') return list
  if ((verb !== 'allow' && verb !== 'block' && verb !== 'remove') || given === '') throw new Error(USAGE)
  const parsed = senderInput.safeParse({ pattern: given, action: verb === 'allow' ? 'allow' : 'block' })
  if (!parsed.success) throw new Error(`"${given}" isn't a sender. ${USAGE.split('\n').at(-1)}`)
  return verb === 'remove' ? remove(parsed.data.pattern) : add(parsed.data)
}

const add =
  (input: SenderInput): Order =>
  async ({ database, now, print }) => {
    await database.tx((tx) => putOnList(tx, INSTANCE, input, { now, actor: hostActor(now) }))
    return print(`${input.pattern} ${input.action === 'allow' ? 'allowed' : 'blocked'}.`)
  }

const remove =
  (pattern: string): Order =>
  async ({ database, now, print }) => {
    const known = (await listAllSenders(database.db, INSTANCE)).find((sender) => sender.pattern === pattern)
    if (!known) throw new Error(`${pattern} isn't on the list.`)
    await database.tx((tx) => takeOffList(tx, known, hostActor(now)))
    return print(`${pattern} removed.`)
  }

const list: Order = async ({ database, print }) => {
  const senders = await listAllSenders(database.db, INSTANCE)
  if (senders.length === 0) return print('No senders yet. Block one: npm run mail:senders -- block <sender>')
  return print(senders.map(({ action, pattern }) => `${action}  ${pattern}`).join('\n'))
}

if (import.meta.main) await beMailCommand(readSendersCommand)
