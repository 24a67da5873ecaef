import { performance } from 'node:perf_hooks'

/** Long work of one request, command or page, which gives way to others now and then. */
export type Turn = {
  /** Whether it has worked long enough for now; cheap enough to be asked in every loop. */
  isOver(): boolean
  /** Resolves when the mailbox has its next turn. */
  next(): Promise<void>
}

export type Turns = {
  /** Begins work in the name of a mailbox. */
  begin(mailboxId: string): Turn
}

/** A small request waits at most so long for each of its steps. */
const SLICE_MS = 4

/**
 * Shares the one thread of a process over mailboxes: the event loop does one slice of long work in a round, and mailboxes
 * take turns. Ten requests of one mailbox get as much together as one request of another.
 */
export const createTurns = ({ now = () => performance.now(), sliceMs = SLICE_MS } = {}): Turns => {
  /** In the order of their turns. */
  const waiting = new Map<string, (() => void)[]>()
  let isScheduled = false

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    // Sockets and the database are served in between.
    setImmediate(grant)
  }
  const grant = (): void => {
    isScheduled = false
    const [first] = waiting
    if (!first) return
    const [mailboxId, queue] = first
    waiting.delete(mailboxId)
    const resume = queue.shift()
    if (queue.length > 0) waiting.set(mailboxId, queue)
    resume?.()
    schedule()
  }
  const wait = (mailboxId: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(mailboxId)
      if (queue) queue.push(resolve)
      else waiting.set(mailboxId, [resolve])
      schedule()
    })

  return {
    begin(mailboxId) {
      let since = now()
      return {
        isOver: () => now() - since >= sliceMs,
        async next() {
          await wait(mailboxId)
          since = now()
        },
      }
    },
  }
}

/** Of this process: JMAP, IMAP and the webmail work in the same thread. */
export const turns = createTurns()
