import { systemClock } from '@stoa/kit/clock.ts'
import { openGround } from '@stoa/mail/sending/queue/testing/ground.ts'
import { letter } from '../messages.ts'

/** Mail to several people of one destination. */
const GROUPS = 200
const GROUP_SIZE = 10
const DESTINATIONS = 20

type Ground = Awaited<ReturnType<typeof openGround>>

/** What a transaction of SMTP for each recipient costs, compared with one for all recipients of a destination. */
export const runGroups = async (sinkPort: number): Promise<void> => {
  const ground = await openGround()
  for (let at = 0; at < DESTINATIONS; at += 1)
    ground.route(`d${at}.test`, [{ host: `mx.d${at}.test`, address: '127.0.0.1' }])
  const tuning = { pollMs: 1_000, signingThreads: undefined }
  const queue = await ground.start(sinkPort, { clock: systemClock, tuning })
  try {
    // Until it is compiled.
    await costOfGroups(ground, queue, false)
    const shared = await costOfGroups(ground, queue, false)
    const own = await costOfGroups(ground, queue, true)
    process.stdout.write(
      `outbound: ${own.toFixed(2)} ms CPU per recipient with a return path of its own, ${shared.toFixed(2)} ms with a shared ` +
        `one, ratio ${(own / shared).toFixed(1)}, without PostgreSQL (${GROUPS} messages to ${GROUP_SIZE} people of one ` +
        'destination each)\n',
    )
  } finally {
    await ground.close()
  }
}

const costOfGroups = async (ground: Ground, queue: { wake(): void }, isApi: boolean): Promise<number> => {
  const later = new Date(Date.now() + 3_600_000)
  for (let at = 0; at < GROUPS; at += 1) {
    const to = Array.from({ length: GROUP_SIZE }, (_, nth) => `r${nth}@d${at % DESTINATIONS}.test`)
    const id = `${at}.${Date.now()}@stoa.test`
    const text = letter({ from: 'ann@stoa.test', to: to[0] ?? '', id, replyTo: null, topic: `Message ${at}`, seed: at })
    await ground.send(to, { text, now: new Date(), notBefore: later, isApi })
  }
  const cpu = process.cpuUsage()
  await ground.query('update queue_recipient set next_at = now() where finished_at is null')
  queue.wake()
  await ground.until('all are delivered', async () => {
    const left = await ground.query('select 1 from queue_recipient where finished_at is null limit 1')
    return left.length === 0
  })
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1_000 / (GROUPS * GROUP_SIZE)
}
