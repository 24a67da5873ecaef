import type { Readable } from 'node:stream'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Reply } from '@stoa/kit/http/route.ts'
import { type EventStream, eventStreamReply, openEventStream } from '@stoa/kit/http/sse.ts'
import type { MailboxPrincipal } from '../../principal.ts'
import type { Jmap } from './jmap.ts'
import { failLimit, ProblemError } from './problems.ts'
import { openConnection } from './push/connections.ts'
import { positionText, readPosition, readTypes } from './push/types.ts'

type Query = { types?: string | undefined; closeafter?: string | undefined; ping?: string | undefined }

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
  const events = openEventStream()
  const { stream, send, end } = events
  const leave = await openConnection(jmap.parts, principal, end)
  if (!leave) {
    stream.destroy()
    return failLimit('maxConcurrentRequests', 'Too many open streams.', 429)
  }
  jmap.streams.add(end)
  const close = [leave, () => jmap.streams.delete(end), startPing(Number(ping), events)]
  stream.once('close', () => {
    for (const each of close) each()
  })
  try {
    const watch = await jmap.hub.watch({
      signIn: principal.signIn,
      types: readTypes(types),
      since: lastId === undefined ? null : readPosition(lastId),
      async notify(changed, positions) {
        const data = JSON.stringify({ '@type': 'StateChange', changed })
        await send({ event: 'state', id: positionText(positions), data })
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
  return eventStreamReply(events)
}

/** `ping` events every so many seconds; 0: only the comments of every stream, which nobody sees. */
const startPing = (seconds: number, { sendIfTaken }: EventStream): (() => void) => {
  const interval = Math.min(seconds, MAX_PING_SECONDS)
  if (interval === 0) return () => undefined
  const timer = setInterval(() => sendIfTaken({ event: 'ping', data: JSON.stringify({ interval }) }), interval * 1_000)
  return () => clearInterval(timer)
}

const failParameter = (detail: string): never => {
  throw new ProblemError({ type: 'about:blank', status: 400, detail })
}
