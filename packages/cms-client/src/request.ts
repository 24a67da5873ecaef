import { pauseAfter, sleep } from './backoff.ts'
import { CmsError, errorOf } from './errors.ts'
import { createMemory } from './memory.ts'

/** `fetch`, or the `fetch` of a CMS in the same process. */
export type Fetch = (request: Request) => Promise<Response>

export type RequestSettings = {
  url: string
  apiKey: string
  fetch: Fetch
  timeoutMs: number
  retries: number
  /** Characters of answers that are kept; 0: none. */
  memory: number
}

/** Calls with the key of the site. Answers are parsed anew for each caller, so that nobody changes another's. */
export type Requests = {
  get(path: string, signal?: AbortSignal): Promise<unknown>
  post(path: string, signal?: AbortSignal): Promise<unknown>
  forget(): void
}

/** Worth another try: the next moment may be better. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504])
const PAUSE = { firstMs: 200, longestMs: 5_000 }
/** Longer than this nobody waits for a page. */
const LONGEST_RETRY_AFTER_MS = 10_000

export const openRequests = (settings: RequestSettings): Requests => {
  const memory = createMemory(settings.memory)

  const get = async (path: string, signal?: AbortSignal): Promise<unknown> => {
    const held = settings.memory > 0 ? memory.get(path) : undefined
    const answer = await persist(settings, { method: 'GET', path, etag: held?.etag, signal })
    if (answer.status === 304 && held) return JSON.parse(held.text)
    const { etag } = answer
    if (settings.memory > 0 && etag !== null && !answer.isPrivate) memory.keep(path, { etag, text: answer.text })
    return bodyOf(answer)
  }

  return {
    get,
    // Not retried: only the caller knows what a second POST means.
    post: async (path, signal) => bodyOf(await send(settings, { method: 'POST', path, signal })),
    forget: () => memory.clear(),
  }
}

type Call = { method: string; path: string; etag?: string | undefined; signal?: AbortSignal | undefined }
type Answer = {
  status: number
  text: string
  etag: string | null
  /** Must not be kept. */
  isPrivate: boolean
  retryAfterMs: number
}

/** Tries again after a failure that may pass, a few times and with growing pauses. */
const persist = async (settings: RequestSettings, call: Call): Promise<Answer> => {
  for (let failures = 1; ; failures += 1) {
    const answer = await send(settings, call).catch((error: unknown) => {
      if (failures > settings.retries || call.signal?.aborted || !(error instanceof CmsError)) throw error
      return null
    })
    if (answer && (answer.status < 400 || failures > settings.retries || !PASSING.has(answer.status))) {
      if (answer.status >= 400) throw errorOf(answer.status, answer.text)
      return answer
    }
    const asked = answer?.retryAfterMs ?? 0
    if (answer && asked > LONGEST_RETRY_AFTER_MS) throw errorOf(answer.status, answer.text)
    await sleep(Math.max(asked, pauseAfter(failures, PAUSE)), call.signal)
  }
}

const send = async (settings: RequestSettings, { method, path, etag, signal }: Call): Promise<Answer> => {
  const timeout = AbortSignal.timeout(settings.timeoutMs)
  const headers = new Headers({ accept: 'application/json', 'x-api-key': settings.apiKey })
  if (etag !== undefined) headers.set('if-none-match', etag)
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    // `no-store`: what is kept here must not be kept, and answered, by the browser in between. `redirect`: the key is for
    // this address only.
    const options = { method, headers, signal: either, cache: 'no-store', redirect: 'error' } as const
    const response = await settings.fetch(new Request(settings.url + path, options))
    return {
      status: response.status,
      text: await response.text(),
      etag: response.headers.get('etag'),
      isPrivate: /\bno-store\b/.test(response.headers.get('cache-control') ?? ''),
      retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1000 || 0,
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (timeout.aborted)
      throw new CmsError(`The CMS didn't respond within ${settings.timeoutMs} ms`, {
        status: 0,
        code: 'TIMEOUT',
        cause,
      })
    throw new CmsError(`The CMS at ${settings.url} can't be reached`, { status: 0, code: 'NETWORK', cause })
  }
}

const bodyOf = ({ status, text }: Answer): unknown => {
  if (status >= 400) throw errorOf(status, text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CmsError("The response isn't JSON. Check that this is the URL of a CMS.", {
      status,
      code: 'UNEXPECTED_ANSWER',
      cause,
    })
  }
}
