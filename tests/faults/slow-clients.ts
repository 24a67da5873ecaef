import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from './limits.ts'
import type { Report } from './outcomes.ts'
import { until } from './readiness.ts'
import { residentMb } from './service-process.ts'

/** A client that holds a connection and gives nothing for it: it says something once, and then a byte at a time. */
export type Slow = {
  port: number
  first?: string
  /** Each is said after an answer, the first after the greeting. */
  dialog?: readonly string[]
  drip?: string
}

/** What good clients had to wait for 95 of 100 times, and why some were not served. */
export type Served = { p95: number; failures: string[] }

export type SlowRun = {
  pid: number
  /** By what they do. */
  openSlow(): Promise<Record<string, Socket[]>>
  /** Lets good clients do what they do, so many times. */
  serveGood(rounds: number): Promise<Served>
  rounds: number
  /** Slow clients are let go within this time. */
  closedWithinMs: number
}

const MAX_P95_MS = within(300)
const MAX_GROWTH_MB = 400
const DRIP_MS = 1_000
/** Between two rounds of a good client. */
const PAUSE_MS = 20

/** Good clients notice nothing of slow ones, memory stays, and the slow ones are let go. */
export const againstSlow = async ({ pid, openSlow, serveGood, rounds, closedWithinMs }: SlowRun): Promise<Report> => {
  await serveGood(rounds / 8)
  const calm = await serveGood(rounds / 2)
  const before = residentMb(pid)
  const began = performance.now()
  const kinds = await openSlow()
  const slow = Object.values(kinds).flat()
  const opened = performance.now()
  /** When the last one of a kind was let go. */
  const closedMs: Record<string, number> = {}
  for (const [kind, sockets] of Object.entries(kinds))
    for (const socket of sockets)
      socket.on('close', () => {
        closedMs[kind] = Math.round(performance.now() - opened)
      })
  const busy = await serveGood(rounds)
  const peak = residentMb(pid)
  const left = () => slow.filter(({ destroyed }) => !destroyed).length
  const limitMs = within(closedWithinMs)
  await until('all slow ones are let go', () => left() === 0, { limitMs }).catch(() => 0)
  const broken = busy.failures.map((reason) => `a good client was not served: ${reason}`)
  // On a busy machine good clients wait longer anyway.
  if (busy.p95 > Math.max(MAX_P95_MS, 2 * calm.p95)) broken.push(`good clients waited ${Math.round(busy.p95)} ms`)
  for (const [kind, ms] of Object.entries(closedMs))
    if (ms > limitMs) broken.push(`the last of slow ${kind} was let go after ${ms} ms`)
  if (left() > 0) broken.push(`${left()} slow clients are still there`)
  if (peak - before > MAX_GROWTH_MB) broken.push(`memory grew by ${Math.round(peak - before)} MB`)
  for (const socket of slow) socket.destroy()
  return {
    figures: {
      slow: slow.length,
      opened_ms: Math.round(opened - began),
      calm_p95_ms: Math.round(calm.p95),
      p95_ms: Math.round(busy.p95),
      failed: busy.failures.length,
      grew_mb: Math.round(peak - before),
      closed_ms: Object.entries(closedMs)
        .map(([kind, ms]) => `${kind}:${ms}`)
        .join('/'),
    },
    broken,
  }
}

/** So many of each kind. */
export const openDripping = async (
  kinds: Readonly<Record<string, Slow>>,
  perKind: number,
): Promise<Record<string, Socket[]>> => {
  const all: Record<string, Socket[]> = {}
  for (const [kind, { port, first, dialog = [], drip }] of Object.entries(kinds))
    all[kind] = await openMany(perKind, port, (socket) => {
      const texts = dialog.values()
      socket.on('data', () => {
        const { value } = texts.next()
        if (value) socket.write(value)
      })
      if (first) socket.write(first)
      if (drip) keepWriting(socket, drip)
    })
  return all
}

/** Opens connections, one after the other, from two hundred addresses. */
export const openMany = async (count: number, port: number, begin: (socket: Socket) => void): Promise<Socket[]> => {
  const all: Socket[] = []
  for (let at = 0; at < count; at += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (at % 200)}` })
    socket.on('error', () => socket.destroy()).on('end', () => socket.destroy())
    await once(socket, 'connect')
    begin(socket)
    all.push(socket)
  }
  return all
}

/** One that does not read does not see the end, but a write after it fails. */
export const keepWriting = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), DRIP_MS)
  socket.on('error', () => socket.destroy()).on('close', () => clearInterval(timer))
}

/** Times what a good client does, one thing after the other, so many times. */
export const timeRounds = async (count: number, works: readonly (() => Promise<void>)[]): Promise<Served> => {
  const times: number[] = []
  const failures: string[] = []
  for (let round = 0; round < count; round += 1) {
    for (const work of works) {
      const began = performance.now()
      await work().catch((error: unknown) => failures.push(String(error)))
      times.push(performance.now() - began)
    }
    await sleep(PAUSE_MS)
  }
  return { p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0, failures }
}

/** Headers, and the body of a sign-in, that never come to their end. */
export const slowHttp = (url: string) => {
  const port = Number(new URL(url).port)
  const login =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{'
  return {
    headers: { port, first: 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', drip: 'x' },
    body: { port, first: login, drip: ' ' },
  }
}
