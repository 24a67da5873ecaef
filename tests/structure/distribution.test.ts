import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../lib/cluster.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { tableUsesIn } from './sql-keys.ts'
import { sqlTextsIn } from './sql-statements.ts'
import { read, trackedFiles } from './tree.ts'

const DECISION = 'docs/adr/0041-mail-is-distributed-by-address.md'
const SOURCE = 'services/mail/src/'

/** Work that goes through all mailboxes or accounts, in batches: it asks every node, and nobody waits for it. */
const OVER_ALL = [
  'doors/webmail/actions/bulk-queries.ts claimBulkJob: bulk_job',
  'doors/webmail/actions/bulk-queries.ts deleteFinishedJobs: bulk_job',
  'doors/webmail/actions/bulk-queries.ts findNextDue: bulk_job',
  'hosting/trace/queries.ts deleteOldRefused: refused_recipient',
  'panel/accounts/upkeep-queries.ts deleteOldQuotaWarnings: mailbox',
  'panel/accounts/upkeep-queries.ts listNewlyFull: mailbox',
  'panel/exports/queries.ts deleteExpiredExports: blob_link',
  'panel/operator/operator.ts listAllAddresses: mailbox',
  'receiving/filters/queries.ts forgetExpired: sieve_memory',
  'receiving/receive/queries.ts deleteOldActivity: activity',
  'receiving/receive/queries.ts deleteOldReceipts: receipt',
  'receiving/spam/pending.ts listPending: spam_pending',
  'sending/emails/forget.ts deleteBodies: email',
  'sending/emails/forget.ts deleteBodies: email_body',
  'sending/emails/idempotency-queries.ts deleteOldAnswers: idempotency_key',
  'sending/submission/queries.ts findForgettable: submission',
  'sending/queue/queries.ts deleteOldSoftBounces: soft_bounce',
  'sending/suppressions/queries.ts listExpiredAccounts: suppression',
  'store/blobs/blob-queries.ts deleteExpiredLinks: blob_link',
  'store/blobs/blob-queries.ts findLinkedKeys: blob_link',
  'store/mailbox/check-queries.ts findMailboxes: mailbox',
  'store/mailbox/upkeep.ts findOldMarks: mailbox',
  'store/mailbox/upkeep.ts findPurgedFolders: folder',
  'store/messages/deleted.ts purgeDeletedMessages: deleted_message',
  'store/messages/snooze.ts findDueMailboxes: message',
  'store/search/search-queries.ts adoptUnindexed: message',
  'store/search/search-queries.ts findUnindexedMailboxes: message_unindexed',
]

// What does not hold, with what it takes in the decision. These lists may only get shorter.
const OF_ACCOUNT = [
  'hosting/addresses/view-queries.ts views: mailbox',
  'hosting/domains/view-queries.ts allViews: mailbox',
  'hosting/plans/queries.ts findStorageUse: mailbox',
  'hosting/trace/queries.ts traceLines: activity',
  'panel/deleted/queries.ts countHeld: mailbox',
  'panel/deleted/queries.ts lockDeletedDomain: mailbox',
  'panel/entitlement/entitlement.ts countUsages: mailbox',
  'panel/exports/queries.ts listExportedAddresses: message_folder',
  'panel/instance-accounts/queries.ts accounts: mailbox',
  'panel/overview/overview.ts findFacts: mailbox',
  'panel/overview/overview.ts listRecentActivity: activity',
  'receiving/transfers/panel-queries.ts listDestinationRows: mailbox',
]
const WITHOUT_KEY = [
  'doors/jmap/push/claim-queries.ts findBehind: mailbox',
  'doors/jmap/push/claim-queries.ts settleSubscription: mailbox',
  'hosting/enqueue/queries.ts unlinkQueued: blob_link',
  'panel/accounts/upkeep-queries.ts deleteSomeSent: blob_link',
  'sending/queue/claim-queries.ts claimSql: suppression',
  'sending/queue/queries.ts deleteFinished: blob_link',
]
const ACROSS = [
  'doors/jmap/push/claim-queries.ts findBehind: mailbox, push_subscription',
  'doors/jmap/push/claim-queries.ts settleSubscription: mailbox, push_subscription',
  'hosting/domains/view-queries.ts allViews: dns_check, mailbox',
  'hosting/enqueue/queries.ts INSERT: blob_link, queue_message, queue_recipient',
  'hosting/enqueue/queries.ts unlinkQueued: blob_link, queue_recipient',
  'hosting/trace/queries.ts traceLines: activity, email, email_event, refused_recipient',
  'panel/accounts/upkeep-queries.ts deleteOldQuotaWarnings: mailbox, quota_warning',
  'panel/accounts/upkeep-queries.ts deleteSomeSent: blob_link, queue_message, queue_recipient',
  'panel/accounts/upkeep-queries.ts listNewlyFull: mailbox, quota_warning',
  'panel/entitlement/entitlement.ts countUsages: api_key, mailbox, sending_day, transfer',
  'panel/exports/queries.ts deleteExpiredExports: blob_link, mail_export',
  'panel/exports/queries.ts deleteExport: blob_link, mail_export',
  'panel/overview/overview.ts countByStatus: email_event, queue_message, queue_recipient',
  'panel/overview/overview.ts findFacts: dns_check, mailbox, suppression',
  'receiving/transfers/panel-queries.ts listDestinationRows: mailbox, transfer',
  'sending/emails/event-queries.ts INSERT_EVENTS: email, email_event, queue_recipient',
  'sending/queue/claim-queries.ts claimSql: queue_hold, queue_message, queue_recipient, suppression',
  'sending/queue/queries.ts deleteFinished: blob_link, queue_message, queue_recipient',
]
const CASCADING = [
  'message_folder_message_fkey',
  'message_search_message_fkey',
  'message_unindexed_message_fkey',
  'thread_link_message_fkey',
]

