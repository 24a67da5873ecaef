import type { MessageInput, TurnEvent, TurnEvents } from '@stoa/cms-model/assistant.ts'
import { postForEvents, readEvents, type StreamEvent } from '../../event-stream.ts'
import { messagesPath } from '../queries.ts'

/** `ended`: it came to its end. `lost`: the line ended before that. */
export type StreamEnd = 'ended' | 'lost'

/**
 * Sends a message and passes on the events of its answer as they come; sent again, it gets the same answer. Throws
 * when the service refuses it.
 */
export const followTurn = async (
  conversationId: string,
  body: MessageInput,
  onEvent: (event: TurnEvent) => void,
): Promise<StreamEnd> => {
  const stream = await postForEvents(messagesPath(conversationId), body)
  try {
    for await (const message of readEvents(stream)) {
      const event = turnEventOf(message)
      if (!event) continue
      onEvent(event)
      if (endsTurn(event)) return 'ended'
    }
  } catch (error) {
    // No line any more, or what came is no event: either way the end of the answer is not known here
    console.warn('Lost the connection to the assistant', error)
  }
  return 'lost'
}

const NAMES: Readonly<Record<keyof TurnEvents, true>> = {
  start: true,
  text: true,
  step: true,
  tool: true,
  proposal: true,
  navigate: true,
  usage: true,
  done: true,
  error: true,
}

/** Parses an event of a turn; unknown events come from a newer service and are skipped. */
const turnEventOf = ({ event, data }: StreamEvent): TurnEvent | undefined =>
  // The service checks what it sends against the schema of the event's name
  Object.hasOwn(NAMES, event) ? ({ event, data: JSON.parse(data) } as TurnEvent) : undefined

/** `done` or `error`: nothing follows. */
const endsTurn = ({ event }: TurnEvent): boolean => event === 'done' || event === 'error'
