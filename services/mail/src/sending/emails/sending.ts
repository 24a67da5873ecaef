import { randomBytes } from 'node:crypto'
import type { Tx } from '@stoa/kit/db/database.ts'
import { AppError } from '@stoa/kit/errors.ts'
import { groupCommit } from '@stoa/kit/group-commit.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type EmailInput, type SentEmail, type SentEmails, sentEmail, sentEmails } from '@stoa/mail-model/emails.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { enqueueAll, type NewMessage } from '../../hosting/enqueue/enqueue.ts'
import { planOf, requireFeature, requirePaid, takeSendingVolume, UNPAID } from '../../hosting/plans/plans.ts'
import { type KeyPrincipal, keyOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { suppressedAmong } from '../suppressions/suppressions.ts'
import { type Draft, domainLookup, prepareDraft } from './drafts.ts'
import { detailOf, type NewEmailEvent } from './event-data.ts'
import type { EmailFacts } from './event-queries.ts'
import { notifyAccounts } from './events.ts'
import { earlierAnswer, once, readIdempotencyKey } from './idempotency.ts'
import { messagePrefix } from './prefix.ts'
import { addToCount, insertEmails, type NewEmailRow } from './queries.ts'

/** Before the body is looked at: whether the plan has the sending API, and is paid. */
export const loadSender = async (ctx: Ctx): Promise<KeyPrincipal> => {
  const principal = keyOf(ctx)
  requireFeature(planOf(principal.account.plan), 'sending_api')
  requirePaid(principal.account, ctx.now())
  return principal
}

export const sendEmail = async (
  ctx: Ctx,
  { principal, body, request }: { principal: KeyPrincipal; body: EmailInput; request: Incoming },
): Promise<SentEmail> => {
  const given = { accountId: principal.account.id, route: 'POST /api/emails', payload: body }
  const repeatable = readIdempotencyKey(request, given)
  const known = await earlierAnswer(ctx.db, repeatable, { schema: sentEmail, now: ctx.now() })
  if (known) return known
  const draft = await prepareDraft(ctx, principal, body, domainLookup(ctx, principal))
  const answer: SentEmail = { object: 'email', id: draft.id }
  if (!repeatable && draft.blob.size <= MAX_BYTES_TOGETHER) {
    await acceptTogether(principal.account.id, { ctx, principal, draft })
    return answer
  }
  const work = (tx: Tx<Tables>) => async (): Promise<SentEmail> => {
    await acceptDrafts(ctx, tx, [{ principal, draft }])
    return answer
  }
  return ctx.tx((tx) => once(tx, repeatable, { schema: sentEmail, now: ctx.now(), work: work(tx) }))
}

/** All of them are sent, or none. */
export const sendBatch = async (
  ctx: Ctx,
  { principal, body, request }: { principal: KeyPrincipal; body: readonly EmailInput[]; request: Incoming },
): Promise<SentEmails> => {
  refusePermissive(request)
  const given = { accountId: principal.account.id, route: 'POST /api/emails/batch', payload: body }
  const repeatable = readIdempotencyKey(request, given)
  const known = await earlierAnswer(ctx.db, repeatable, { schema: sentEmails, now: ctx.now() })
  if (known) return known
  const lookup = domainLookup(ctx, principal)
  const drafts = await inOrder(
    body.map((input, at) =>
      input.attachments?.length
        ? Promise.reject(refusal(at, 'Invalid `attachments` field: not supported in a batch.'))
        : prepareDraft(ctx, principal, input, lookup).catch((error: unknown) => {
            throw withIndex(error, at)
          }),
    ),
  )
  const work = (tx: Tx<Tables>) => async (): Promise<SentEmails> => {
    await acceptDrafts(
      ctx,
      tx,
      drafts.map((draft) => ({ principal, draft })),
    )
    return { object: 'list', data: drafts.map(({ id }) => ({ object: 'email', id })) }
  }
  return ctx.tx((tx) => once(tx, repeatable, { schema: sentEmails, now: ctx.now(), work: work(tx) }))
}

/** The client of the third-party API always sends this header. */
const refusePermissive = (request: Incoming): void => {
  const mode = request.header('x-batch-validation')
  if (mode !== undefined && mode !== 'strict')
    fail('invalid_parameter', {
      message: 'Invalid `x-batch-validation` header: only strict is supported.',
    })
}

/** The first failure in the order of the mails, whichever of them came first. */
const inOrder = async <T>(promises: readonly Promise<T>[]): Promise<T[]> => {
  const settled = await Promise.allSettled(promises)
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

const refusal = (at: number, message: string): AppError => new AppError('validation_error', 400, `[${at}] ${message}`)

const withIndex = (error: unknown, at: number): unknown =>
  error instanceof AppError
    ? new AppError(error.code, error.status, `[${at}] ${error.message}`, { cause: error })
    : error

/** Long enough not to be guessed; in hex it fits into a local part. */
const BOUNCE_TOKEN_BYTES = 16

/** A mail, and the key that it was sent with. */
type Sent = { principal: KeyPrincipal; draft: Draft }

/** The most mails that share a commit: the first of them waits for the last one. Larger ones get their own. */
const MAX_TOGETHER = 20
const MAX_BYTES_TOGETHER = 100_000

/** Mails of one account wait for its counters, and each for a commit: those that wait at the same time share both. */
const acceptTogether = groupCommit<Sent & { ctx: Ctx }, void>(MAX_TOGETHER, async (mails) => {
  const [first, ...others] = mails
  if (!first) return []
  if (others.length === 0) return Promise.allSettled([acceptAlone(first)])
  try {
    await first.ctx.tx((tx) => acceptDrafts(first.ctx, tx, mails))
  } catch (error) {
    // When the commit fails, nobody knows whether it happened: nothing is done twice.
    if (!(error instanceof AppError)) throw error
    // All of them are too many, or one of them is wrong: each gets its own result.
    const results: PromiseSettledResult<void>[] = []
    for (const mail of mails) results.push(...(await Promise.allSettled([acceptAlone(mail)])))
    return results
  }
  return mails.map(() => ({ status: 'fulfilled', value: undefined }))
})

const acceptAlone = ({ ctx, ...mail }: Sent & { ctx: Ctx }): Promise<void> =>
  ctx.tx((tx) => acceptDrafts(ctx, tx, [mail]))

/** Writes mails of one account, puts them into the queue and counts them, all in one transaction. */
const acceptDrafts = async (ctx: Ctx, tx: Tx<Tables>, mails: readonly Sent[]): Promise<void> => {
  const accountId = mails[0]?.principal.account.id ?? ''
  const now = ctx.now()
  const suppressed = await suppressedNow(tx, accountId, { drafts: mails.map(({ draft }) => draft), now })
  const accepted = mails.map((mail) => accept(mail, { suppressed, now }))
  const messages = accepted.flatMap((one) => (one.active.length > 0 ? [toMessage(ctx, one, now)] : []))
  const recipients = accepted.reduce((sum, { active }) => sum + active.length, 0)
  // Sent at once, because none needs the answer of another; what all mails of the account wait for comes last.
  await Promise.all([
    insertEmails(
      tx,
      accepted.map(({ row }) => row),
      accepted.flatMap(({ events }) => events.map(toEvent)),
    ),
    messages.length > 0 ? enqueueAll(tx, messages) : null,
    announce(tx, accountId, accepted),
    takeVolume(tx, { accountId, recipients, now }),
    addToCount(tx, accountId, mails.length),
  ])
}

type Suppressed = Awaited<ReturnType<typeof suppressedAmong>>

/** Scheduled mails are not checked yet: the queue does it when they are due. */
const suppressedNow = (
  tx: Tx<Tables>,
  accountId: string,
  { drafts, now }: { drafts: readonly Draft[]; now: Date },
): Promise<Suppressed> => {
  const addresses = drafts.flatMap(({ sendAt, recipients }) => (sendAt === null ? recipients : []))
  return addresses.length === 0 ? Promise.resolve(new Map()) : suppressedAmong(tx, accountId, addresses, now)
}

type Accepted = Sent & { active: string[]; events: NewEmailEvent[]; row: NewEmailRow }

const accept = ({ principal, draft }: Sent, { suppressed, now }: { suppressed: Suppressed; now: Date }): Accepted => {
  const { account, key } = principal
  const { id, input, sendAt, recipients } = draft
  const active = recipients.filter((recipient) => !suppressed.has(recipient))
  const base = { accountId: account.id, emailId: id, at: now }
  const first = sendAt === null ? 'queued' : 'scheduled'
  const events: NewEmailEvent[] = [
    { ...base, type: first, recipient: null },
    ...recipients.flatMap((recipient): NewEmailEvent[] => {
      const why = suppressed.get(recipient)
      return why ? [{ ...base, type: 'suppressed', recipient, origin: why.origin }] : []
    }),
  ]
  const texts = (list: EmailInput['cc']) => (list?.length ? list.map(({ text }) => text) : null)
  const row: NewEmailRow = {
    account_id: account.id,
    id,
    api_key_id: key.id,
    domain_id: draft.domain.id,
    message_id: draft.messageId,
    sender: draft.from.text,
    to_list: input.to.map(({ text }) => text),
    cc_list: texts(input.cc),
    bcc_list: texts(input.bcc),
    reply_to_list: texts(input.reply_to),
    subject: input.subject,
    headers: input.headers ?? {},
    tags: input.tags ?? [],
    attachments: draft.attachments.map(({ filename, contentType, content, contentId }) => ({
      object: 'attachment',
      filename,
      content_type: contentType,
      size_bytes: content.length,
      content_id: contentId ?? null,
    })),
    topic_id: input.topic_id ?? null,
    status: active.length === 0 ? 'suppressed' : first,
    last_event: events.at(-1)?.type ?? first,
    scheduled_at: sendAt,
    sent_at: null,
    created_at: now,
    html: draft.html,
    text: draft.text,
  }
  return { principal, draft, active, events, row }
}

const toEvent = (event: NewEmailEvent) => ({
  account_id: event.accountId,
  email_id: event.emailId,
  id: newId(),
  type: event.type,
  recipient: event.recipient,
  detail: detailOf(event),
  created_at: event.at,
})

const toMessage = ({ config }: Ctx, { principal, draft, active }: Accepted, now: Date): NewMessage => ({
  id: draft.id,
  accountId: principal.account.id,
  addressId: null,
  source: 'api',
  blob: draft.blob,
  prefix: messagePrefix(config, { id: draft.id, acceptedAt: now, sendAt: draft.sendAt ?? now }),
  returnPath: '',
  recipients: active.map((address) => ({ address, bounce: bounceOf(config.hostname) })),
  signingDomainId: draft.domain.id,
  messageId: draft.messageId,
  headerFrom: draft.from.email,
  subject: draft.input.subject,
  needsUtf8: false,
  needs8bit: draft.needs8bit,
  requiresTls: draft.domain.requiresTls,
  ...(draft.sendAt === null ? {} : { notBefore: draft.sendAt }),
  now,
})

/** Only this recipient gets to know it, so what is reported to it is believed about this recipient. */
const bounceOf = (hostname: string) => {
  const token = randomBytes(BOUNCE_TOKEN_BYTES).toString('hex')
  return { token, returnPath: `b.${token}@${hostname}` }
}

/** Webhooks get what is news to the sender; the panel is notified that there is something new. */
const announce = async (tx: Tx<Tables>, accountId: string, accepted: readonly Accepted[]): Promise<void> => {
  const news = accepted.flatMap(({ row, events }) =>
    events.flatMap((event) =>
      event.type === 'queued' ? [] : [{ event, facts: { ...row, tags: [...row.tags] } satisfies EmailFacts }],
    ),
  )
  if (news.length > 0) await notifyAccounts(tx, news)
  const newest = accepted.at(-1)?.row.id
  tx.changes.push({ topic: 'email', event: 'created', data: { accountId, emailId: newest } })
}

const takeVolume = async (
  tx: Tx<Tables>,
  { accountId, recipients, now }: { accountId: string; recipients: number; now: Date },
): Promise<void> => {
  if (recipients === 0) return
  const answer = await takeSendingVolume(tx, { accountId, recipients, now })
  if (answer === 'suspended') fail('suspended_api_key')
  if (answer === 'unpaid') fail('plan_required', { message: UNPAID })
  if (answer !== 'ok') fail(answer === 'daily' ? 'daily_quota_exceeded' : 'monthly_quota_exceeded')
}
