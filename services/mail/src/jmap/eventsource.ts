import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { type Reply, reply } from '@stoa/kit/http/route.ts'
import type { MailboxPrincipal } from '../access/access.ts'
import { openEventStream } from './event-stream.ts'
import type { Jmap } from './jmap.ts'
import { failLimit, ProblemError } from './problems.ts'
import { holdConnection } from './push/hold.ts'
import { positionText, readPosition, readTypes } from './push/types.ts'

type Query = { types?: string | undefined; closeafter?: string | undefined; ping?: string | undefined }

/** Proxies and our own server cut what is silent for a minute. */
const KEEP_ALIVE_MS = 30_000
const MAX_PING_SECONDS = 900

/** A stream of StateChange events (RFC 8620 §7.3). `Last-Event-ID` goes on where another stream ended. */
export const openEventSource = async (
  jmap: Jmap,
  principal: MailboxPrincipal,
  query: Query,
  incoming: Incoming,
): Promise<Reply<Readable>> => {
  const { types = '*', closeafter = 'no', ping = '0' } = query
  if (closeafter !== 'no' && closeafter !== 'state') return failParameter('"closeafter" must be "state" or "no".')
  if (!/^\d{1,6}$/.test(ping)) return failParameter('"ping" must be a number of seconds.')
  const lastId = incoming.header('last-event-id')
  const { stream, write, writeIfTaken, end } = openEventStream()
  const leave = holdConnection(jmap.parts, principal, end)
  if (!leave) return failLimit('maxConcurrentRequests', 'Too many streams are open.', 429)
  jmap.streams.add(end)
  const close = [leave, () => jmap.streams.delete(end), startPing(Number(ping), writeIfTaken)]
  stream.once('close', () => {
    for (const each of close) each()
  })
  try {
    const watch = await jmap.hub.watch({
      signIn: principal.signIn,
      types: readTypes(types),
      since: lastId === undefined ? null : readPosition(lastId),
      async tell(changed, told) {
        const data = JSON.stringify({ '@type': 'StateChange', changed })
        await write(`event: state\nid: ${positionText(told)}\ndata: ${data}\n\n`)
        if (closeafter === 'state') end()
      },
      failed(error) {
        jmap.parts.log.warn({ err: error }, 'an event stream was ended')
        end()
      },
    })
    if (stream.destroyed) watch.close()
    else close.push(watch.close)
  } catch (error) {
    stream.destroy()
    throw error
  }
  return reply(stream, {
    contentType: 'text/event-stream; charset=utf-8',
    // Some proxies gather answers.
    headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

/** `ping` events every so many seconds; 0: only comments, which nobody sees. */
const startPing = (seconds: number, write: (text: string) => void): (() => void) => {
  const interval = Math.min(seconds, MAX_PING_SECONDS)
  const timers = [setInterval(() => write(':\n\n'), KEEP_ALIVE_MS)]
  if (interval > 0)
    timers.push(setInterval(() => write(`event: ping\ndata: ${JSON.stringify({ interval })}\n\n`), interval * 1_000))
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

const failParameter = (detail: string): never => {
  throw new ProblemError({ type: 'about:blank', status: 400, detail })
}
