import assert from 'node:assert/strict'
import type { CmsClient, CmsService } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { WebSocket } from 'ws'

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames of every shape
export type Frame = { event: string; topic?: string; data?: any }

/** A client of the socket, and all that it received. */
export type TestSocket = {
  socket: WebSocket
  /** Everything that came and was not taken yet. */
  frames: Frame[]
  /** The positions that came, which may be between any two frames. */
  positions: string[]
  /** The next frame that came, in order. */
  next(): Promise<Frame>
  /** Nothing came until a ping was answered. */
  silent(): Promise<void>
  /** Sends a frame, and takes its answer. */
  ask(frame: unknown): Promise<Frame>
  /** Listens to this topic; the test fails if that is refused. */
  listen(topic: string): Promise<Frame>
  send(frame: unknown): void
  /** How the server closed it. */
  closed(): Promise<{ code: number; reason: string }>
  close(): Promise<void>
}

const _DEADLINE_MS = 15_000

export const socketUrl = (service: Pick<CmsService, 'url'>, ticket: string): string =>
  `${service.url.replace('http', 'ws')}/realtime?ticket=${encodeURIComponent(ticket)}`

export const ticketFor = async (client: CmsClient): Promise<string> => {
  const answer = await client.post('/api/realtime/ticket')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ticket
}

export const deliveryTicket = async (service: CmsService, key: string): Promise<string> => {
  const answer = await service.client().post('/realtime/delivery/ticket', undefined, { 'x-api-key': key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.ticket
}

/** An open socket, its `ready` taken. */
export const connect = async (service: Pick<CmsService, 'url'>, ticket: string, headers = {}): Promise<TestSocket> => {
  const socket = new WebSocket(socketUrl(service, ticket), { headers })
  const client = watch(socket)
  const ready = await client.next()
  assert.equal(ready.event, 'ready')
  return client
}

export type OpenSocket = TestSocket & { connectionId: string }

/** A socket of this person, with the id that the service has for it. */
export const openSocket = async (service: Pick<CmsService, 'url'>, client: CmsClient): Promise<OpenSocket> => {
  const socket = watch(new WebSocket(socketUrl(service, await ticketFor(client))))
  const ready = await socket.next()
  assert.equal(ready.event, 'ready')
  return Object.assign(socket, { connectionId: String(ready.data.connectionId) })
}

/** The status and body with which an upgrade is refused. */
export const refusedUpgrade = (
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: { code: string; error: string } }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    socket.on('error', () => undefined)
    socket.on('open', () => {
      socket.terminate()
      reject(new Error('the socket was opened'))
    })
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      )
    })
  })

const watch = (socket: WebSocket): TestSocket => {
  const frames: Frame[] = []
  const positions: string[] = []
  let end: { code: number; reason: string } | undefined
  let failure: Error | undefined
  socket.on('message', (data) => {
    const frame: Frame = JSON.parse(data.toString())
    if (frame.event === 'position') positions.push(frame.data.position)
    else frames.push(frame)
  })
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() }
  })
  socket.on('error', (error) => {
    failure = error
  })
  const client: TestSocket = {
    socket,
    frames,
    positions,
    async next() {
      await until(() => frames.length > 0 || end !== undefined || failure !== undefined, 'a frame')
      return frames.shift() ?? assert.fail(`the socket was closed with ${end?.code} ${failure}`)
    },
    async silent() {
      const answer = await client.ask({ action: 'ping' })
      assert.equal(answer.event, 'pong', JSON.stringify(answer))
    },
    ask(frame) {
      client.send(frame)
      return client.next()
    },
    async listen(topic) {
      const answer = await client.ask({ action: 'subscribe', topic })
      assert.deepEqual([answer.event, answer.topic], ['subscribed', topic], JSON.stringify(answer))
      return answer
    },
    send: (frame) => socket.send(typeof frame === 'string' || frame instanceof Buffer ? frame : JSON.stringify(frame)),
    async closed() {
      await until(() => end !== undefined, 'the close')
      return end ?? assert.fail()
    },
    async close() {
      socket.terminate()
      await client.closed()
    },
  }
  return client
}
