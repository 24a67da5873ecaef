import type { TurnEvent, TurnEvents } from '@stoa/cms-model/assistant.ts'
import type { StreamEvent } from '../../event-stream.ts'

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

/** What happened in a turn; events that are not known are those of a newer service. */
export const turnEventOf = ({ event, data }: StreamEvent): TurnEvent | undefined =>
  // The service checks what it sends against the schema of the event's name
  Object.hasOwn(NAMES, event) ? ({ event, data: JSON.parse(data) } as TurnEvent) : undefined

/** `done` or `error`: nothing follows. */
export const endsTurn = ({ event }: TurnEvent): boolean => event === 'done' || event === 'error'
