import type { TurnEvent, TurnEvents } from '@stoa/cms-model/assistant.ts'

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

/** Reads the events of a turn from the bytes as they come, wherever they are cut (WHATWG HTML, 9.2.6). */
export const createEventReader = (): ((bytes: Uint8Array) => TurnEvent[]) => {
  const decoder = new TextDecoder()
  let rest = ''
  let name = ''
  let data: string[] = []
  return (bytes) => {
    rest += decoder.decode(bytes, { stream: true })
    const events: TurnEvent[] = []
    for (let line = takeLine(); line !== undefined; line = takeLine()) {
      if (line !== '') read(line)
      else {
        const event = eventOf(name, data.join('\n'))
        if (event) events.push(event)
        name = ''
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
    if (field === 'event') name = value
    if (field === 'data') data.push(value)
  }
}

/** Events that are not known are those of a newer service. */
const eventOf = (name: string, data: string): TurnEvent | undefined =>
  // The service checks what it sends against the schema of the event's name
  Object.hasOwn(NAMES, name) && data !== '' ? ({ event: name, data: JSON.parse(data) } as TurnEvent) : undefined

/** `done` or `error`: nothing follows. */
export const endsTurn = ({ event }: TurnEvent): boolean => event === 'done' || event === 'error'
