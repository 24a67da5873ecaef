import { RequestError } from '@stoa/ui/request/request.ts'
import { isSignedOut, readRefusal, sendSignedIn } from './api.ts'

export type StreamEvent = { event: string; data: string }
type Bytes = Uint8Array<ArrayBuffer>

/** Reads events from bytes as they come, wherever they are cut (WHATWG HTML §9.2.6); one that did not end is none. */
export const createEventReader = (): ((bytes: Bytes) => StreamEvent[]) => {
  const decoder = new TextDecoder()
  let rest = ''
  let event = 'message'
  let data: string[] = []
  return (bytes) => {
    rest += decoder.decode(bytes, { stream: true })
    const events: StreamEvent[] = []
    for (let line = takeLine(); line !== undefined; line = takeLine()) {
      if (line !== '') read(line)
      else {
        if (data.length > 0) events.push({ event, data: data.join('\n') })
        event = 'message'
        data = []
      }
    }
    return events
  }

  function takeLine(): string | undefined {
    const end = rest.search(/[\r\n]/)
    // A line feed may follow
    if (end === -1 || (rest[end] === '\r' && end === rest.length - 1)) return undefined
    const line = rest.slice(0, end)
    rest = rest.slice(end + (rest.startsWith('\r\n', end) ? 2 : 1))
    return line
  }

  function read(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
}

/** The events of a stream as they come. */
export async function* readEvents(body: ReadableStream<Bytes>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const read = createEventReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield* read(piece.value)
  } finally {
    // A reader that stops wants no more of it
    await reader.cancel().catch(() => undefined)
  }
}

/** Posts what is answered by a stream of events. Throws a `RequestError` for every other answer. */
export const postForEvents = async (
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<ReadableStream<Bytes>> => {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { accept: 'text/event-stream, application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new RequestError({ message: NO_ANSWER, fields: [] }, 0, 'no_answer', { cause })
  })
  if (!answer.ok || !answer.body) throw await refusalOf(answer)
  return answer.body
}

const NO_ANSWER = "The server isn't responding. Check your connection and try again; what you typed is kept."

const refusalOf = async (answer: Response): Promise<RequestError> => {
  const body: unknown = answer.headers.get('content-type')?.includes('json') ? await answer.json() : undefined
  const refusal = readRefusal(body)
  const [problem] = refusal?.fields ?? []
  const message = problem?.message ?? refusal?.message ?? 'The server has a problem right now. Try again in a moment.'
  const error = new RequestError({ message, fields: [] }, answer.status, refusal?.code ?? 'unknown', { body })
  // Leads to the sign-in, as any other request does
  if (isSignedOut(error)) await sendSignedIn('GET', '/api/auth/me').catch(() => undefined)
  return error
}
