import type { FieldAssistantInput, FieldEvents } from '@stoa/cms-model/assistant.ts'
import { RequestError, sentence } from '@stoa/ui/request.ts'
import { readRefusal } from '../api.ts'
import { readEvents } from './read-events.ts'

export type Suggestion = FieldEvents['done']

type SuggestOptions = { signal: AbortSignal; onText: (delta: string) => void }

/** What the model suggests, once all of it has come. Throws in words for people when it did not. */
export const suggest = async (input: FieldAssistantInput, { signal, onText }: SuggestOptions): Promise<Suggestion> => {
  const answer = await fetch('/api/assistant/field', {
    method: 'POST',
    headers: { accept: 'text/event-stream, application/json', 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal,
  })
  if (!answer.ok || !answer.body) throw await refusalOf(answer)
  for await (const { event, data } of readEvents(answer.body)) {
    // The service checks its events against these shapes before it sends them
    if (event === 'text') onText((JSON.parse(data) as FieldEvents['text']).delta)
    if (event === 'done') return JSON.parse(data) as FieldEvents['done']
    if (event === 'error') {
      const { message, code } = JSON.parse(data) as FieldEvents['error']
      throw new RequestError({ message: sentence(message), fields: [] }, answer.status, code)
    }
  }
  throw new RequestError({ message: CUT, fields: [] }, 0, 'no_answer')
}

const CUT = 'The connection was lost before the suggestion was complete.'

const refusalOf = async (answer: Response): Promise<RequestError> => {
  const body: unknown = answer.headers.get('content-type')?.includes('json') ? await answer.json() : undefined
  const refusal = readRefusal(body)
  const [problem] = refusal?.fields ?? []
  const message = problem?.message ?? refusal?.message ?? 'The service has a problem right now. Try again in a moment.'
  return new RequestError({ message, fields: [] }, answer.status, refusal?.code ?? 'unknown')
}
