import { createEgress, type Egress, type EgressResponse } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { type RawBody, type Reply, reply } from '@stoa/kit/http/route.ts'
import { createSemaphore, type Semaphore } from '@stoa/kit/semaphore.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { isSigned } from '../../../formats/html/html.ts'
import { signInOf } from '../../../principal.ts'
import { imageKey } from './content.ts'
import { pictureType } from './part-types.ts'

/** A picture that is larger is not one for reading mail. */
const MAX_BYTES = 10 * 2 ** 20
/** For all of it, redirects included. */
const TIMEOUT_MS = 10_000
/** Picture services send to where the picture is, and rarely twice. */
const MAX_REDIRECTS = 3
/** Fetches at once for one mailbox; further ones wait, as many as a page may have. */
const PARALLEL = 8
const WAITING = 200
/** Limits fetches of all mailboxes: each picture is in memory until it is sent. */
const everywhere = createSemaphore({ parallel: 64, waiting: 5_000 })

/**
 * Fetches a picture of somebody else's server for the reader of a mail that shows it: the server sees us, never the reader.
 * Only what a message of this mailbox shows can be asked for, and whatever goes wrong looks the same.
 */
export const getProxiedImage = async (
  ctx: Ctx,
  { signature, url }: { signature: string; url: string },
): Promise<Reply<RawBody>> => {
  const owner = signInOf(ctx).address.id
  if (!isSigned({ key: imageKey(ctx.parts), owner }, url, signature)) return fail('not_found')
  const answer = await laneOf(owner).run(() => everywhere.run(() => fetchPicture(ctx, url)))
  const type = answer && pictureType(answer)
  if (!answer || !type) return fail('not_found', { message: "This image doesn't exist." })
  return reply(answer, {
    contentType: type,
    headers: {
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=86400',
      'content-disposition': 'inline',
    },
  })
}

const lanes = new Map<string, Semaphore>()

/** One for each mailbox that waits for pictures. */
const laneOf = (owner: string): Semaphore => {
  const lane = lanes.get(owner) ?? createSemaphore({ parallel: PARALLEL, waiting: WAITING })
  lanes.set(owner, lane)
  for (const [key, { state }] of lanes) if (key !== owner && state().running === 0) lanes.delete(key)
  return lane
}

const fetchPicture = async (ctx: Ctx, url: string): Promise<Buffer | null> => {
  const { imageAllowPrivate, dnsResolvers } = ctx.config
  const egress = createEgress({
    ports: [443],
    allowPrivate: imageAllowPrivate,
    maxBodyBytes: MAX_BYTES,
    ...(dnsResolvers.length > 0 && { resolvers: dnsResolvers }),
  })
  try {
    return await follow(egress, url)
  } catch (error) {
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error
    ctx.log.debug({ reason: error.reason }, 'an image of a message could not be fetched')
    return null
  }
}

const follow = async (egress: Egress, start: string): Promise<Buffer | null> => {
  const end = performance.now() + TIMEOUT_MS
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await egress.request({
      method: 'GET',
      url: secureUrl(egress, url),
      headers: { accept: 'image/*', 'user-agent': 'Stoa-ImageProxy/1' },
      timeoutMs: Math.max(1, end - performance.now()),
    })
    if (answer.status === 200) return answer.truncated ? null : answer.body
    const next = redirectOf(answer, url)
    if (next === null) return null
    url = next
  }
  return null
}

/** Old mail names http where the same is there over https. */
const secureUrl = ({ allowPrivate }: Egress, url: string): string =>
  allowPrivate ? url : url.replace(/^http:\/\//i, 'https://')

const redirectOf = ({ status, headers }: EgressResponse, from: string): string | null => {
  const { location } = headers
  if (status < 300 || status > 399 || typeof location !== 'string') return null
  return URL.parse(location, from)?.href ?? null
}
