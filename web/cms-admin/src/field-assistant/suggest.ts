import type { FieldAssistantInput, FieldEvents } from '@stoa/cms-model/assistant.ts'
import { RequestError, sentence } from '@stoa/ui/request/request.ts'
import { postForEvents, readEvents } from '../event-stream.ts'

export type Suggestion = FieldEvents['done']

type SuggestOptions = { signal: AbortSignal; onText: (delta: string) => void }

/** The complete suggestion of the model. Throws an error in words for people when the request fails. */
export const suggest = async (input: FieldAssistantInput, options: SuggestOptions): Promise<Suggestion> => {
  const { signal } = options
  const body = await postForEvents('/api/assistant/field', input, signal)
  return readSuggestion(body, options).catch((raised: unknown) =>
    raised instanceof RequestError ? Promise.reject(raised) : lost(signal, raised),
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

const CUT = 'The connection was lost before the suggestion was complete.'

/** The line is gone, unless the person has ended it. */
const lost = (signal: AbortSignal, cause: unknown): never => {
  signal.throwIfAborted()
  throw new RequestError({ message: CUT, fields: [] }, 0, 'no_answer', { cause })
}
