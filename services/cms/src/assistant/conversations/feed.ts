import type { TurnEvent } from '@stoa/cms-model/assistant.ts'

type TextEvent = Extract<TurnEvent, { event: 'text' }>

/** The events of a turn that runs in this process, for any number of readers. */
export type Feed = {
  emit(event: TurnEvent): void
  /** Ends the feed; nothing is emitted after it. */
  end(): void
  /**
   * All events from the first one on, for as long as somebody reads. A slow reader holds up nobody: text that it has not
   * read yet comes in one piece.
   */
  read(signal: AbortSignal): AsyncGenerator<TurnEvent>
}

/** Pieces of text that come within this are one event: some models send every letter by itself. */
const GATHER_MS = 15

export const createFeed = (): Feed => {
  const events: TurnEvent[] = []
  const waiting = new Set<() => void>()
  let isEnded = false
  let gathered: TextEvent | null = null
  let timer: NodeJS.Timeout | undefined
  const wake = (): void => {
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const more = (): Promise<void> => new Promise((resolve) => waiting.add(resolve))
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (gathered) events.push(gathered)
    gathered = null
    wake()
  }
  return {
    emit(event) {
      if (event.event !== 'text') {
        flush()
        events.push(event)
        return wake()
      }
      const { messageId, delta } = event.data
      gathered = { event: 'text', data: { messageId, delta: (gathered?.data.delta ?? '') + delta } }
      timer ??= setTimeout(flush, GATHER_MS)
    },
    end() {
      isEnded = true
      flush()
    },
    async *read(signal) {
      const joinedAt = events.length
      // A reader that leaves while nothing comes is woken with the others.
      signal.addEventListener('abort', wake, { once: true })
      for (let at = 0; !signal.aborted; ) {
        const event = events[at]
        if (event === undefined) {
          if (isEnded) return
          await more()
          continue
        }
        const { merged, next } = mergeText(events, at)
        // A person who comes back later is where they are on purpose.
        if (event.event !== 'navigate' || at >= joinedAt) yield merged ?? event
        at = next
      }
    },
  }
}

const mergeText = (events: readonly TurnEvent[], from: number): { merged: TurnEvent | null; next: number } => {
  const first = events[from]
  if (first?.event !== 'text') return { merged: null, next: from + 1 }
  let delta = ''
  let next = from
  for (let event: TurnEvent | undefined = first; event?.event === 'text'; event = events[next]) {
    delta += event.data.delta
    next += 1
  }
  return { merged: { event: 'text', data: { ...first.data, delta } }, next }
}
