import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { insertTransfer } from '@stoa/mail/receiving/transfers/panel-queries.ts'
import { createPasswordSealer } from '@stoa/mail/receiving/transfers/secrets.ts'
import { type FakeImap, startFakeImap } from '@stoa/mail/receiving/transfers/testing/fake-imap.ts'
import { checkMailbox } from '@stoa/mail/store/mailbox/check.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { cloneDatabase } from '../../lib/cluster.ts'
import { mailTemplate } from '../../lib/mail.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { SECRET } from '../service-process.ts'

const PASSWORD = 'the source password'
/** Another process takes over after this. */
const LEASE_MS = 600
/** How long the source takes for a message, so that kills find one on its way. */
const MAX_DELAY_MS = 4
/** How long a process may copy before it is killed. */
const MAX_LIFE_MS = 600
const SETTLE_MS = 120_000

/**
 * Workers are killed while they copy a mailbox. The next worker goes on: every message is here in the end, none is here
 * twice, the store agrees with itself, and the password of the source is gone.
 */
export const mailTransfer = async ({ kills = 100, messages = 1_500 } = {}): Promise<Report> => {
  const own = await cloneDatabase(await mailTemplate())
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const database = openDatabase<Tables>({
    url: own.url,
    poolSize: 2,
    log: createLogger({ name: 'faults', level: 'silent' }),
  })
  const source = await startSource(messages)
  try {
    const address = await plantAddress(database, 'moved@hosted.test')
    const id = newId()
    const sealed = createPasswordSealer(new Secret(SECRET)).seal(PASSWORD, id)
    await database.tx((tx) =>
      insertTransfer(tx, {
        id,
        account_id: address.accountId,
        address_id: address.id,
        host: '127.0.0.1',
        port: source.port,
        security: 'none',
        username: 'ann',
        sealed_password: sealed,
        next_at: new Date(),
        created_at: new Date(),
      }),
    )
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = await startWorker(own.url, folder)
      const before = source.sent.size
      const isRead = () => source.sent.size > before || source.sent.size === messages
      await until('the source is read', isRead, { limitMs: SETTLE_MS })
      await sleep(Math.random() * MAX_LIFE_MS)
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    }
    const last = await startWorker(own.url, folder)
    const find = async () => (await database.db.query<TransferRow>({ text: FIND, values: [id] }))[0]
    await until('the transfer ends', async () => (await find())?.finished_at !== null, { limitMs: SETTLE_MS })
    last.kill('SIGKILL')
    const row = await find()
    const stored = await database.db.query<{ copies: number }>({
      text: `select count(*) as copies from message where address_id = $1 group by envelope->'messageId'`,
      values: [address.id],
    })
    const fetched = [...source.sent.values()].reduce((sum, count) => sum + count, 0)
    const problems = await checkMailbox(database.db, address.id)
    return {
      figures: { kills, messages, copied: row?.messages_copied ?? 0, fetched_again: fetched - messages },
      broken: [
        ...(row?.status === 'completed' ? [] : [`the transfer is ${row?.status}: ${row?.error}`]),
        ...(row?.messages_copied === messages ? [] : [`${row?.messages_copied} of ${messages} were counted`]),
        ...(row?.sealed_password === null ? [] : ['the password is still there']),
        ...(stored.length === messages ? [] : [`${messages - stored.length} messages were lost`]),
        ...stored.filter(({ copies }) => copies > 1).map(() => 'a message is there twice'),
        ...problems.map((problem) => `the checker says: ${JSON.stringify(problem)}`),
      ],
    }
  } finally {
    await source.close()
    await database.close()
    await own.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type TransferRow = {
  status: string
  error: string | null
  messages_copied: number
  sealed_password: string | null
  finished_at: Date | null
}

const FIND = 'select status, error, messages_copied, sealed_password, finished_at from transfer where id = $1'

/** A mailbox of three folders that is read slowly. */
const startSource = async (messages: number): Promise<FakeImap> => {
  const source = await startFakeImap()
  const third = Math.floor(messages / 3)
  source.fill('INBOX', messages - 2 * third)
  source.fill('Sent', third, ['\\Sent'])
  source.fill('Projects/Roof', third)
  source.faults.beforeMessage = async () => {
    await sleep(Math.random() * MAX_DELAY_MS)
  }
  return source
}

const startWorker = async (url: string, folder: string): Promise<ChildProcess> => {
  const file = new URL('../../../services/mail/src/receiving/transfers/testing/transfer-process.ts', import.meta.url)
  const tuning = { leaseMs: LEASE_MS, sweepMs: 100 }
  const child = fork(file, [url, folder, SECRET, JSON.stringify(tuning)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('the worker did not start')
  return child
}
