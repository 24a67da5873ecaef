/** Memory that somebody may fill. */
export type Reservation = {
  /** Gives back what is not needed any more; it never grows. */
  shrinkTo(bytes: number): void
  /** It is full, and a client takes it. If others have to wait too long for that, `cut` is called, and must release it. */
  sending(cut: () => void): void
  /** Gives back all of it; again does nothing. */
  release(): void
}

export type Memory = {
  /** Resolves when so many bytes may be filled. A caller that holds some must not ask for more before releasing them. */
  reserve(mailboxId: string, bytes: number): Promise<Reservation>
}

/** A client that takes its answer slowly may do so for as long as this once somebody waits for the memory. */
const PATIENCE_MS = 30_000

type Waiting = { bytes: number; grant(reservation: Reservation): void }

type MemoryOptions = { total: number; share: number; patienceMs?: number }

/**
 * Memory for large answers, shared over mailboxes: one has at most its share, and those that wait take turns. Nobody
 * waits while holding any, so that nobody waits for ever.
 */
export const createMemory = ({ total, share, patienceMs = PATIENCE_MS }: MemoryOptions): Memory => {
  const used = new Map<string, number>()
  /** In the order of their turns. */
  const waiting = new Map<string, Waiting[]>()
  /** Reservations that wait for slow clients, oldest first. */
  const slow = new Map<Reservation, () => void>()
  let isWatching = false
  let all = 0

  const cutSlowest = (): void => {
    isWatching = false
    const [first] = slow
    if (waiting.size === 0 || !first) return
    slow.delete(first[0])
    first[1]()
    watchSlow()
  }
  const watchSlow = (): void => {
    if (isWatching || waiting.size === 0 || slow.size === 0) return
    isWatching = true
    setTimeout(cutSlowest, patienceMs).unref()
  }
  const add = (mailboxId: string, bytes: number): void => {
    all += bytes
    const own = (used.get(mailboxId) ?? 0) + bytes
    if (own > 0) used.set(mailboxId, own)
    else used.delete(mailboxId)
  }
  const open = (mailboxId: string, bytes: number): Reservation => {
    add(mailboxId, bytes)
    let held = bytes
    const shrinkTo = (left: number): void => {
      if (left >= held) return
      add(mailboxId, left - held)
      held = left
      serve()
    }
    const reservation: Reservation = {
      shrinkTo,
      sending(cut) {
        if (held > 0) slow.set(reservation, cut)
        watchSlow()
      },
      release() {
        slow.delete(reservation)
        shrinkTo(0)
      },
    }
    return reservation
  }
  const fits = (mailboxId: string, bytes: number): boolean =>
    all + bytes <= total && (used.get(mailboxId) ?? 0) + bytes <= share
  const serve = (): void => {
    for (const [mailboxId, queue] of [...waiting]) {
      const [next] = queue
      if (!next || !fits(mailboxId, next.bytes)) continue
      waiting.delete(mailboxId)
      queue.shift()
      if (queue.length > 0) waiting.set(mailboxId, queue)
      next.grant(open(mailboxId, next.bytes))
    }
  }

  return {
    async reserve(mailboxId, bytes) {
      const queue = waiting.get(mailboxId)
      if (!queue && waiting.size === 0 && fits(mailboxId, bytes)) return open(mailboxId, bytes)
      return new Promise((grant) => {
        if (queue) queue.push({ bytes, grant })
        else waiting.set(mailboxId, [{ bytes, grant }])
        serve()
        watchSlow()
      })
    },
  }
}
