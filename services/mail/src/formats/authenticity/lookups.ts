/** The shape in which mailauth asks: rejects with a `code` as node:dns does. */
export type DnsLookup = (name: string, type: string) => Promise<string[][] | string[]>

/** RFC 7208 §4.6.4 suggests 20 s; the sender waits meanwhile, and so does a slot in our queue. */
const LOOKUP_MS = 5_000

/** Look-ups for one message that end together, however slow the servers of the sender are. */
export type LookupBudget = {
  /** A look-up that may be used so many times. */
  limit(lookups: number): DnsLookup
  end(): void
}

export const startLookups = (lookup: DnsLookup, milliseconds = LOOKUP_MS): LookupBudget => {
  let expire: (error: Error) => void = () => undefined
  const expired = new Promise<never>((_resolve, reject) => {
    expire = reject
  })
  // The promise can be rejected while nothing awaits it.
  expired.catch(() => undefined)
  const timer = setTimeout(() => expire(timeout()), milliseconds)
  timer.unref()
  return {
    limit(lookups) {
      let left = lookups
      return (name, type) => {
        if (left <= 0) return Promise.reject(timeout())
        left -= 1
        return Promise.race([lookup(name, type), expired])
      }
    },
    end: () => clearTimeout(timer),
  }
}

const timeout = (): Error => Object.assign(new Error('DNS timeout'), { code: 'ETIMEOUT' })
