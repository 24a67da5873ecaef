import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { MAILBOX_PASSWORD } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { until } from '../../lib/waiting.ts'
import { createGoals, type Goals } from '../goals.ts'
import { type BenchServer, median, startServer } from '../harness.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { type Cost, costOf, type Measured, medianCost } from '../measured.ts'
import { letter } from '../messages.ts'
import { type SmtpLoad, sendAll } from '../smtp-load.ts'
import { runGroups } from './groups.ts'

const CPU_GOAL_MS = 9
const ROUNDS = 3
/** Until everything is compiled: the cost of a message falls for some two thousand of them. */
const WARM_UPS = 8
const MESSAGES = 300
const CONNECTIONS = 8
const DESTINATIONS = 20

/**
 * Mail that people hand in over TLS: taken, committed, signed, handed to a sink and recorded. The limit is a bare smtp-server
 * with fsync that signs with RSA and passes on. `npm run bench -- outbound groups` compares return paths instead.
 */
export const run = async (): Promise<void> => {
  const sink = fork(new URL('./sink.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = await once(sink, 'message')
  try {
    if (process.argv[3] === 'groups') await runGroups(port)
    else await runSubmission(sink, port)
  } finally {
    sink.disconnect()
  }
}

const runSubmission = async (sink: ChildProcess, sinkPort: number): Promise<void> => {
  const goals = createGoals()
  const ground = await openMailGround(1)
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const bareArgs = [ground.folder, keyPem, String(sinkPort)]
  const bare = await startServer(new URL('./bare-relay.ts', import.meta.url), bareArgs)
  for (let at = 0; at < DESTINATIONS; at += 1) {
    ground.dns.set(`d${at}.test`, 'MX', [{ exchange: `mx.d${at}.test`, preference: 10 }])
    ground.dns.set(`mx.d${at}.test`, 'A', ['127.0.0.1'])
  }
  try {
    const settings = {
      MAIL_ROLES: 'smtp,worker',
      SMTP_OUTBOUND_PORT: String(sinkPort),
      OUTBOUND_ALLOW_PRIVATE: 'true',
    }
    const servers = await ground.start(settings, 'SUBMISSIONS_PORT')
    await measure({ ground, servers, bare, goals, received: () => countReceived(sink) })
    process.stdout.write(
      `a signature with RSA-2048 takes ${signingMs(key).toFixed(2)} ms; ${servers.length} processes\n`,
    )
    goals.finish()
  } finally {
    await bare.stop()
    await ground.close()
  }
}

const countReceived = async (sink: ChildProcess): Promise<number> => {
  sink.send('count')
  const [{ received }] = await once(sink, 'message')
  return received
}

type Run = {
  ground: MailGround
  servers: readonly (BenchServer & Measured)[]
  bare: BenchServer
  goals: Goals
  received(): Promise<number>
}

/** The servers and the limit take turns. */
const measure = async ({ ground, servers, bare, goals, received }: Run): Promise<void> => {
  const costs: Cost[] = []
  const limits: number[] = []
  for (let round = 0; round < ROUNDS + WARM_UPS; round += 1) {
    const load = loadOf(ground, round)
    ground.prepare(load.messages)
    const before = await bare.cpuSeconds()
    const arrived = await received()
    await sendAll({ ...load, ports: [bare.port] })
    await until(async () => (await received()) === arrived + MESSAGES, 'the sink has what was relayed')
    const bareMs = ((await bare.cpuSeconds()) - before) * 1_000
    const cost = await costOf(servers, async () => {
      await sendAll({ ...load, ports: servers.map(({ port }) => port) })
      await until(() => isEmpty(ground), 'the queue is empty')
      return MESSAGES
    })
    if ((await received()) !== arrived + 2 * MESSAGES) throw new Error('the sink did not receive every message once')
    if (round < WARM_UPS) continue
    costs.push(cost)
    limits.push(bareMs / MESSAGES)
  }
  const { total, line } = medianCost(costs)
  goals.check(
    `outbound: ${line} for a message from submission to the record of its delivery; a bare smtp-server with fsync that signs ` +
      `and passes on ${median(limits).toFixed(2)} ms; ${ROUNDS} rounds of ${MESSAGES}`,
    total,
    CPU_GOAL_MS,
  )
}

const isEmpty = async ({ database }: MailGround): Promise<boolean> =>
  (await database.pool.query('select 1 from queue_recipient where finished_at is null limit 1')).rowCount === 0

const loadOf = ({ emails: [from = ''] }: MailGround, round: number): Omit<SmtpLoad, 'ports'> => {
  const toOf = (index: number) => `someone@d${index % DESTINATIONS}.test`
  return {
    connections: CONNECTIONS,
    signIn: { email: from, password: MAILBOX_PASSWORD },
    envelope: (index) => ({ from, to: toOf(index) }),
    messages: Array.from({ length: MESSAGES }, (_, index) => {
      const id = `${round}.${index}.${Date.now()}@ours.test`
      const seed = round * MESSAGES + index
      return Buffer.from(letter({ from, to: toOf(index), id, replyTo: null, topic: `Message ${seed}`, seed }))
    }),
  }
}

const SIGNATURES = 300

/** CPU of one signature on one core. */
const signingMs = (key: Parameters<typeof sign>[2]): number => {
  const data = Buffer.alloc(1_000, 1)
  const before = process.cpuUsage()
  for (let count = 0; count < SIGNATURES; count += 1) sign('sha256', data, key)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / SIGNATURES
}
