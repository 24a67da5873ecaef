import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { changesSince } from '@stoa/mail/store/changes/changes.ts'
import { checkMailbox } from '@stoa/mail/store/mailbox/check.ts'
import { changeKeywords } from '@stoa/mail/store/messages/keywords.ts'
import { getMessages, listEntries, listUids, MAX_ENTRIES } from '@stoa/mail/store/messages/list.ts'
import { expunge } from '@stoa/mail/store/messages/removal.ts'
import { type MessageQuery, queryMessages, queryUids } from '@stoa/mail/store/search/query.ts'
import type { StoreParts } from '@stoa/mail/store/search/search.ts'
import { SEARCH_FIELDS } from '@stoa/mail/store/search/words.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'
import { fillMailbox, log, makeMailbox, NOW, openGround, type SeededMailbox } from './seed.ts'

const COUNT = 100_000
const ROUNDS = 5

type Case = { limitMs: number; run(parts: StoreParts, mailbox: SeededMailbox): Promise<unknown> }

const query = (rest: (mailbox: SeededMailbox) => Partial<MessageQuery>): Case['run'] => {
  return (parts, mailbox) =>
    queryMessages(parts, { addressId: mailbox.addressId, limit: 50, wantsTotal: true, filter: {}, ...rest(mailbox) })
}
const inInbox = ({ inboxId }: SeededMailbox) => ({ inFolder: inboxId })

/** What each may take at most. */
const CASES: Record<string, Case> = {
  'SELECT, all UIDs': {
    limitMs: 500,
    run: ({ database }, { addressId, inboxId }) => listUids(database.db, addressId, inboxId),
  },
  'FETCH 1:* FLAGS': {
    limitMs: 5_000,
    run: async ({ database }, { addressId, inboxId }) => {
      for (let fromUid = 1; fromUid > 0; ) {
        const page = await listEntries(database.db, { addressId, folderId: inboxId, fromUid, toUid: 2 ** 32 })
        fromUid = page.length < MAX_ENTRIES ? 0 : (page.at(-1)?.uid ?? -1) + 1
      }
    },
  },
  'list of 50': {
    limitMs: 300,
    run: async ({ database }, { addressId, inboxId }) => {
      const { ids } = await queryMessages({ database }, { addressId, filter: { inFolder: inboxId }, limit: 50 })
      return getMessages(database.db, addressId, ids)
    },
  },
  'query, newest': { limitMs: 300, run: query((mailbox) => ({ filter: inInbox(mailbox) })) },
  'query, threads': {
    limitMs: 300,
    run: query((mailbox) => ({ filter: inInbox(mailbox), collapseThreads: true })),
  },
  'query, all folders': { limitMs: 300, run: query(() => ({})) },
  'query, position 50,000': {
    limitMs: 300,
    run: query((mailbox) => ({ filter: inInbox(mailbox), position: 50_000 })),
  },
  'query, unread': { limitMs: 300, run: query((mailbox) => ({ filter: { ...inInbox(mailbox), isUnread: true } })) },
  'query, flagged': {
    limitMs: 300,
    run: query((mailbox) => ({ filter: { ...inInbox(mailbox), hasKeyword: '$flagged' } })),
  },
  'query, by subject': {
    limitMs: 300,
    run: query((mailbox) => ({ filter: inInbox(mailbox), sort: [{ by: 'subject', ascending: true }] })),
  },
  'search, a rare word': {
    limitMs: 2_000,
    run: query((mailbox) => ({ filter: { ...inInbox(mailbox), text: 'word77' } })),
  },
  'search, a word of all messages': {
    limitMs: 2_000,
    run: query((mailbox) => ({ filter: { ...inInbox(mailbox), text: 'invoices' } })),
  },
  'search, rare, threads': {
    limitMs: 2_000,
    run: query((mailbox) => ({ filter: { ...inInbox(mailbox), text: 'word77' }, collapseThreads: true })),
  },
  'IMAP SEARCH, part of a word': {
    limitMs: 2_000,
    run: (parts, { addressId, inboxId }) =>
      queryUids(parts, { addressId, folderId: inboxId, filter: { contains: { fields: ['body'], text: 'rt4711end' } } }),
  },
  'IMAP SEARCH, two characters': {
    limitMs: 2_000,
    run: (parts, { addressId, inboxId }) =>
      queryUids(parts, { addressId, folderId: inboxId, filter: { contains: { fields: SEARCH_FIELDS, text: 'zz' } } }),
  },
  'IMAP SEARCH HEADER': {
    limitMs: 2_000,
    run: (parts, { addressId, inboxId }) =>
      queryUids(parts, { addressId, folderId: inboxId, filter: { header: { name: 'List-Id', value: 'list7' } } }),
  },
  'IMAP SEARCH UNSEEN': {
    limitMs: 2_000,
    run: (parts, { addressId, inboxId }) =>
      queryUids(parts, { addressId, folderId: inboxId, filter: { notKeyword: '$seen' } }),
  },
  'changes, the last 1,000': {
    limitMs: 100,
    run: ({ database }, { addressId }) =>
      changesSince(database.db, { addressId, kinds: ['message'], since: { modseq: COUNT - 999, objectId: null } }),
  },
  check: { limitMs: 30_000, run: ({ database }, { addressId }) => checkMailbox(database.db, addressId) },
}

