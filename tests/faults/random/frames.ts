import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketErrors } from '@stoa/cms-model/realtime.ts'
import { WebSocket } from 'ws'
import { call, memberOf } from '../outcomes.ts'
import { socketUrl } from '../sockets.ts'
import { TYPE } from './content.ts'
import type { Dice } from './dice.ts'
import { garbageBody, garbageText, garbageValue } from './garbage.ts'
import type { Credential } from './people.ts'
import type { Pools } from './pools.ts'

export type Frames = {
  readonly sent: number
  /** How sockets were closed by the service, and how often. */
  readonly closings: ReadonlyMap<number, number>
  readonly broken: readonly string[]
  /** Sends one frame over one of the sockets. */
  send(dice: Dice, credentials: readonly Credential[]): Promise<void>
  close(): Promise<void>
}

const SOCKETS = 8

export const createFrames = (url: string, pools: Pools): Frames => {
  /** Each is one socket at a time, opened again whenever it was closed. */
  const places: Promise<WebSocket | undefined>[] = []
  const closings = new Map<number, number>()
  const broken: string[] = []
  let sent = 0

  const judge = (text: string): void => {
    const frame: unknown = JSON.parse(text)
    if (memberOf(frame, 'event') !== 'error') return
    const code = memberOf(Reflect.get(Object(frame), 'data'), 'code')
    if (!Object.hasOwn(socketErrors, code) || code === 'UNAVAILABLE') broken.push(`a frame came to ${text}`)
  }
  const open = async (credential: Credential): Promise<WebSocket | undefined> => {
    const ticket = await ticketOf(url, credential)
    if (ticket === null) return undefined
    const socket = new WebSocket(socketUrl(url, ticket))
    socket.on('error', () => undefined)
    socket.on('message', (data) => judge(data.toString()))
    socket.on('close', (code) => closings.set(code, (closings.get(code) ?? 0) + 1))
    await Promise.race([once(socket, 'open'), once(socket, 'close')]).catch(() => undefined)
    return socket
  }
  /** In turn, so that no socket is opened twice. */
  const take = (at: number, credential: Credential): Promise<WebSocket | undefined> => {
    const before = places[at] ?? Promise.resolve(undefined)
    const taken = before.then((socket) => (socket?.readyState === WebSocket.OPEN ? socket : open(credential)))
    places[at] = taken
    return taken
  }

  return {
    get sent() {
      return sent
    },
    closings,
    broken,
    async send(dice, credentials) {
      const credential = dice.pickAny(credentials.filter(({ kind }) => kind !== 'agent'))
      if (!credential) return
      const socket = await take(dice.int(0, SOCKETS - 1), credential)
      sent += 1
      if (socket?.readyState !== WebSocket.OPEN) return
      sendOne(dice, socket, pools)
      // Under the rate that closes a socket, most of the time.
      if (dice.chance(0.9)) await sleep(dice.int(0, 20))
    },
    async close() {
      for (const socket of await Promise.all(places)) socket?.terminate()
    },
  }
}

const ticketOf = async (url: string, { kind, header, token }: Credential): Promise<string | null> => {
  const isDelivery = kind === 'delivery'
  const path = isDelivery ? '/realtime/delivery/ticket' : '/api/realtime/ticket'
  const headers = { [header]: isDelivery ? token : `Bearer ${token}` }
  const { status, body } = await call(`${url}${path}`, { method: 'POST', headers })
  return status === 200 ? memberOf(body, 'ticket') : null
}

const sendOne = (dice: Dice, socket: WebSocket, pools: Pools): void => {
  switch (dice.int(0, 29)) {
    case 0:
      socket.send(garbageBody(dice))
      break
    case 1:
      socket.send(Buffer.alloc(dice.pick([1, 4_096, 4_097, 70_000])), { binary: true })
      break
    case 2:
      socket.ping(Buffer.alloc(dice.int(0, 125)))
      break
    case 3:
      socket.pong()
      break
    case 4:
      socket.close(dice.pick([1000, 1001, 3000, 4999]), 'bye')
      break
    case 5:
      socket.terminate()
      break
    case 6:
      socket.send('"x', { fin: false })
      break
    case 7:
      socket.send(JSON.stringify(garbageValue(dice)))
      break
    case 8:
      flood(dice, socket)
      break
    default:
      socket.send(frameOf(dice, pools))
  }
}

const frameOf = (dice: Dice, pools: Pools): string => {
  const action = dice.chance(0.93) ? dice.pick(['subscribe', 'unsubscribe', 'ping', 'subscribe']) : garbageText(dice)
  return JSON.stringify(action === 'ping' ? { action } : { action, topic: topicOf(dice, pools) })
}

const flood = (dice: Dice, socket: WebSocket): void => {
  for (let left = dice.pick([10, 30, 300]); left > 0; left -= 1) socket.send('{"action":"ping"}')
}

const topicOf = (dice: Dice, pools: Pools): unknown => {
  const kind = dice.int(0, 9)
  if (kind < 3) return `entry:${dice.pickAny(pools.get('entries') ?? [])}`
  if (kind < 6) return `content:${dice.chance(0.7) ? TYPE : dice.pickAny(pools.get('types-names') ?? [])}`
  if (kind < 8) return 'site'
  return kind === 8 ? `${dice.pick(['entry', 'content', 'x'])}:${garbageText(dice)}` : garbageValue(dice)
}
