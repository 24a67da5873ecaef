import type { z } from 'zod'
import { createEgress, type Egress } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import { type XmlElement, XmlError, xmlElements } from '../xml.ts'
import {
  type Credentials,
  type RecordChange,
  type RecordData,
  stepsOf,
  type WriteResult,
  type ZoneRecord,
} from './adapter.ts'

/** The provider does not take the credentials. */
export class ProviderRefused extends Error {}
/** The provider did not do what was asked. The message may be shown. */
export class ProviderFailed extends Error {}

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base, with its query. */
  path: string
  headers?: Record<string, string>
  /** Sent as JSON; text as it is. */
  body?: unknown
}
export type ApiAnswer = { status: number; text: string }

/** One provider's API with one person's credentials; both end with the request that brought them. */
export type Api = {
  readonly base: URL
  /** Any answer but 401 and 403. */
  send(request: ApiRequest): Promise<ApiAnswer>
  /** The answer as JSON; fails unless it is one of success. */
  json<S extends z.ZodType>(schema: S, request: ApiRequest): Promise<z.output<S>>
  /** As `json`, but null if the thing does not exist. */
  find<S extends z.ZodType>(schema: S, request: ApiRequest): Promise<z.output<S> | null>
  /** For requests whose answer says nothing. */
  run(request: ApiRequest): Promise<void>
}

const TIMEOUT_MS = 10_000
/** Zones of thousands of records are listed page by page. */
const MAX_ANSWER = 4 * 2 ** 20
/** The longest text of a provider that is shown. */
export const MAX_SHOWN = 200
export const UNEXPECTED = 'The DNS provider sent an unexpected response.'

/** `isOwn`: the operator set the address, which may then be a proxy inside. */
export const createApi = (options: {
  base: string
  isOwn: boolean
  credentials: Credentials
  resolvers: readonly string[]
}): Api => {
  const egress = createEgress({
    ports: [443],
    allowPrivate: options.isOwn,
    totalTimeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_ANSWER,
    ...(options.resolvers.length > 0 && { resolvers: options.resolvers }),
  })
  const redact = redacter(Object.values(options.credentials))

  const send = async (request: ApiRequest): Promise<ApiAnswer> => {
    const answer = await exchange(egress, options, request)
    if (answer.status === 401 || answer.status === 403)
      throw new ProviderRefused('The DNS provider rejected the credentials.')
    return answer
  }
  const parse = <S extends z.ZodType>(schema: S, { status, text }: ApiAnswer): z.output<S> => {
    if (status < 200 || status > 299) throw new ProviderFailed(redact(problemOf(status, text)))
    const parsed = schema.safeParse(readJson(text))
    if (!parsed.success) throw new ProviderFailed(UNEXPECTED)
    return parsed.data
  }
  return {
    base: new URL(options.base),
    send,
    json: async (schema, request) => parse(schema, await send(request)),
    find: async (schema, request) => {
      const answer = await send(request)
      return answer.status === 404 ? null : parse(schema, answer)
    },
    run: async (request) => {
      const { status, text } = await send(request)
      if (status < 200 || status > 299) throw new ProviderFailed(redact(problemOf(status, text)))
    },
  }
}

/** Makes each change by itself; one that fails does not stop the others. */
export const oneByOne = async (
  changes: readonly RecordChange[],
  write: (change: RecordChange) => Promise<void>,
): Promise<WriteResult[]> => {
  const outcomes: WriteResult[] = []
  for (const change of changes) outcomes.push(await outcomeOf(() => write(change)))
  return outcomes
}

export const outcomeOf = async (run: () => Promise<void>): Promise<WriteResult> => {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof ProviderFailed || error instanceof ProviderRefused) return error.message
    throw error
  }
}

const exchange = async (egress: Egress, { base }: { base: string }, request: ApiRequest): Promise<ApiAnswer> => {
  const body =
    request.body === undefined || typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
  const isJson = body !== undefined && typeof request.body !== 'string'
  try {
    const answer = await egress.request({
      method: request.method,
      url: `${base.replace(/\/$/, '')}${request.path}`,
      headers: {
        accept: 'application/json',
        'user-agent': 'stoa/1',
        ...(isJson && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
    })
    if (answer.truncated) throw new ProviderFailed("The DNS provider's response was too large.")
    return { status: answer.status, text: answer.body.toString() }
  } catch (error) {
    if (error instanceof EgressFailed || error instanceof EgressRefused)
      throw new ProviderFailed("Couldn't connect to the DNS provider.", { cause: error.reason })
    throw error
  }
}

const readJson = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The elements of an answer in XML. */
export const elementsOf = (text: string): XmlElement[] => {
  try {
    return [...xmlElements(text)]
  } catch (error) {
    if (error instanceof XmlError) throw new ProviderFailed(UNEXPECTED)
    throw error
  }
}

/** What a provider says about itself, on one line. */
const problemOf = (status: number, text: string): string => {
  const said = /"(?:message|detail|error|errors|reason)"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1]
  const shown = (said ?? '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MAX_SHOWN)
  return `The DNS provider returned ${status}${shown === '' ? '.' : `: ${shown}`}`
}

/** Some answers repeat what was sent. */
const redacter =
  (secrets: readonly string[]) =>
  (text: string): string =>
    secrets.filter((secret) => secret.length > 3).reduce((all, secret) => all.replaceAll(secret, '***'), text)

/** How a provider makes, changes and removes one record. Without `update` the new one is made, then the old one goes. */
export type RecordWriter = {
  create(change: RecordChange, data: RecordData): Promise<void>
  update?(change: RecordChange, data: RecordData, record: ZoneRecord): Promise<void>
  remove(record: ZoneRecord): Promise<void>
}

export const writeRecords = (changes: readonly RecordChange[], writer: RecordWriter): Promise<WriteResult[]> =>
  oneByOne(changes, async (change) => {
    const { updates, creates, removes } = stepsOf(change)
    for (const { record, data } of updates) {
      if (writer.update) await writer.update(change, data, record)
      else {
        // Beside a CNAME there can be no other, not even for a moment.
        if (change.type === 'CNAME') await writer.remove(record)
        await writer.create(change, data)
        if (change.type !== 'CNAME') await writer.remove(record)
      }
    }
    for (const data of creates) await writer.create(change, data)
    for (const record of removes) await writer.remove(record)
  })

/** Reads pages until there is no more. `read` gives the page and whether another follows. */
export const readPages = async <T>(
  read: (page: number) => Promise<{ items: readonly T[]; hasMore: boolean }>,
): Promise<T[]> => {
  const all: T[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, hasMore } = await read(page)
    all.push(...items)
    if (!hasMore) break
  }
  return all
}

/** A zone of more records than this is not that of somebody who starts with mail. */
const MAX_PAGES = 100
