import { readFileSync } from 'node:fs'
import { encodeStructure } from '@stoa/mail/formats/mime/stored.ts'
import { changeKeywords } from '@stoa/mail/store/messages/keywords.ts'
import { getMessages } from '@stoa/mail/store/messages/list.ts'
import { type AddMessage, addMessage } from '@stoa/mail/store/messages/messages.ts'
import { readMessage } from '@stoa/mail/store/messages/read.ts'
import { queryMessages } from '@stoa/mail/store/search/query.ts'
import type pg from 'pg'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'
import { deliverByHand, flagByHand, listByHand } from './by-hand.ts'
import { runLarge } from './large.ts'
import { fillMailbox, makeMailbox, NOW, openGround, type Seeded, type SeededMailbox } from './seed.ts'

/** Times a statement by hand. */
const MOST_RATIO = 1.5
const ROUNDS = 15
const BODY_BYTES = 29_000

/**
 * Delivery, a flag change and a list of 50 against hand-written SQL in the same run, in time and in CPU of both sides.
 * `npm run bench -- store large` measures a mailbox of a hundred thousand messages.
 */
export const run = async (): Promise<void> => {
  if (process.argv[3] === 'large') return runLarge()
  const ground = await openGround()
  const client = await ground.database.pool.connect()
  const goals = createGoals()
  try {
    await runDelivery(goals, ground, client)
    const mailbox = await makeMailbox(ground)
    await fillMailbox(ground, mailbox, 5_000)
    await runFlags(goals, ground, client, mailbox)
    await runLists(goals, ground, client, mailbox)
    goals.finish()
  } finally {
    client.release()
    await ground.close()
  }
}

const runDelivery = async (goals: Goals, ground: Seeded, client: pg.PoolClient): Promise<void> => {
  const mailbox = await makeMailbox(ground)
  let counter = 0
  const next = (): AddMessage => {
    counter += 1
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(BODY_BYTES / 45)
    const bytes = Buffer.from(
      `From: Ann <ann@example.org>\r\nTo: bob@example.test\r\nSubject: Number ${counter}\r\n` +
        `Message-ID: <${counter}@example.org>\r\nReferences: <a${counter}@x> <b${counter}@x>\r\n` +
        `Content-Type: text/plain\r\n\r\n${text}`,
    )
    return {
      addressId: mailbox.addressId,
      blob: { key: counter.toString(16).padStart(64, '0'), size: bytes.length },
      prefix: Buffer.alloc(0),
      read: readMessage(bytes),
      folderIds: [mailbox.inboxId],
      keywords: [],
      receivedAt: NOW,
      now: NOW,
      quotaBytes: null,
    }
  }
  // As on any server that has run for a minute: PostgreSQL knows how large the tables are.
  for (let n = 0; n < 300; n += 1) await ground.database.tx((tx) => addMessage(tx, next()))
  await ground.database.pool.query('vacuum analyze')
  await compareBoth(goals, 'delivery transaction', ground, {
    count: 60,
    prepare: next,
    ours: (input) => ground.database.tx((tx) => addMessage(tx, input)),
    byHand: (input) => deliverByHand(client, input, encodeStructure(input.read.structure)),
  })
}

const runFlags = async (goals: Goals, ground: Seeded, client: pg.PoolClient, mailbox: SeededMailbox): Promise<void> => {
  const { addressId, inboxId: folderId } = mailbox
  // Threads of their own, as the hand-written statements assume.
  const { rows } = await client.query<{ id: string }>(
    `select (array_agg(id))[1] as id from message where address_id = $1 group by thread_id
      having bool_and(keywords && '{$seen}') limit 100`,
    [addressId],
  )
  let turn = 0
  const prepare = () => {
    turn += 1
    return { messageId: rows[Math.floor((turn - 1) / 2) % rows.length]?.id ?? '', isSeen: turn % 2 === 0 }
  }
  await compareBoth(goals, 'flag change', ground, {
    count: 100,
    prepare,
    ours: ({ messageId, isSeen }) =>
      ground.database.tx((tx) =>
        changeKeywords(tx, { addressId, messageIds: [messageId], [isSeen ? 'add' : 'remove']: ['$seen'] }),
      ),
    byHand: ({ messageId, isSeen }) => flagByHand(client, { addressId, folderId, messageId, isSeen }),
  })
}

const runLists = async (goals: Goals, ground: Seeded, client: pg.PoolClient, mailbox: SeededMailbox): Promise<void> => {
  const { addressId, inboxId } = mailbox
  await compareBoth(goals, 'list of 50', ground, {
    count: 100,
    prepare: () => null,
    ours: async () => {
      const { ids } = await queryMessages(ground, { addressId, filter: { inFolder: inboxId }, limit: 50 })
      return getMessages(ground.database.db, addressId, ids)
    },
    byHand: () => listByHand(client, addressId, inboxId),
  })
}

type Work<T> = {
  count: number
  prepare(): T
  ours(input: T): Promise<unknown>
  byHand(input: T): Promise<unknown>
}

/** In turns, one operation after the other, so that a noisy moment hits both. */
const compareBoth = async <T>(goals: Goals, title: string, { database }: Seeded, work: Work<T>): Promise<void> => {
  const results: { ours: Cost; byHand: Cost }[] = []
  for (let round = -3; round < ROUNDS; round += 1) {
    const byHand = await measure(database.pool, work.count, work.prepare, work.byHand)
    const ours = await measure(database.pool, work.count, work.prepare, work.ours)
    if (round >= 0) results.push({ ours, byHand })
  }
  const middle = (of: (result: { ours: Cost; byHand: Cost }) => number) => median(results.map(of))
  const ratio = middle(({ ours, byHand }) => ours.ms / byHand.ms)
  goals.check(
    `${title}: CPU with PostgreSQL ${middle(({ ours }) => ours.cpu).toFixed(2)} ms and ` +
      `${middle(({ byHand }) => byHand.cpu).toFixed(2)} ms by hand, ratio ` +
      `${middle(({ ours, byHand }) => ours.cpu / byHand.cpu).toFixed(2)}; by the clock ${middle(({ ours }) => ours.ms).toFixed(2)} ms ` +
      `and ${middle(({ byHand }) => byHand.ms).toFixed(2)} ms, ratio ${ratio.toFixed(2)}`,
    ratio,
    MOST_RATIO,
  )
}

type Cost = { ms: number; cpu: number }

const measure = async <T>(
  pool: pg.Pool,
  count: number,
  prepare: () => T,
  work: (input: T) => Promise<unknown>,
): Promise<Cost> => {
  const inputs = Array.from({ length: count }, prepare)
  const before = await cpuOf(pool)
  const start = performance.now()
  for (const input of inputs) await work(input)
  const ms = (performance.now() - start) / count
  return { ms, cpu: ((await cpuOf(pool)) - before) / count }
}

/** Milliseconds of this process and of its connections in PostgreSQL. */
const cpuOf = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  )
  const own = process.cpuUsage()
  const nanoseconds = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return (own.user + own.system) / 1e3 + nanoseconds.reduce((sum, each) => sum + each / 1e6, 0)
}
