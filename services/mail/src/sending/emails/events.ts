import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { recordEvents } from '../../hosting/webhook-events/webhook-events.ts'
import type { Tables } from '../../tables.ts'
import type { Outcome, QueueHooks } from '../queue/queue.ts'
import { suppressedAmong } from '../suppressions/suppressions.ts'
import { type Click, detailOf, type NewEmailEvent, webhookEventOf } from './event-data.ts'
import { countEvents, type EmailFacts, insertEvents, lockEmails } from './event-queries.ts'
import { isSimulatedComplaint, isSimulatedSuppression } from './simulator.ts'

/** Further opens of one email are no news, and anybody with a link could cause them forever. */
const MAX_READINGS = 100

/** Handles the queue's outcomes for mail of programs: pass it to `startQueue`. */
export const emailHooks = (testDomain: string): QueueHooks => ({
  onOutcome: async (tx, outcomes) => {
    const origins = await originsOf(tx, outcomes)
    const events = outcomes.flatMap((outcome) => newEventsOf(outcome, { origins, testDomain }))
    await recordEmailEvents(tx, events)
  },
  onFirstAttempt: async (tx, begun) => {
    const ours = begun.flatMap(({ messageId, accountId, source, recipient, at }) =>
      source === 'api' && accountId !== null && !isSimulatedSuppression(recipient, testDomain)
        ? [{ accountId, emailId: messageId, at }]
        : [],
    )
    const first = new Map(ours.map((one) => [one.emailId, one]))
    await recordEmailEvents(
      tx,
      [...first.values()].map((one) => ({ ...one, type: 'sent', recipient: null })),
    )
  },
})

/** A recipient complained about a mail. */
export const recordComplaint = (
  tx: Tx<Tables>,
  { accountId, messageId, recipient, at }: { accountId: string | null; messageId: string; recipient: string; at: Date },
): Promise<void> =>
  recordEmailEvents(
    tx,
    accountId === null ? [] : [{ accountId, emailId: messageId, type: 'complained', recipient, at }],
  )

/** Somebody opened a mail. */
export const recordOpened = (
  tx: Tx<Tables>,
  { accountId, emailId, at }: { accountId: string; emailId: string; at: Date },
): Promise<void> => recordReading(tx, { accountId, emailId, at, recipient: null, type: 'opened' })

/** Somebody followed a link in a mail. */
export const recordClicked = (
  tx: Tx<Tables>,
  { accountId, emailId, at, click }: { accountId: string; emailId: string; at: Date; click: Click },
): Promise<void> => recordReading(tx, { accountId, emailId, at, recipient: null, type: 'clicked', click })

/**
 * Records events of emails, updates their states, and notifies subscribers. Unknown emails and known events change
 * nothing.
 */
export const recordEmailEvents = async (tx: Tx<Tables>, events: readonly NewEmailEvent[]): Promise<void> => {
  if (events.length === 0) return
  const known = new Map((await lockEmails(tx, events)).map((facts) => [facts.id, facts]))
  const rows = events.flatMap((event) => {
    const facts = known.get(event.emailId)
    return facts && isNews(event, facts) ? [{ event, facts, id: newId() }] : []
  })
  if (rows.length === 0) return
  const added = await insertEvents(
    tx,
    rows.map(({ event, id }) => ({
      account_id: event.accountId,
      email_id: event.emailId,
      id,
      type: event.type,
      recipient: event.recipient,
      detail: detailOf(event),
      created_at: event.at,
    })),
  )
  const news = rows.filter(({ id }) => added.has(id))
  await notifyAccounts(tx, news)
}

type News = { event: NewEmailEvent; facts: EmailFacts }

/** Webhooks, and open panels. */
export const notifyAccounts = async (tx: Tx<Tables>, news: readonly News[]): Promise<void> => {
  for (const [accountId, own] of Map.groupBy(news, ({ event }) => event.accountId)) {
    const events = own.flatMap(({ event, facts }) => webhookEventOf(event, facts) ?? [])
    const at = own[0]?.event.at
    if (events.length > 0 && at) await recordEvents(tx, accountId, events, at)
    for (const id of new Set(own.map(({ event }) => event.emailId)))
      tx.changes.push({ topic: 'email', event: 'updated', data: { accountId, emailId: id } })
  }
}

/** A claim that was given back is begun again, and a mail that was taken back stays so. */
const isNews = ({ type }: NewEmailEvent, { sent_at: sentAt }: EmailFacts): boolean => type !== 'sent' || sentAt === null

const recordReading = async (tx: Tx<Tables>, event: NewEmailEvent): Promise<void> => {
  if ((await countEvents(tx, event, event.type)) >= MAX_READINGS) return
  await recordEmailEvents(tx, [event])
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

const newEventsOf = (
  outcome: Outcome,
  { origins, testDomain }: { origins: ReadonlyMap<string, Origins>; testDomain: string },
): NewEmailEvent[] => {
  const { accountId, messageId: emailId, recipient, at, reply, state } = outcome
  if (outcome.source !== 'api' || accountId === null) return []
  const base = { accountId, emailId, recipient, at }
  if (state === 'suppressed') {
    const origin = origins.get(accountId)?.get(recipient)?.origin ?? null
    return [{ ...base, type: 'suppressed', origin }]
  }
  if (state === 'bounced') return [{ ...base, type: 'bounced', reply, status: outcome.status }]
  const event: NewEmailEvent = { ...base, type: TYPES[state], reply }
  return state === 'delivered' && isSimulatedComplaint(recipient, testDomain)
    ? [event, { ...base, type: 'complained' }]
    : [event]
}
