/** How much of a window is used, and how much of what was asked for was granted. */
export type Counted = { granted: number; used: number; msLeft: number }

/** What a primary and its workers ask each other. */
export type Questions = {
  /** Asked by workers: takes from a window, as much as is left of it. */
  take: { input: { key: string; limit: number; windowSeconds: number; amount: number }; answer: Counted }
  peek: { input: { key: string; limit: number; windowSeconds: number }; answer: Counted }
  /** A place among those that the workers have together; it is given back with `release`, or when the worker ends. */
  hold: { input: { key: string; max: number }; answer: boolean }
  release: { input: { key: string }; answer: null }
  /** Asked by a worker, and by the primary of the others: everything that was committed before has been received. */
  settle: { input: null; answer: null }
  /** Asked by a worker: it follows this from now on, or not any more; answered when the others know. */
  follow: { input: { key: string; isFollowed: boolean }; answer: null }
  /** What others follow: asked by a worker that starts, and by the primary with what has changed. */
  followed: { input: Followed | null; answer: string[] | null }
  /** Asked by the primary. */
  figures: { input: null; answer: object[] }
  health: { input: { path: string }; answer: { status: number; body: string } }
}
type Name = keyof Questions

/** Keys, and whether another worker follows them. */
export type Followed = { keys: readonly string[]; isFollowed: boolean }

export type Channel = {
  /** Answered with undefined when the other side is gone. */
  ask<N extends Name>(name: N, input: Questions[N]['input']): Promise<Questions[N]['answer'] | undefined>
  /** Sets what is answered; without it a question is answered with undefined. */
  answer<N extends Name>(name: N, answer: (input: Questions[N]['input']) => Answered<N>): void
  /** Takes a message of the other side; false when it is none of the channel's. */
  receive(message: unknown): boolean
  /** Resolves pending questions with undefined: the other side is gone. */
  close(): void
}
type Answered<N extends Name> = Questions[N]['answer'] | Promise<Questions[N]['answer'] | undefined>

/** Short, because each is written and read as text: [question, its number, its input] or [number, answer]. */
type Message = { stoa: [Name, number, unknown] | [number, unknown] }

/** Questions and answers between two processes of the same program. */
export const createChannel = (send: (message: Message) => void): Channel => {
  const waiting = new Map<number, (answer: never) => void>()
  const answers = new Map<Name, (input: never) => unknown>()
  let asked = 0

  const reply = async (name: Name, id: number, input: unknown): Promise<void> => {
    // A question that fails is answered too: the caller must not wait forever.
    const answer = await Promise.try(() => answers.get(name)?.(input as never)).catch(() => undefined)
    send({ stoa: [id, answer] })
  }
  return {
    ask: (name, input) =>
      new Promise((resolve) => {
        asked += 1
        waiting.set(asked, resolve)
        send({ stoa: [name, asked, input] })
      }),
    answer: (name, answer) => void answers.set(name, answer),
    receive(message) {
      if (!isOurs(message)) return false
      const [first, ...rest] = message.stoa
      if (typeof first === 'string') void reply(first, rest[0] as number, rest[1])
      else {
        waiting.get(first)?.(rest[0] as never)
        waiting.delete(first)
      }
      return true
    },
    close() {
      for (const resolve of waiting.values()) resolve(undefined as never)
      waiting.clear()
    },
  }
}

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'stoa' in message && Array.isArray(message.stoa)

/** A call during a run waits for the next one, together with all calls until it begins. */
export const inRounds = (run: () => Promise<void>): (() => Promise<void>) => {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = (): Promise<void> => {
    current = run().finally(() => {
      current = undefined
    })
    return current
  }
  return () => {
    if (!current) return begin()
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}
