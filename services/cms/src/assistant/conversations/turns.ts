import type { Bus } from '@stoa/kit/events/bus.ts'
import { createEventStreams, type EventStream } from '@stoa/kit/http/sse.ts'
import type { Log } from '@stoa/kit/log.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import { error, fail } from '../../errors.ts'
import { createFeed, type Feed } from './feed.ts'
import { STOP_CHANNEL } from './queries-turn.ts'

/** Why a turn ends before its time: its person wants it, the process stops, or the turn is no longer its own. */
export class TurnEnding extends Error {
  readonly how: 'stopped' | 'closing' | 'lost'

  constructor(how: TurnEnding['how']) {
    super(`the turn is ${how}`)
    this.name = 'TurnEnding'
    this.how = how
  }
}

export type RunningTurn = { readonly feed: Feed; readonly controller: AbortController }

/** The turns that this process works on. */
export type Turns = {
  /** Room for one more turn of this person; refuses when there is none. */
  enter(accountId: string): Room
  /** Works on a turn; its readers may come and go. */
  start(messageId: string, room: Room, work: (turn: RunningTurn) => Promise<void>): RunningTurn
  find(messageId: string): RunningTurn | undefined
  /** A stream for one more reader of this person; refuses when there are too many. */
  openStream(accountId: string): EventStream
  /** Ends a turn if it runs here. */
  stop(messageId: string): void
  /** Ends all turns, as well as the time allows, and begins no more. */
  close(): Promise<void>
}

export type Room = { leave(): void }

declare module '../../context.ts' {
  interface Ports {
    readonly turns: Turns
  }
}

/** Each keeps a connection to the provider and up to a few megabytes. */
const MAX_TURNS = 50
/** One person's turns at once, in several tabs. */
const MAX_TURNS_OF_ONE = 4
/** Each may look into the database four times a second. */
const MAX_STREAMS_OF_ONE = 16
const STREAM = {
  heartbeatMs: 15_000,
  heartbeat: 'ping',
  // One event may hold a whole entry twice, before and after.
  maxWaitingBytes: 16 * 2 ** 20,
}
/** A turn takes a while. */
const RETRY_AFTER_SECONDS = '15'
/** Shorter than the grace period of requests, so that readers still receive the end. */
const CLOSE_MS = STOP_GRACE_MS - 1_000

export const openTurns = ({ bus, log }: { bus: Bus; log: Log }): Turns => {
  const running = new Map<string, RunningTurn & { done: Promise<void> }>()
  const byAccount = new Map<string, number>()
  const streams = createEventStreams({ perKey: MAX_STREAMS_OF_ONE })
  const headers = { 'retry-after': RETRY_AFTER_SECONDS }
  let count = 0
  let isClosed = false
  const stop = (messageId: string): void => running.get(messageId)?.controller.abort(new TurnEnding('stopped'))
  // A process that misses it sees it in the row, at its next poll.
  const listening = bus.listen(STOP_CHANNEL, { onPayload: stop, onConnected: () => undefined })
  listening.catch((cause: unknown) => log.error({ err: cause }, 'could not ask running turns to stop'))

  return {
    enter(accountId) {
      if (isClosed || count >= MAX_TURNS) throw error('UNAVAILABLE', { headers })
      const own = byAccount.get(accountId) ?? 0
      if (own >= MAX_TURNS_OF_ONE) {
        const message = `The assistant is answering in ${own} of your conversations. Wait until one of them is done.`
        return fail('RATE_LIMITED', { message, headers })
      }
      count += 1
      byAccount.set(accountId, own + 1)
      let isLeft = false
      return {
        leave() {
          if (isLeft) return
          isLeft = true
          count -= 1
          const left = (byAccount.get(accountId) ?? 1) - 1
          if (left === 0) byAccount.delete(accountId)
          else byAccount.set(accountId, left)
        },
      }
    },
    start(messageId, room, work) {
      const turn: RunningTurn = { feed: createFeed(), controller: new AbortController() }
      const done = work(turn)
        .catch((cause: unknown) => log.error({ err: cause }, 'a turn of the assistant failed'))
        .finally(() => {
          turn.feed.end()
          running.delete(messageId)
          room.leave()
        })
      running.set(messageId, { ...turn, done })
      if (isClosed) turn.controller.abort(new TurnEnding('closing'))
      return turn
    },
    find: (messageId) => running.get(messageId),
    openStream(accountId) {
      if (isClosed) throw error('UNAVAILABLE', { headers })
      const message = 'Too many streams are open. Close some tabs.'
      return streams.open(accountId, STREAM) ?? fail('RATE_LIMITED', { message, headers })
    },
    stop,
    async close() {
      isClosed = true
      for (const { controller } of running.values()) controller.abort(new TurnEnding('closing'))
      const ended = Promise.all([...running.values()].map(({ done }) => done))
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([ended, late])
      clearTimeout(timer)
      streams.stop()
      await (await listening.catch(() => undefined))?.()
    },
  }
}
