/** This many requests per second stay below the server's limit of 20, even if its seconds begin at another moment. */
const BURST = 10
const SECOND_MS = 1_000

export type Pacer = {
  /** At once, or as soon as the server takes more; in order. */
  send(frame: object): void
  /** Forgets what was not sent: the connection is another one. */
  clear(): void
}

/** Keeps frames below the rate that the server allows: those above it would be lost. */
export const createPacer = (send: (frame: object) => void): Pacer => {
  let waiting: object[] = []
  let sent = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const pump = (): void => {
    const now = waiting.splice(0, BURST - sent)
    for (const frame of now) send(frame)
    sent += now.length
    if (sent > 0) timer ??= setTimeout(nextSecond, SECOND_MS)
  }
  const nextSecond = (): void => {
    timer = undefined
    sent = 0
    pump()
  }

  return {
    send(frame) {
      waiting.push(frame)
      pump()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
      sent = 0
    },
  }
}