export const runLarge = async (): Promise<void> => {
  const ground = await openGround()
  const folder = await mkdtemp(join(tmpdir(), 'bench-store-'))
  const parts: StoreParts = { database: ground.database, blobs: await openLocalBlobs(folder), log }
  const goals = createGoals()
  try {
    const mailbox = await makeMailbox(ground)
    await fillMailbox(ground, mailbox, COUNT)
    const problems = await checkMailbox(ground.database.db, mailbox.addressId)
    if (problems.length > 0) throw new Error(`The seed is not what the store writes: ${JSON.stringify(problems[0])}`)
    for (const [name, { limitMs, run }] of Object.entries(CASES)) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const start = performance.now()
        await run(parts, mailbox)
        times.push(performance.now() - start)
      }
      goals.check(
        `100,000 messages, ${name}: ${median(times).toFixed(1)} ms, the slowest ${Math.max(...times).toFixed(1)} ms`,
        median(times),
        limitMs,
      )
    }
    await runExpunge(goals, parts, mailbox)
    goals.finish()
  } finally {
    await ground.close()
    await rm(folder, { recursive: true })
  }
}

const EXPUNGED = 50_000
const MAX_EXPUNGE_SECONDS = 30
const MAX_WAIT_MS = 1_000

/** Half of the mailbox goes while somebody else changes flags in it. */
const runExpunge = async (
  goals: Goals,
  { database }: StoreParts,
  { addressId, inboxId }: SeededMailbox,
): Promise<void> => {
  await database.pool.query(
    'update message_folder set deleted = true where address_id = $1 and folder_id = $2 and uid <= $3',
    [addressId, inboxId, EXPUNGED],
  )
  const { rows } = await database.pool.query<{ id: string }>(
    'select message_id as id from message_folder where address_id = $1 and folder_id = $2 and uid = $3',
    [addressId, inboxId, EXPUNGED + 1],
  )
  // Their counts, as marking them one by one would have left them.
  await database.pool.query(`with s as (
      select m.thread_id, count(*) as total, count(*) filter (where not m.keywords && '{$seen,$draft}') as unread
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.folder_id = '${inboxId}' and not p.deleted group by 1
    ), gone as (delete from folder_thread where folder_id = '${inboxId}' and thread_id not in (select thread_id from s)),
    kept as (update folder_thread t set total = s.total, unread = s.unread from s where t.thread_id = s.thread_id)
    update folder set total = (select sum(total) from s), unread = (select sum(unread) from s),
      threads = (select count(*) from s), unread_threads = (select count(*) from s where unread > 0),
      size_bytes = (select sum(m.size) from message_folder p join message m on m.id = p.message_id
        where p.folder_id = '${inboxId}' and not p.deleted) where id = '${inboxId}'`)
  let isDone = false
  const waits: number[] = []
  const others = (async () => {
    for (let turn = 0; !isDone; turn += 1) {
      const start = performance.now()
      const change = turn % 2 === 0 ? { add: ['$flagged'] } : { remove: ['$flagged'] }
      await database.tx((tx) => changeKeywords(tx, { addressId, messageIds: [rows[0]?.id ?? ''], ...change }))
      waits.push(performance.now() - start)
    }
  })()
  const start = performance.now()
  for (let more = true; more; )
    ({ more } = await database.tx((tx) => expunge(tx, { addressId, folderId: inboxId, uids: null, now: NOW })))
  const seconds = (performance.now() - start) / 1000
  isDone = true
  await others
  const problems = await checkMailbox(database.db, addressId)
  if (problems.length > 0) throw new Error(`The mailbox is damaged: ${JSON.stringify(problems[0])}`)
  goals.check(`100,000 messages, expunge of 50,000: ${seconds.toFixed(1)} s`, seconds, MAX_EXPUNGE_SECONDS)
  const longest = Math.max(...waits)
  goals.check(`a flag change meanwhile: ${longest.toFixed(0)} ms at most`, longest, MAX_WAIT_MS)
}
