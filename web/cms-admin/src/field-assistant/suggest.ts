import type { FieldAssistantInput, FieldEvents } from '@stoa/cms-model/assistant.ts'
import { RequestError, sentence } from '@stoa/ui/request.ts'
import { isSignedOut, readRefusal, sendSignedIn } from '../api.ts'
import { readEvents } from './read-events.ts'

export type Suggestion = FieldEvents['done']

type SuggestOptions = { signal: AbortSignal; onText: (delta: string) => void }

/** What the model suggests, once all of it has come. Throws in words for people when it did not. */
export const suggest = async (input: FieldAssistantInput, options: SuggestOptions): Promise<Suggestion> => {
  const { signal } = options
  const answer = await fetch('/api/assistant/field', {
    method: 'POST',
    headers: { accept: 'text/event-stream, application/json', 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal,
  }).catch((cause: unknown) => lost(NO_ANSWER, signal, cause))
  if (!answer.ok || !answer.body) throw await refusalOf(answer)
  return readSuggestion(answer.body, options).catch((raised: unknown) =>
    raised instanceof RequestError ? Promise.reject(raised) : lost(CUT, signal, raised),
  )
}

const readSuggestion = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onText }: SuggestOptions,
): Promise<Suggestion> => {
  for await (const { event, data } of readEvents(body)) {
    // The service checks its events against these shapes before it sends them
    if (event === 'text') onText((JSON.parse(data) as FieldEvents['text']).delta)
    if (event === 'done') return JSON.parse(data) as FieldEvents['done']
    if (event === 'error') {
      const { message, code } = JSON.parse(data) as FieldEvents['error']
      throw new RequestError({ message: sentence(message), fields: [] }, 200, code)
    }
  }
  throw new RequestError({ message: CUT, fields: [] }, 0, 'no_answer')
}

const NO_ANSWER = 'The service does not answer. Check the connection and try again.'
const CUT = 'The connection was lost before the suggestion was complete.'

/** The line is gone, unless the person has ended it. */
const lost = (message: string, signal: AbortSignal, cause: unknown): never => {
  signal.throwIfAborted()
  throw new RequestError({ message, fields: [] }, 0, 'no_answer', { cause })
}

const refusalOf = async (answer: Response): Promise<RequestError> => {
  const body: unknown = answer.headers.get('content-type')?.includes('json') ? await answer.json() : undefined
  const refusal = readRefusal(body)
  const [problem] = refusal?.fields ?? []
  const message = problem?.message ?? refusal?.message ?? 'The service has a problem right now. Try again in a moment.'
  const error = new RequestError({ message, fields: [] }, answer.status, refusal?.code ?? 'unknown')
  // Leads to the sign-in, as any other request does
  if (isSignedOut(error)) await sendSignedIn('GET', '/api/auth/me').catch(() => undefined)
  return error
}
