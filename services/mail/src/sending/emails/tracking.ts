import type { Db } from '@stoa/kit/db/database.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import { createTrackingTokens, type TrackedEmail } from '../tracking/tracking.ts'
import { recordClicked, recordOpened } from './events.ts'

/** Notes that a mail was opened. */
export const followPicture = async (ctx: Ctx, token: string, request: Incoming): Promise<void> => {
  const email = createTrackingTokens(ctx.config.secret).readOpen(token) ?? fail('not_found')
  await noting(ctx, request, async () => {
    if ((await findWishes(ctx.db, email))?.opens) await ctx.tx((tx) => recordOpened(tx, { ...email, at: ctx.now() }))
  })
}

/** Notes that a link was followed, and gives where it leads to: only where it led when it was sent. */
export const followLink = async (
  ctx: Ctx,
  { token, url, request }: { token: string; url: string; request: Incoming },
): Promise<string> => {
  const email: TrackedEmail = createTrackingTokens(ctx.config.secret).readClick(token, url) ?? fail('not_found')
  const click = { link: url, ipAddress: request.ip, userAgent: request.userAgent ?? '' }
  await noting(ctx, request, async () => {
    if ((await findWishes(ctx.db, email))?.clicks)
      await ctx.tx((tx) => recordClicked(tx, { ...email, at: ctx.now(), click }))
  })
  return url
}

/** The reader of a mail gets what is behind its links, also when nothing can be recorded. */
const noting = async (ctx: Ctx, request: Incoming, note: () => Promise<void>): Promise<void> => {
  if (!isPerson(request)) return
  try {
    await note()
  } catch (error) {
    ctx.log.warn({ err: error, requestId: request.id }, 'an opened mail or a followed link was not noted')
  }
}

/** Programs that look whether a link works, or fetch what might be opened, are not readers. */
const isPerson = (request: Incoming): boolean =>
  request.method !== 'HEAD' &&
  !/\b(prefetch|preview)/i.test(`${request.header('sec-purpose') ?? ''} ${request.header('purpose') ?? ''}`)

/** The current tracking settings of the mail's domain; undefined when the mail or the domain is gone. */
const findWishes = async (
  db: Db<Tables>,
  { accountId, emailId }: TrackedEmail,
): Promise<{ opens: boolean; clicks: boolean } | undefined> => {
  const [row] = await db.query<{ opens: boolean; clicks: boolean }>({
    name: 'find-tracking-wishes',
    text: `select d.open_tracking as opens, d.click_tracking as clicks
           from email e join domain d on d.id = e.domain_id
           where e.account_id = $1 and e.id = $2 and d.deleted_at is null`,
    values: [accountId, emailId],
  })
  return row
}
