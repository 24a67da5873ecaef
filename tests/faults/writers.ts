import { setTimeout as sleep } from 'node:timers/promises'

/** What one request came to, as a client sees it. */
export type Outcome = { status: number | 'cut'; code: string | null; milliseconds: number; body: unknown }

export const call = async (
  url: string,
  options: { method?: string; token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Outcome> => {
  const began = performance.now()
  const done = (status: Outcome['status'], body: unknown): Outcome => ({
    status,
    code: codeOf(body),
    milliseconds: performance.now() - began,
    body,
  })
  try {
    const response = await fetch(url, {
      method: options.method ?? 'GET',
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    const text = await response.text()
    return done(response.status, text === '' ? null : JSON.parse(text))
  } catch {
    return done('cut', null)
  }
}

const codeOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null) return null
  if ('code' in body && typeof body.code === 'string') return body.code
  return 'name' in body && typeof body.name === 'string' ? body.name : null
}

/**
 * One client that counts upwards in the name of its own record. What it knows at any time: the highest number that was
 * acknowledged, and the highest it has ever sent.
 */
export type Writer = { id: string; acknowledged: number; sent: number }
export type StoredCounter = { count: number; version: number }

export const OWNER = { email: 'owner@example.test', password: 'correct horse battery', name: 'Owner' }

/** Claims an empty CMS and makes one account per writer. */
export const prepareWriters = async (url: string, count: number): Promise<{ token: string; writers: Writer[] }> => {
  const claim = await call(`${url}/api/auth/setup`, { method: 'POST', body: OWNER })
  const token = String(Reflect.get(Object(claim.body), 'token'))
  const writers: Writer[] = []
  for (let at = 0; at < count; at += 1) {
    const made = await call(`${url}/api/users`, {
      method: 'POST',
      token,
      body: { email: `writer${at}@example.test`, name: 'count 0', role: 'viewer', password: OWNER.password },
    })
    if (made.status !== 201) throw new Error(`a writer's account was refused: ${JSON.stringify(made.body)}`)
    writers.push({ id: String(Reflect.get(Object(made.body), 'id')), acknowledged: 0, sent: 0 })
  }
  return { token, writers }
}

/** Writes until stopped; after a failure it looks where it stands before it goes on. */
export const keepWriting = async (
  writer: Writer,
  options: { url: string; token: string; signal: AbortSignal; onOutcome?: (outcome: Outcome) => void },
): Promise<void> => {
  while (!options.signal.aborted) {
    const next = writer.sent + 1
    writer.sent = next
    const outcome = await call(`${options.url}/api/users/${writer.id}`, {
      method: 'PUT',
      token: options.token,
      body: { name: `count ${next}` },
    })
    options.onOutcome?.(outcome)
    if (outcome.status === 200) writer.acknowledged = next
    else await sleep(20)
  }
}

export const readCounter = async (url: string, token: string, writer: Writer): Promise<StoredCounter> => {
  const { status, body } = await call(`${url}/api/users/${writer.id}`, { token })
  if (status !== 200) throw new Error(`a writer's account cannot be read: ${status}`)
  return {
    count: Number(String(Reflect.get(Object(body), 'name')).replace('count ', '')),
    version: Number(Reflect.get(Object(body), 'version')),
  }
}
