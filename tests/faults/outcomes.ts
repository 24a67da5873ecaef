import { setTimeout as sleep } from 'node:timers/promises'
import { within } from './limits.ts'

/** What a scenario saw; `broken` names the invariants that did not hold, and is empty on success. */
export type Report = { figures: Record<string, number | string>; broken: string[] }

/** What one request came to, as a client sees it. */
export type Outcome = { status: number | 'cut'; code: string | null; milliseconds: number; body: unknown }

export type CallOptions = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

export const call = async (url: string, options: CallOptions = {}): Promise<Outcome> => {
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

/** A service that is too busy for a moment has done nothing, and says so. */
const BUSY_TRIES = 10
const BUSY_PAUSE_MS = 1_000

/** Preparation: an answer other than success ends the run. */
export const must = async (url: string, options: CallOptions = {}, triesLeft = BUSY_TRIES): Promise<unknown> => {
  const { status, body } = await call(url, options)
  if (status === 503 && triesLeft > 0) {
    await sleep(BUSY_PAUSE_MS)
    return must(url, options, triesLeft - 1)
  }
  if (status === 'cut' || status >= 400)
    throw new Error(`${options.method ?? 'GET'} ${url} came to ${status}: ${JSON.stringify(body)}`)
  return body
}

/** A member of an answer, as text. */
export const memberOf = (body: unknown, name: string): string => String(Reflect.get(Object(body), name))

const MAX_ANSWER_MS = 10_000

/** A request that fails because the database is away says so, in the service's own words and in time. */
export const answersInTime = (outcomes: readonly Outcome[]): string[] => {
  const late = outcomes.filter((outcome) => outcome.milliseconds > within(MAX_ANSWER_MS))
  const odd = outcomes.filter((outcome) => !isSuccess(outcome) && !(outcome.status === 503 && outcome.code))
  return [
    ...late.map((outcome) => `an answer took ${Math.round(outcome.milliseconds)} ms`),
    ...odd.map((outcome) => `an answer was ${outcome.status} ${outcome.code ?? 'without a code'}`),
  ]
}

export const isSuccess = ({ status }: Outcome): boolean => status === 200 || status === 201

export const summary = (outcomes: readonly Outcome[]): Record<string, number> => ({
  requests: outcomes.length,
  acknowledged: outcomes.filter(isSuccess).length,
  unavailable: countOf(outcomes, 503),
  cut: countOf(outcomes, 'cut'),
  slowest_ms: Math.round(outcomes.reduce((slowest, outcome) => Math.max(slowest, outcome.milliseconds), 0)),
})

export const countOf = (outcomes: readonly Outcome[], status: Outcome['status']): number =>
  outcomes.filter((outcome) => outcome.status === status).length

const codeOf = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null) return null
  if ('code' in body && typeof body.code === 'string') return body.code
  return 'name' in body && typeof body.name === 'string' ? body.name : null
}
