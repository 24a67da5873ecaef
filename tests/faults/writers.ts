import { setTimeout as sleep } from 'node:timers/promises'
import { call, memberOf, must, type Outcome } from './outcomes.ts'

/**
 * One client that counts upwards in the name of its own record. What it knows at any time: the highest number that was
 * acknowledged, and the highest it has ever sent.
 */
export type Writer = { id: string; acknowledged: number; sent: number }
export type StoredCounter = { count: number; version: number }

export const OWNER = { email: 'owner@example.test', password: 'correct horse battery', name: 'Owner' }

/** Claims an empty CMS and makes one account per writer. */
export const prepareWriters = async (url: string, count: number): Promise<{ token: string; writers: Writer[] }> => {
  const token = memberOf(await must(`${url}/api/auth/setup`, { method: 'POST', body: OWNER }), 'token')
  const writers: Writer[] = []
  for (let at = 0; at < count; at += 1) {
    const body = { email: `writer${at}@example.test`, name: 'count 0', role: 'viewer', password: OWNER.password }
    const made = await must(`${url}/api/users`, { method: 'POST', token, body })
    writers.push({ id: memberOf(made, 'id'), acknowledged: 0, sent: 0 })
  }
  return { token, writers }
}

/** All writers at work, each soon after it is answered. */
export const startWriters = (url: string, token: string, writers: readonly Writer[]) => {
  const outcomes: Outcome[] = []
  const controller = new AbortController()
  const running = writers.map((writer) =>
    keepWriting(writer, { url, token, signal: controller.signal, onOutcome: (outcome) => outcomes.push(outcome) }),
  )
  return {
    async stop(): Promise<Outcome[]> {
      controller.abort()
      await Promise.all(running)
      return outcomes
    },
  }
}

/** Nothing acknowledged is missing, nothing is there that was never sent, and each write was applied once. */
export const checkWriter = async (url: string, token: string, writer: Writer): Promise<string[]> => {
  const { acknowledged } = writer
  const stored = await readCounter(url, token, writer)
  const broken: string[] = []
  if (stored.count < acknowledged) broken.push(`acknowledged ${acknowledged}, found ${stored.count}`)
  if (stored.count > writer.sent) broken.push(`found ${stored.count}, sent only ${writer.sent}`)
  if (stored.version > writer.sent + 1) broken.push(`version ${stored.version} after ${writer.sent} writes`)
  return broken
}

/** Short, so that most kills hit a write; without it the service would do nothing but these. */
const PAUSE_MS = 20

/** Writes until stopped; after a failure it looks where it stands before it goes on. */
const keepWriting = async (
  writer: Writer,
  options: { url: string; token: string; signal: AbortSignal; onOutcome: (outcome: Outcome) => void },
): Promise<void> => {
  while (!options.signal.aborted) {
    const next = writer.sent + 1
    writer.sent = next
    const outcome = await call(`${options.url}/api/users/${writer.id}`, {
      method: 'PUT',
      token: options.token,
      body: { name: `count ${next}` },
    })
    options.onOutcome(outcome)
    if (outcome.status === 200) writer.acknowledged = next
    await sleep(outcome.status === 200 ? PAUSE_MS : 10 * PAUSE_MS)
  }
}

const readCounter = async (url: string, token: string, writer: Writer): Promise<StoredCounter> => {
  const body = await must(`${url}/api/users/${writer.id}`, { token })
  return { count: Number(memberOf(body, 'name').replace('count ', '')), version: Number(memberOf(body, 'version')) }
}