/** The names in the rows of the decision's table for a place. */
const namedIn = (place: string): string[] => {
  const rows = read(DECISION)
    .split('\n')
    .filter((line) => line.startsWith(`| ${place} |`))
  assert.ok(rows.length > 0, `the decision has no row "${place}"`)
  return rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? ''))
}
const BY_ACCOUNT = new Set(namedIn('With their account'))
const EVERYWHERE = new Set(namedIn('On every node'))
const ON_ONE = new Set(namedIn('On the first node'))

type Place = 'address' | 'account' | 'every node' | 'first node'

describe('mail, distributed as its decision says', () => {
  let database: TestDatabase
  let client: pg.Client
  let tables: ReadonlyMap<string, { place: Place | null; key: string | null }>
  const placeOf = (table: string): Place | null => tables.get(table)?.place ?? null

  before(async () => {
    database = await serviceDatabase('mail')
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<{ table: string; first: string | null }>(
      `select c.relname as table, (select a.attname from pg_index i
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
         where i.indrelid = c.oid and i.indisunique order by i.indisprimary desc limit 1) as first
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
    )
    tables = new Map(rows.map(({ table, first }) => [table, distributionOf(table, first)]))
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  test('the decision names tables that exist, each in one place', () => {
    const named = ['With their address', 'With their account', 'On every node', 'On the first node'].flatMap(namedIn)
    const other = ['address_id', 'owner_id']
    assert.deepEqual(
      named.filter((name) => !tables.has(name) && !other.includes(name)),
      [],
    )
    assert.equal(new Set(named).size, named.length)
    assert.ok([...tables.values()].filter(({ place }) => place === 'address').length > 25)
  })

  test('every table has a place: its key begins with the address, or the decision names it', () => {
    const without = [...tables].filter(([, { place }]) => place === null)
    assert.deepEqual(
      without.map(([table]) => table),
      [],
    )
    assert.equal(distributionOf('not_named', 'id').place, null)
  })

  test('a statement that somebody waits for names the key of every table that it reads or changes', () => {
    const keys = new Map([...tables].flatMap(([table, { key }]) => (key ? [[table, key] as const] : [])))
    let uses = 0
    const without = statements.flatMap(({ where, text }) =>
      tableUsesIn(text, keys).flatMap(({ table, isKeyed }) => {
        uses += 1
        return isKeyed ? [] : [`${where}: ${table}`]
      }),
    )
    assert.ok(uses > 300, `only ${uses} uses of tables were found`)
    assert.deepEqual([...new Set(without)].sort(), [...OVER_ALL, ...OF_ACCOUNT, ...WITHOUT_KEY].sort())
  })

  test('a statement that somebody waits for stays in one place, and reads what is on every node', () => {
    const all = new Map([...tables.keys()].map((table) => [table, 'id']))
    const across = statements.flatMap(({ where, text }) => {
      const used = [...new Set(tableUsesIn(text, all).map(({ table }) => table))].filter(
        (table) => placeOf(table) !== 'every node',
      )
      return new Set(used.map(placeOf)).size > 1 ? [`${where}: ${used.sort().join(', ')}`] : []
    })
    assert.deepEqual(across.sort(), ACROSS)
  })

  test('a unique rule of a distributed table includes its key', async () => {
    const { rows } = await client.query<{ name: string; table: string; columns: string[] }>(
      `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, array(
         select attname::text from pg_attribute where attrelid = i.indrelid and attnum = any (i.indkey)) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid
       where i.indisunique and c.relnamespace = 'public'::regnamespace`,
    )
    const crossing = rows.filter(({ table, columns }) => {
      const key = tables.get(table)?.key
      return key && !columns.includes(key)
    })
    assert.deepEqual(crossing, [])
  })

  test('a foreign key leads to the same place with the key, or to what is on every node', async () => {
    const { rows } = await client.query<ForeignKey>(
      `select f.conname as name, f.conrelid::regclass::text as "from", f.confrelid::regclass::text as "to",
         f.confupdtype as "onUpdate", f.confdeltype as "onDelete",
         array(select a.attname::text from unnest(f.conkey) with ordinality k (num, nth)
           join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num order by k.nth) as columns,
         array(select a.attname::text from unnest(f.confkey) with ordinality k (num, nth)
           join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num order by k.nth) as targets
       from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`,
    )
    const isKeptByKey = ({ from, to, columns, targets }: ForeignKey): boolean => {
      if (placeOf(to) === 'every node') return true
      if (placeOf(from) !== placeOf(to)) return false
      const [key, target] = [tables.get(from)?.key, tables.get(to)?.key]
      return !key || columns.some((column, nth) => column === key && targets[nth] === target)
    }
    assert.deepEqual(
      rows.filter((each) => !isKeptByKey(each)),
      [],
    )
    // `a` is no action, `r` restrict, `c` cascade. The key itself can be neither changed nor emptied.
    const changing = rows.filter(({ from, to, columns, onUpdate, onDelete }) => {
      const key = tables.get(from)?.key
      if (!key || !columns.includes(key) || placeOf(to) === 'every node') return false
      return !/[ar]/.test(onUpdate) || /[nd]/.test(onDelete)
    })
    assert.deepEqual(changing.map(({ name }) => name).sort(), CASCADING)
  })
})

type ForeignKey = {
  name: string
  from: string
  to: string
  columns: string[]
  targets: string[]
  onUpdate: string
  onDelete: string
}

const distributionOf = (table: string, firstColumn: string | null): { place: Place | null; key: string | null } => {
  if (EVERYWHERE.has(table)) return { place: 'every node', key: null }
  if (BY_ACCOUNT.has(table)) return { place: 'account', key: 'account_id' }
  if (ON_ONE.has(table)) return { place: 'first node', key: null }
  if (table === 'blob_link') return { place: 'address', key: 'owner_id' }
  if (firstColumn === 'address_id') return { place: 'address', key: 'address_id' }
  return { place: null, key: null }
}

const statements = trackedFiles()
  .filter((file) => file.startsWith(SOURCE) && file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file))
  .flatMap((file) =>
    sqlTextsIn(file, read(file)).map(({ within, text }) => ({
      where: `${file.slice(SOURCE.length)} ${within}`,
      text,
    })),
  )

describe('how statements are read', () => {
  const keys = new Map([
    ['message', 'address_id'],
    ['message_folder', 'address_id'],
  ])
  const keyed = (text: string): boolean[] => tableUsesIn(text, keys).map(({ isKeyed }) => isKeyed)
  const built = (source: string): boolean[] => sqlTextsIn('x.ts', source).flatMap(({ text }) => keyed(text))

  test('a key is a value, or that of rows that have one', () => {
    assert.deepEqual(keyed('select id from message where address_id = $1'), [true])
    assert.deepEqual(keyed('select id from message where id = $1'), [false])
    assert.deepEqual(keyed('select from message m join message_folder p using (address_id) where p.address_id = $1'), [
      true,
      true,
    ])
    assert.deepEqual(keyed('select from message m join message_folder p on p.address_id = m.address_id'), [
      false,
      false,
    ])
    assert.deepEqual(keyed('select from message where (address_id, id) > ($1, $2)'), [false])
    assert.deepEqual(keyed('select from message where address_id = any (array(select unnest($1::uuid[])))'), [true])
    assert.deepEqual(keyed('select from message where (address_id = $1 or id = $2)'), [false])
  })

  test('a key that is found in a table of another place is none: it asks all nodes', () => {
    const join = 'select from address a join message m on m.address_id = a.id'
    assert.deepEqual(keyed(`${join} where a.account_id = $1`), [false])
    assert.deepEqual(keyed(`${join} where a.id = $1`), [true])
    const own = 'select id from address where account_id = $1'
    assert.deepEqual(keyed(`with own as (${own}) select from own join message m on m.address_id = own.id`), [false])
    assert.deepEqual(keyed(`select from message where address_id in (${own})`), [false])
    assert.deepEqual(keyed('select from push p, unnest(p.ids) i join message m on m.address_id = i'), [false])
    assert.deepEqual(keyed(`select from address a where exists (select from message m where m.address_id = a.id)`), [
      false,
    ])
  })

  test('a key that is found in a table with the same key is one', () => {
    const old = 'with old as (select address_id, id from message where address_id = $1)'
    const gone = 'delete from message_folder p using old where (p.address_id, p.message_id) = (old.address_id, old.id)'
    assert.deepEqual(keyed(`${old} ${gone}`), [true, true])
    const given = 'unnest($1::uuid[], $2::uuid[]) as given (address_id, id)'
    assert.deepEqual(keyed(`select from ${given} join message m using (address_id, id)`), [true])
  })

  test('what a key is set to chooses no rows', () => {
    assert.deepEqual(keyed('update message set address_id = $1 where id = $2'), [false])
    assert.deepEqual(keyed('select address_id = $1 as is_own from message where id = $2'), [false])
    assert.deepEqual(built(`db.updateTable('message').set({ address_id: x }).where('id', '=', y)`), [false])
  })

  test('each query of a statement has its own', () => {
    const inner = 'exists (select from message_folder p where p.message_id = m.id)'
    assert.deepEqual(keyed(`select from message m where m.address_id = $1 and ${inner}`), [true, false])
    const union = 'select id from message where address_id = $1 union all select id from message'
    assert.deepEqual(keyed(union), [true, false])
    assert.deepEqual(keyed(`with old as (select id from message limit 1) select from old`), [false])
    assert.deepEqual(keyed(`select from message, unnest($2::uuid[]) i where address_id = $1 and id = i`), [true])
  })

  test('what Kysely builds is read like what is written', () => {
    assert.deepEqual(built(`db.selectFrom('message as m').select('id').where('m.address_id', '=', x)`), [true])
    assert.deepEqual(built(`db.deleteFrom('message').where('id', '=', x).execute()`), [false])
    assert.deepEqual(
      built(`db.selectFrom('message as m').innerJoin('message_folder as p', (join) =>
        join.onRef('p.address_id', '=', 'm.address_id')).where('m.address_id', '=', x)`),
      [true, true],
    )
  })

  test('a text that others name is read in them', () => {
    const source = `
      const IS_BEHIND = \`exists (select from message m where m.address_id = p.address_id)\`
      const findOwn = () => db.query({ text: \`select \${IS_BEHIND} from message_folder p where p.address_id = $1\` })
      const findAll = () => db.query({ text: \`select from push p where p.id = $1 and (\${IS_BEHIND})\` })`
    assert.deepEqual(
      sqlTextsIn('x.ts', source).map(({ within, text }) => [within, tableUsesIn(text, keys)]),
      [
        ['findOwn', ['message_folder', 'message'].map((table) => ({ table, isKeyed: true }))],
        ['findAll', [{ table: 'message', isKeyed: false }]],
      ],
    )
  })

  test('a query that Kysely builds inside of another belongs to it', () => {
    const inner = `selectFrom('message_folder as p').whereRef('p.address_id', '=', 'm.address_id')`
    const outer = `db.selectFrom('message as m').where(({ not, exists, selectFrom }) => not(exists(${inner})))`
    assert.deepEqual(built(`${outer}.where('m.address_id', '=', x)`), [true, true])
    assert.deepEqual(built(outer), [false, false])
    assert.equal(sqlTextsIn('x.ts', outer).length, 1)
  })
})
