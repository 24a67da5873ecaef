import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import { readEvent } from './changes.ts'

export type StreamState = 'connecting' | 'open' | 'broken'

export type StreamListener = {
  onEvent: (event: MailboxEvent) => void
  onState: (state: StreamState) => void
  /** The line was opened anew and does not know where the last one ended: anything may have happened. */
  onMissed: () => void
  /** The service answered with a refusal, such as that the session has ended. */
  onRefused: () => void
}

export type Stream = { retry: () => void; close: () => void }

const PATH = '/api/mail/events'
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000

/** How long to wait before the next try: twice as long each time, never so that all tabs come at once. */
export const waitBefore = (tries: number, random: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.75 + random / 2)

/**
 * Listens to the mailbox. A broken connection is reopened by the browser, one that was refused is opened anew after a while.
 * `isLate`: somebody else listened until now, and what happened in between is missed.
 */
export const openStream = ({ onEvent, onState, onMissed, onRefused }: StreamListener, isLate = false): Stream => {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  const open = (isAgain: boolean) => {
    clearTimeout(timer)
    source = new EventSource(PATH)
    const own = source
    own.addEventListener('open', () => {
      tries = 0
      onState('open')
      if (isAgain) onMissed()
      // The browser comes back with the last id by itself
      isAgain = false
    })
    own.addEventListener('change', ({ data }) => {
      const event = readEvent(data)
      if (event) onEvent(event)
      else onMissed()
    })
    own.addEventListener('error', () => {
      onState('broken')
      if (own.readyState !== EventSource.CLOSED) return
      onRefused()
      timer = setTimeout(() => open(true), waitBefore(tries++, Math.random()))
    })
  }
  open(isLate)
  return {
    retry: () => {
      source.close()
      onState('connecting')
      open(true)
    },
    close: () => {
      clearTimeout(timer)
      source.close()
    },
  }
}
