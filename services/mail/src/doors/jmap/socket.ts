import type { RawData, WebSocket } from 'ws'
import type { MailboxPrincipal } from '../../principal.ts'
import type { Jmap } from './jmap.ts'
import type { Args } from './method.ts'
import { createOutlet, type Outlet } from './outlet.ts'
import { failRequest, ProblemError, problemOf } from './problems.ts'
import { openConnection } from './push/connections.ts'
import type { Watch } from './push/hub.ts'
import { positionText, readPosition } from './push/types.ts'
import { parseRequestText, readRequest, runRequest } from './request.ts'
import { isRecord, isStrings } from './standard/arguments.ts'

/** Requests that run at once on one socket; further ones wait in the network. */
const MAX_RUNNING = 4
/** How long a connection may be silent before it is pinged. */
const PING_MS = 60_000

/** RFC 8887 §4.1. */
const CLOSED = { goingAway: 1001, notText: 1003, policy: 1008 } as const

/** Answers requests on a socket as they come, and pushes what changes once it is asked to. */
export const serveSocket = async (jmap: Jmap, socket: WebSocket, principal: MailboxPrincipal): Promise<void> => {
  socket.on('error', () => undefined)
  // Messages that arrive before the listener is attached would be lost.
  socket.pause()
  const leave = await openConnection(jmap.parts, principal, () => socket.close(CLOSED.policy, 'signed out'))
  socket.resume()
  if (!leave) return socket.close(CLOSED.policy, 'too many connections')
  if (socket.readyState !== socket.OPEN) return leave()
  let running = 0
  let isAlive = true
  const outlet = createOutlet(socket)
  const push = createPush(jmap, { socket, outlet }, principal)

  // Messages that had been received already when the socket was paused.
  const waiting: RawData[] = []
  const run = async (data: RawData): Promise<void> => {
    running += 1
    for (let next: RawData | undefined = data; next !== undefined; next = waiting.shift()) {
      await answerMessage(jmap, principal, { push, outlet }, textOf(next))
    }
    running -= 1
    socket.resume()
  }
  const take = (data: RawData): void => {
    if (running >= MAX_RUNNING) {
      waiting.push(data)
      socket.pause()
      return
    }
    run(data).catch((error: unknown) => {
      jmap.parts.log.error({ err: error }, 'a JMAP socket failed')
      socket.terminate()
    })
  }
  const ping = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_MS).unref()

  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (data, isBinary) => {
    isAlive = true
    if (isBinary) socket.close(CLOSED.notText, 'text only')
    else take(data)
  })
  socket.once('close', () => {
    clearInterval(ping)
    push.stop()
    leave()
  })
}

type Push = { start(types: ReadonlySet<string> | null, since: string | null): Promise<void>; stop(): void }

/** Does what a message asks for; not all of them have an answer. */
const answerMessage = async (
  jmap: Jmap,
  principal: MailboxPrincipal,
  { push, outlet }: { push: Push; outlet: Outlet },
  text: string,
): Promise<void> => {
  let requestId: string | null = null
  try {
    const message = parseRequestText(text)
    if (!isRecord(message)) return failRequest('notRequest', 'A message must be a JSON object.')
    requestId = typeof message.id === 'string' ? message.id : null
    if (message['@type'] === 'WebSocketPushEnable') return await startPush(push, message)
    if (message['@type'] === 'WebSocketPushDisable') return push.stop()
    if (message['@type'] !== 'Request') return failRequest('notRequest', 'Unknown "@type".')
    await runOne(jmap, principal, message, { requestId, outlet })
  } catch (error) {
    if (!(error instanceof ProblemError)) jmap.parts.log.warn({ err: error }, 'a JMAP request failed')
    await outlet.send(JSON.stringify({ '@type': 'RequestError', requestId, ...problemOf(error) }))
  }
}

const runOne = async (
  jmap: Jmap,
  { signIn }: MailboxPrincipal,
  message: Args,
  { requestId, outlet }: { requestId: string | null; outlet: Outlet },
): Promise<void> => {
  const request = readRequest(message)
  const leave = await jmap.requests.enter(signIn.address.id)
  const extra = { '@type': 'Response', ...(requestId === null ? {} : { requestId }) }
  const answer = outlet.open()
  const pieces = runRequest(jmap, signIn, request, { extra, beforeLarge: answer.begin, cut: outlet.cut })
  try {
    // A long answer keeps its place until the client has taken it.
    await answer.send(pieces)
  } finally {
    await pieces.return()
    answer.end()
    leave()
  }
}

const startPush = async (push: Push, { dataTypes = null, pushState = null }: Args): Promise<void> => {
  const isGood = (dataTypes === null || isStrings(dataTypes)) && (pushState === null || typeof pushState === 'string')
  if (!isGood) return failRequest('notRequest', '"dataTypes" must be a list of types, "pushState" a string.')
  await push.start(dataTypes === null ? null : new Set(dataTypes), pushState)
}

const createPush = (
  jmap: Jmap,
  { socket, outlet }: { socket: WebSocket; outlet: Outlet },
  { signIn }: MailboxPrincipal,
): Push => {
  let watch: Watch | null = null
  let turn = 0
  const stop = () => {
    turn += 1
    watch?.close()
    watch = null
  }
  return {
    stop,
    async start(types, since) {
      stop()
      const mine = turn
      const made = await jmap.hub.watch({
        signIn,
        types,
        since: since === null ? null : readPosition(since),
        notify: (changed, positions) =>
          outlet.send(JSON.stringify({ '@type': 'StateChange', changed, pushState: positionText(positions) })),
        failed(error) {
          jmap.parts.log.warn({ err: error }, 'a JMAP socket was ended')
          socket.close(CLOSED.goingAway)
        },
      })
      // Another message or the end of the socket may have come first.
      if (mine === turn && socket.readyState === socket.OPEN) watch = made
      else made.close()
    },
  }
}

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')
}
