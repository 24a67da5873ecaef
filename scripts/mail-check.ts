// `npm run mail:check [-- --repair] [-- --bytes]`: proves that every mailbox is consistent, and repairs what it safely can.
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { loadConfig } from '@stoa/kit/config.ts'
import { openBlobs } from '@stoa/mail/blobs.ts'
import { readStorage, storageVariables } from '@stoa/mail/config/storage.ts'
import { variables } from '@stoa/mail/config.ts'
import { allMailboxes, checkBlobs, checkLocked, emailOf, repairMailbox } from '@stoa/mail/store/mailbox/check.ts'
import { beMailCommand, type MailCommand, type Order } from './mail-command.ts'

const USAGE = `Usage: npm run mail:check                 check counts, quota, links, UIDs, threads and changes of every mailbox
       npm run mail:check -- --bytes      also check that every stored message is readable
       npm run mail:check -- --repair     rebuild what can be derived from the messages`

type Checked = { problems: number; repaired: number }

const OPTIONS: ReadonlySet<string> = new Set(['--repair', '--bytes'])

export const readCheckCommand = (args: readonly string[]): Order => {
  if (args.some((arg) => !OPTIONS.has(arg))) throw new Error(USAGE)
  return (command) => check(command, { isRepairing: args.includes('--repair'), withBytes: args.includes('--bytes') })
}

const check = async (
  command: MailCommand,
  { isRepairing, withBytes }: { isRepairing: boolean; withBytes: boolean },
): Promise<number> => {
  const { print } = command
  const blobs = withBytes ? await openStorage(command.env) : null
  const sum: Checked = { problems: 0, repaired: 0 }
  let mailboxes = 0
  for await (const addressId of allMailboxes(command.database.db)) {
    const checked = await checkOne(command, { addressId, blobs, isRepairing })
    sum.problems += checked.problems
    sum.repaired += checked.repaired
    mailboxes += 1
  }
  await blobs?.close()
  if (sum.problems === 0 && sum.repaired === 0)
    return print(`${mailboxes === 1 ? 'The mailbox is' : `All ${mailboxes} mailboxes are`} consistent.`)
  if (sum.repaired > 0) print(`${sum.repaired} mailboxes repaired.`)
  if (sum.problems === 0) return 0
  print(`${sum.problems} problems left.`)
  return 1
}

const checkOne = async (
  { database, print }: MailCommand,
  { addressId, blobs, isRepairing }: { addressId: string; blobs: Blobs | null; isRepairing: boolean },
): Promise<Checked> => {
  const found = await checkLocked(database, addressId)
  const damaged = blobs ? await checkBlobs(database.db, blobs, addressId) : []
  if (found.length === 0 && damaged.length === 0) return { problems: 0, repaired: 0 }
  print(`${(await emailOf(database.db, addressId)) ?? addressId}:`)
  for (const { check, detail } of found) print(`  failed: ${check} (${detail})`)
  for (const { messageId, blobKey, problem } of damaged) print(`  message ${messageId}: blob ${blobKey} is ${problem}`)
  if (!isRepairing || found.length === 0) return { problems: found.length + damaged.length, repaired: 0 }
  const left = await database.tx((tx) => repairMailbox(tx, addressId))
  for (const { check, detail } of left) print(`  still failing: ${check} (${detail})`)
  return { problems: left.length + damaged.length, repaired: 1 }
}

const openStorage = (env: NodeJS.ProcessEnv): Promise<Blobs> => {
  const { NODE_ENV } = variables
  const values = loadConfig({ ...storageVariables, NODE_ENV }, { env })
  return openBlobs(readStorage(values, values.NODE_ENV))
}

if (import.meta.main) await beMailCommand(readCheckCommand)
