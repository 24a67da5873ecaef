import { createEgress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { Unsubscribed } from '@stoa/mail-model/messages.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import { changeKeywords, type WholeMessage } from '../../../store/store.ts'
import { contentOf, UNSUBSCRIBED } from '../reading/reading.ts'
import { withStore } from '../refusals.ts'

/** For all of it. */
const TIMEOUT_MS = 10_000
/** The response is discarded but for its status. */
const MAX_BYTES = 4_096
const requests = createSemaphore({ parallel: 16, waiting: 200 })

/**
 * Leaves a list by the one request that its sender signed (RFC 8058): no cookie and nothing about the reader goes with it,
 * and where it is sent elsewhere it ends.
 */
export const unsubscribeFrom = (ctx: Ctx, message: WholeMessage): Promise<Unsubscribed> =>
  withStore(async () => {
    const { unsubscribe } = (await contentOf(ctx, message, false)).findings
    if (unsubscribe?.kind !== 'one_click')
      return fail('validation_error', { message: "This message doesn't offer a verified one-click unsubscribe." })
    await requests.run(() => post(ctx, unsubscribe.url))
    const { id: addressId } = signInOf(ctx).address
    await ctx.tx((tx) => changeKeywords(tx, { addressId, messageIds: [message.id], add: [UNSUBSCRIBED] }))
    return { object: 'unsubscribe', message_id: message.id, unsubscribed: true }
  })

const post = async (ctx: Ctx, url: string): Promise<void> => {
  const { unsubscribeAllowPrivate, dnsResolvers } = ctx.config
  const egress = createEgress({
    ports: [443],
    allowPrivate: unsubscribeAllowPrivate,
    maxBodyBytes: MAX_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
    ...(dnsResolvers.length > 0 && { resolvers: dnsResolvers }),
  })
  const { host } = new URL(url)
  const refused = (why: string): never =>
    fail('validation_error', { message: `Couldn't unsubscribe: ${host} ${why}. Try again later.` })
  try {
    const { status } = await egress.request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Stoa-Unsubscribe/1' },
      body: 'List-Unsubscribe=One-Click',
    })
    if (status < 200 || status > 299) refused(`answered ${status}`)
  } catch (error) {
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
    ctx.log.debug({ reason: error.reason }, 'could not unsubscribe from a mailing list')
    refused("can't be reached")
  }
}
