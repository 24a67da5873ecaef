import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@stoa/mail/doors/jmap/testing/client.ts'
import { type JmapGround, startJmap } from '@stoa/mail/doors/jmap/testing/ground.ts'
import { nodeFlags } from '../../../scripts/services.ts'

const MESSAGES = 12
const PARTS = 100_000
const REQUESTS = 4
/** As many calls as one request may have. */
const CALLS = 16

/**
 * What small requests against hostile messages buy: four of 16 calls each for the whole structure of a dozen messages with
 * 100,000 tiny parts. It prints the CPU and memory of the server, and how long another mailbox waits for a small answer
 * meanwhile, beside how long it waits when nobody else asks.
 */
export const run = async (): Promise<void> => {
  const ground = await startJmap()
  try {
    await plant(ground)
    for (const kind of ['structure', 'values'] as const) await measure(ground, kind)
  } finally {
    await ground.close()
  }
}

const plant = async (ground: JmapGround): Promise<void> => {
  const part = '--b\r\nContent-Type: text/plain; name=x\r\n\r\nx\r\n'
  for (let nth = 0; nth < MESSAGES; nth += 1) {
    const head = `From: a@b.test\r\nSubject: n${nth}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`
    await ground.add(ground.ann, { raw: `${head}${part.repeat(PARTS)}--b--\r\n` })
  }
  await ground.add(ground.bob)
}

const ASKED = {
  structure: {
    properties: ['bodyStructure', 'textBody', 'htmlBody', 'attachments', 'headers'],
    bodyProperties: [
      'partId',
      'blobId',
      'size',
      'type',
      'name',
      'headers',
      'subParts',
      'header:content-type:asText:all',
    ],
  },
  values: {
    properties: ['bodyValues', 'bodyStructure', 'textBody', 'htmlBody', 'attachments'],
    fetchAllBodyValues: true,
    maxBodyValueBytes: 100,
  },
} as const

const measure = async (ground: JmapGround, kind: keyof typeof ASKED): Promise<void> => {
  const file = new URL('./server.ts', import.meta.url)
  const child = fork(file, [ground.databaseUrl, ground.config.dataDir], { execArgv: [...nodeFlags] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const used = async (): Promise<{ seconds: number; megabytes: number }> => {
    child.send('used')
    return (await once(child, 'message'))[0]
  }
  const [ann, bob] = [ground.ann, ground.bob].map(({ client }) =>
    createClient(`http://127.0.0.1:${port}`, client.headers),
  )
  if (!ann || !bob) throw new Error('no clients')
  const wait = async (): Promise<number> => {
    const start = performance.now()
    await bob.call(['Mailbox/get', { accountId: ground.bob.accountId, ids: null }])
    return performance.now() - start
  }
  const alone: number[] = []
  for (let nth = 0; nth < 20; nth += 1) alone.push(await wait())
  const before = await used()
  const state = { isOver: false }
  const answers = Promise.all(Array.from({ length: REQUESTS }, () => ask(ann, ground.ann.accountId, kind)))
  answers.finally(() => {
    state.isOver = true
  })
  const waits: number[] = []
  while (!state.isOver) {
    waits.push(await wait())
    await sleep(50)
  }
  const bytes = (await answers).reduce((sum, one) => sum + one, 0)
  const after = await used()
  child.disconnect()
  await once(child, 'exit')
  process.stdout.write(
    `hostile ${kind}: ${(after.seconds - before.seconds).toFixed(1)} s CPU, peak ${after.megabytes.toFixed(0)} MB ` +
      `(${before.megabytes.toFixed(0)} before), ${(bytes / 1e6).toFixed(0)} MB answered; another mailbox waits ` +
      `${middle(waits).toFixed(0)} ms, ${Math.max(...waits).toFixed(0)} at most (alone ${middle(alone).toFixed(0)})\n`,
  )
}

const ask = async (client: ReturnType<typeof createClient>, accountId: string, kind: keyof typeof ASKED) => {
  const ids = { resultOf: 'q', name: 'Email/query', path: '/ids' }
  const calls = Array.from({ length: CALLS }, (_, nth) =>
    nth === 0
      ? ['Email/query', { accountId, limit: MESSAGES }, 'q']
      : ['Email/get', { accountId, '#ids': ids, ...ASKED[kind] }, `g${nth}`],
  )
  const body = JSON.stringify({ using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'], methodCalls: calls })
  const answer = await client.fetch('/jmap', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  let bytes = 0
  if (answer.body) for await (const chunk of answer.body) bytes += chunk.length
  return bytes
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
