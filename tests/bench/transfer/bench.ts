import { fork } from 'node:child_process'
import { once } from 'node:events'
import { plantAccount, plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { startTransfers } from '@stoa/mail/receiving/transfers/transfers.ts'
import { type MailService, startMail } from '../../lib/mail.ts'
import { createGoals } from '../goals.ts'
import { median } from '../harness.ts'

const MESSAGES = 3_000
const ROUNDS = 3
/** A mail without attachments. */
const BYTES = 2_000
/** 100 in a second. */
const MAX_MS = 10

/** How fast a mailbox comes in from a server on this machine: as it is throttled, and as fast as it goes. */
export const run = async (): Promise<void> => {
  const child = fork(new URL('source-server.ts', import.meta.url), [String(MESSAGES), String(BYTES)])
  const [{ port }] = await once(child, 'message')
  const mail = await startMail({ env: { TRANSFER_ALLOW_PRIVATE_HOSTS: 'true' } })
  try {
    const rounds: { throttled: Copied; free: Copied }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const throttled = await copy(mail, port, {})
      const pace = { messagesPerSecond: Number.POSITIVE_INFINITY, bytesPerSecond: Number.POSITIVE_INFINITY }
      rounds.push({ throttled, free: await copy(mail, port, { pace }) })
    }
    const goals = createGoals()
    for (const [name, how] of [
      ['throttled', 'throttled'],
      ['free', 'not throttled'],
    ] as const) {
      const middle = (of: (copied: Copied) => number) =>
        (median(rounds.map((round) => of(round[name]))) * 1_000) / MESSAGES
      const each = middle(({ seconds }) => seconds)
      const cpu = middle(({ cpuSeconds }) => cpuSeconds)
      goals.check(
        `transfer, ${how}: ${each.toFixed(2)} ms for each message of ${BYTES} bytes, ${cpu.toFixed(2)} ms of CPU`,
        each,
        MAX_MS,
      )
    }
    goals.finish()
  } finally {
    await mail.close()
    child.disconnect()
  }
}

type Copied = { seconds: number; cpuSeconds: number }

const copy = async (mail: MailService, port: number, tuning: Parameters<typeof startTransfers>[1]): Promise<Copied> => {
  const { id: accountId } = await plantAccount(mail.database)
  const { id: address_id } = await plantAddress(mail.database, `a@bench-${port}-${accountId}.test`, { accountId })
  const client = mail.client({ cookie: await mail.openSession(accountId) })
  const source = { host: '127.0.0.1', port, security: 'none', username: 'ann', password: 'the source password' }
  const { body } = await client.post('/api/transfers', { address_id, ...source })
  const started = performance.now()
  const cpu = process.cpuUsage()
  const worker = startTransfers(mail.parts, tuning)
  await worker.settled()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - started) / 1_000
  await worker.stop()
  const { messages_copied } = (await client.get(`/api/transfers/${body.id}`)).body
  if (messages_copied !== MESSAGES) throw new Error(`${messages_copied} of ${MESSAGES} messages were copied`)
  return { seconds, cpuSeconds: (user + system) / 1e6 }
}
