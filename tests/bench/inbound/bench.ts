import { newId } from '@stoa/kit/ids.ts'
import { createGoals, type Goals } from '../goals.ts'
import { type BenchServer, median, startServer } from '../harness.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { type Cost, costOf, type Measured, medianCost } from '../measured.ts'
import { SENDER_DOMAIN, signedLetters } from '../messages.ts'
import { type SmtpLoad, sendAll } from '../smtp-load.ts'

const CPU_GOAL_MS = 6.5
const REPLY_GOAL_MS = 25
const ROUNDS = 3
/** Until everything is compiled: the cost of a message falls for some two thousand of them. */
const WARM_UPS = 8
const MESSAGES = 300
const CONNECTIONS = 16
const MAILBOXES = 50
/** A moderate load: what a busy small host gets in a minute comes in every two seconds. */
const CALM = { perSecond: 20, connections: 4, messages: 100 }

const SCRIPT = `require ["fileinto", "imap4flags", "envelope", "variables"];
if header :contains "list-id" ["announce", "dev"] { fileinto "Lists"; stop; }
if address :domain "from" "${SENDER_DOMAIN}" { addflag "seen-before"; fileinto "Known"; stop; }
if header :matches "subject" "[*] *" { set "list" "\${1}"; fileinto "Lists/\${list}"; }`

/**
 * Mail from outside: its SPF, DKIM and DMARC are verified, it is judged, filtered, committed and made searchable. The limit is
 * a bare smtp-server that writes the same bytes to the disk. PostgreSQL and the load run on the same machine.
 */
export const run = async (): Promise<void> => {
  const ground = await openMailGround(MAILBOXES)
  const goals = createGoals()
  const total = (ROUNDS + WARM_UPS) * MESSAGES + CALM.messages
  const { letters, dkimRecord } = await signedLetters(total, ground.emails)
  ground.prepare(letters)
  const bytes = letters.reduce((sum, { length }) => sum + length, 0) / total
  ground.dns.set(SENDER_DOMAIN, 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
  ground.dns.set(`s1._domainkey.${SENDER_DOMAIN}`, 'TXT', [dkimRecord.match(/.{1,250}/g) ?? []])
  ground.dns.set(`_dmarc.${SENDER_DOMAIN}`, 'TXT', ['v=DMARC1; p=reject'])
  const bare = await startServer(new URL('./bare-server.ts', import.meta.url), [ground.folder])
  try {
    await addScript(ground)
    const servers = await ground.start({ MAIL_ROLES: 'smtp' }, 'SMTP_PORT')
    await measureCost({ ground, servers, bare, letters, goals })
    await measureReplies({ ground, servers, letters: letters.slice(-CALM.messages), goals })
    await proveStored(ground, total)
    process.stdout.write(`messages of ${(bytes / 1024).toFixed(1)} KB on average; ${servers.length} processes\n`)
    goals.finish()
  } finally {
    await bare.stop()
    await ground.close()
  }
}

type Run = {
  ground: MailGround
  servers: readonly (BenchServer & Measured)[]
  letters: readonly Buffer[]
  goals: Goals
}

/** The servers and the limit take turns. */
const measureCost = async ({ ground, servers, bare, letters, goals }: Run & { bare: BenchServer }): Promise<void> => {
  const [received, indexed, limits]: [Cost[], Cost[], number[]] = [[], [], []]
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS + WARM_UPS; round += 1) {
    const load = loadOf(ground, letters, { from: round * MESSAGES, count: MESSAGES })
    const before = await bare.cpuSeconds()
    const limit = await sendAll({ ...load, ports: [bare.port] })
    const bareMs = ((await bare.cpuSeconds()) - before) * 1_000
    let rate = 0
    const cost = await costOf(servers, async () => {
      rate = (await sendAll({ ...load, ports: servers.map(({ port }) => port) })).perSecond
      return MESSAGES
    })
    const index = await costOf(servers, async () => {
      await servers[0]?.perform('index')
      return MESSAGES
    })
    if (round < WARM_UPS) continue
    received.push(cost)
    indexed.push(index)
    limits.push(bareMs / MESSAGES)
    rates.ours.push(rate)
    rates.bare.push(limit.perSecond)
  }
  const [own, index] = [medianCost(received), medianCost(indexed)]
  goals.check(
    `inbound: ${(own.total + index.total).toFixed(2)} ms CPU for a message, ${own.line} until its 250 and ${index.line} for the ` +
      `index; a bare smtp-server with fsync ${median(limits).toFixed(2)} ms; ${median(rates.ours).toFixed(0)} and ` +
      `${median(rates.bare).toFixed(0)} messages/s; ${ROUNDS} rounds of ${MESSAGES}`,
    own.total + index.total,
    CPU_GOAL_MS,
  )
}

const measureReplies = async ({ ground, servers, letters, goals }: Run): Promise<void> => {
  const { times } = await sendAll({
    ...loadOf(ground, letters, { from: 0, count: CALM.messages }),
    ports: servers.map(({ port }) => port),
    connections: CALM.connections,
    perSecond: CALM.perSecond,
  })
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
  goals.check(
    `inbound, ${CALM.perSecond} messages/s: 250 after p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`,
    at(0.5),
    REPLY_GOAL_MS,
  )
}

const loadOf = (
  ground: MailGround,
  letters: readonly Buffer[],
  { from, count }: { from: number; count: number },
): Omit<SmtpLoad, 'ports'> => ({
  connections: CONNECTIONS,
  messages: letters.slice(from, from + count),
  envelope: (index) => ({
    from: `ann@${SENDER_DOMAIN}`,
    to: ground.emails[(from + index) % ground.emails.length] ?? '',
  }),
})

const addScript = async ({ database, accountId }: MailGround): Promise<void> => {
  await database.pool.query(
    `insert into sieve_script (id, account_id, origin, name, source, enabled, created_at, updated_at)
     values ($1, $2, 'panel', 'bench', $3, true, now(), now())`,
    [newId(), accountId, SCRIPT],
  )
}

/** Everything that was acknowledged is there, where the filter put it. */
const proveStored = async ({ database }: MailGround, expected: number): Promise<void> => {
  const { rows } = await database.pool.query(
    `select count(*)::int as count, count(*) filter (where 'seen-before' = any(keywords))::int as filtered from message`,
  )
  if (rows[0]?.count !== expected || rows[0]?.filtered !== expected)
    throw new Error(`stored ${rows[0]?.count}, filtered ${rows[0]?.filtered} of ${expected} messages`)
}
