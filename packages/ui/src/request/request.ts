import { type Problem, ProblemError } from './problem.ts'

/** An answer that is not the wanted one. `status` is 0 when none came at all. */
export class RequestError extends ProblemError {
  readonly status: number
  /** The error code for programs; each service has its own. */
  readonly code: string
  /** The body of the error response as received: some codes have members of their own. */
  readonly body: unknown

  constructor({ message, fields }: Problem, status: number, code: string, options?: ErrorOptions & { body?: unknown }) {
    super(message, fields, options)
    this.name = 'RequestError'
    this.status = status
    this.code = code
    this.body = options?.body
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type RequestOptions = {
  /** Sent as JSON; a file is sent as it is. */
  body?: unknown
  headers?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}
export type Send = <T>(method: Method, path: string, options?: RequestOptions) => Promise<T>

/** Turns the body of a refusal into words; undefined when it is not the service's own. */
export type ReadRefusal = (body: unknown) => (Problem & { code: string }) | undefined

/** Calls the app's own service with its cookie. Throws a `RequestError` for everything but a good answer. */
export const createSend =
  (readRefusal: ReadRefusal, onAnswer: (response: Response) => void = () => undefined): Send =>
  async <T>(method: Method, path: string, { body, headers, signal }: RequestOptions = {}): Promise<T> => {
    const ask = () =>
      fetch(path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined || body instanceof Blob ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      }).catch((cause: unknown) => {
        if (signal?.aborted) throw cause
        throw new RequestError(NO_ANSWER, 0, 'no_answer', { cause })
      })
    const first = await ask()
    const waitMs = method === 'GET' ? undefined : shortWaitOf(first)
    if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const response = waitMs === undefined ? first : await ask()
    onAnswer(response)
    const answer = await readJson(response)
    // The service checks its good answers against the schema of T before it sends them
    if (response.ok) return answer
    const refusal = readRefusal(answer)
    throw new RequestError(refusal ?? wordsFor(response.status), response.status, refusal?.code ?? 'unknown', {
      body: answer,
    })
  }

/** Whether the same request may work in a moment: no answer, too many at once, busy or broken. */
export const isPassing = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 500)

/** The words of a service as one sentence. */
export const sentence = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed === '') return trimmed
  const start = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(start) ? start : `${start}.`
}

/** The app's base path as the server wrote it into the page, without a slash at its end. */
export const appBase = (): string =>
  (document.querySelector('meta[name="app-base"]')?.getAttribute('content') ?? '').replace(/\/$/, '')

// Longer than this, people want to know
const MAX_WAIT_SECONDS = 3

/** A request refused with 429 was not processed and can be sent again; callers retry reads themselves. */
const shortWaitOf = ({ status, headers }: Response): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return status === 429 && seconds <= MAX_WAIT_SECONDS ? seconds * 1000 : undefined
}

const NO_ANSWER: Problem = {
  message: "The server isn't responding. Check your connection and try again; what you typed is kept.",
  fields: [],
}

const wordsFor = (status: number): Problem => ({
  message:
    status >= 500
      ? 'The server has a problem right now. Try again in a moment.'
      : `The server refused this request (${status}).`,
  fields: [],
})

// A proxy in front of the service may answer with a page of its own
const readJson = async (response: Response) => {
  const isJson = response.headers.get('content-type')?.includes('json')
  return isJson ? response.json() : undefined
}
