import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { allHappened } from '../../hosting/webhook-events/webhook-events.ts'
import type { Tables } from '../../tables.ts'
import type { Outcome, QueueHooks } from '../queue/queue.ts'
import { suppressedAmong } from '../suppressions/suppressions.ts'
import { type Click, detailOf, type Happening, webhookEventOf } from './event-data.ts'
import { countEvents, type EmailFacts, insertEvents, lockEmails } from './event-queries.ts'
import { isSimulatedComplaint, isSimulatedSuppression } from './simulator.ts'

/** More openings of one mail tell nothing new, and anybody who has a link can go on forever. */
const MAX_READINGS = 100

/** What the queue tells about mail of programs: to be given to `startQueue`. */
export const emailHooks = (testDomain: string): QueueHooks => ({
  onOutcome: async (tx, outcomes) => {
    const origins = await originsOf(tx, outcomes)
    const happenings = outcomes.flatMap((outcome) => happeningsOf(outcome, { origins, testDomain }))
    await noteHappenings(tx, happenings)
  },
  onFirstAttempt: async (tx, begun) => {
    const ours = begun.flatMap(({ messageId, accountId, source, recipient, at }) =>
      source === 'api' && accountId !== null && !isSimulatedSuppression(recipient, testDomain)
        ? [{ accountId, emailId: messageId, at }]
        : [],
    )
    const first = new Map(ours.map((one) => [one.emailId, one]))
    await noteHappenings(
      tx,
      [...first.values()].map((one) => ({ ...one, type: 'sent', recipient: null })),
    )
  },
})

/** Somebody said that a mail was not wanted. */
export const noteComplaint = (
  tx: Tx<Tables>,
  { accountId, messageId, recipient, at }: { accountId: string | null; messageId: string; recipient: string; at: Date },
): Promise<void> =>
  noteHappenings(tx, accountId === null ? [] : [{ accountId, emailId: messageId, type: 'complained', recipient, at }])

/** Somebody opened a mail. */
export const noteOpened = (
  tx: Tx<Tables>,
  { accountId, emailId, at }: { accountId: string; emailId: string; at: Date },
): Promise<void> => noteReading(tx, { accountId, emailId, at, recipient: null, type: 'opened' })

/** Somebody followed a link in a mail. */
export const noteClicked = (
  tx: Tx<Tables>,
  { accountId, emailId, at, click }: { accountId: string; emailId: string; at: Date; click: Click },
): Promise<void> => noteReading(tx, { accountId, emailId, at, recipient: null, type: 'clicked', click })

/**
 * Writes down what happened to mails, what follows for their states, and tells those who listen. Mails that there are
 * not, and what is known already, change nothing.
 */
export const noteHappenings = async (tx: Tx<Tables>, happenings: readonly Happening[]): Promise<void> => {
  if (happenings.length === 0) return
  const known = new Map((await lockEmails(tx, happenings)).map((facts) => [facts.id, facts]))
  const rows = happenings.flatMap((happening) => {
    const facts = known.get(happening.emailId)
    return facts && isNews(happening, facts) ? [{ happening, facts, id: newId() }] : []
  })
  if (rows.length === 0) return
  const added = await insertEvents(
    tx,
    rows.map(({ happening, id }) => ({
      account_id: happening.accountId,
      email_id: happening.emailId,
      id,
      type: happening.type,
      recipient: happening.recipient,
      detail: detailOf(happening),
      created_at: happening.at,
    })),
  )
  const news = rows.filter(({ id }) => added.has(id))
  await tellAccounts(tx, news)
}

type News = { happening: Happening; facts: EmailFacts }

/** Webhooks, and whoever looks at the panel. */
export const tellAccounts = async (tx: Tx<Tables>, news: readonly News[]): Promise<void> => {
  for (const [accountId, own] of Map.groupBy(news, ({ happening }) => happening.accountId)) {
    const events = own.flatMap(({ happening, facts }) => webhookEventOf(happening, facts) ?? [])
    const at = own[0]?.happening.at
    if (events.length > 0 && at) await allHappened(tx, accountId, events, at)
    for (const id of new Set(own.map(({ happening }) => happening.emailId)))
      tx.changes.push({ topic: 'email', event: 'updated', data: { accountId, emailId: id } })
  }
}

/** A claim that was given back is begun again, and a mail that was taken back stays so. */
const isNews = ({ type }: Happening, { sent_at: sentAt }: EmailFacts): boolean => type !== 'sent' || sentAt === null

const noteReading = async (tx: Tx<Tables>, happening: Happening): Promise<void> => {
  if ((await countEvents(tx, happening, happening.type)) >= MAX_READINGS) return
  await noteHappenings(tx, [happening])
}

type Origins = Awaited<ReturnType<typeof suppressedAmong>>

/** Why recipients are suppressed, by account. */
const originsOf = async (tx: Tx<Tables>, outcomes: readonly Outcome[]): Promise<ReadonlyMap<string, Origins>> => {
  const suppressed = outcomes.filter(({ state }) => state === 'suppressed')
  const found = new Map<string, Origins>()
  for (const [accountId, own] of Map.groupBy(suppressed, (outcome) => outcome.accountId ?? '')) {
    const at = own[0]?.at
    if (accountId === '' || !at) continue
    const recipients = own.map(({ recipient }) => recipient)
    found.set(accountId, await suppressedAmong(tx, accountId, recipients, at))
  }
  return found
}

const TYPES = { delivered: 'delivered', deferred: 'delivery_delayed', failed: 'failed' } as const

const happeningsOf = (
  outcome: Outcome,
  { origins, testDomain }: { origins: ReadonlyMap<string, Origins>; testDomain: string },
): Happening[] => {
  const { accountId, messageId: emailId, recipient, at, reply, state } = outcome
  if (outcome.source !== 'api' || accountId === null) return []
  const base = { accountId, emailId, recipient, at }
  if (state === 'suppressed') {
    const origin = origins.get(accountId)?.get(recipient)?.origin ?? null
    return [{ ...base, type: 'suppressed', origin }]
  }
  if (state === 'bounced') return [{ ...base, type: 'bounced', reply, status: outcome.status }]
  const happening: Happening = { ...base, type: TYPES[state], reply }
  return state === 'delivered' && isSimulatedComplaint(recipient, testDomain)
    ? [happening, { ...base, type: 'complained' }]
    : [happening]
}
