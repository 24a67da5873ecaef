import type { SmtpSession } from './smtp-session.ts'

/** Connections that stay open for a moment after a message, for the next one to the same host. */
export type SessionPool = {
  /** An idle connection for this key, or a new one; waits while the host has as many as it may have. */
  acquire(key: string, open: () => Promise<SmtpSession>): Promise<{ session: SmtpSession; isReused: boolean }>
  /** Gives it back; one that is worn or broken is ended. */
  release(key: string, session: SmtpSession): void
  close(): void
}

export type PoolLimits = { perHost: number; idleMs: number; messages: number; quitMs: number }

export const POOL_LIMITS: PoolLimits = {
  /** Postfix's default for one destination. */
  perHost: 20,
  /** Longer and peers begin to complain. */
  idleMs: 5_000,
  messages: 100,
  quitMs: 2_000,
}

type Host = { open: number; idle: { session: SmtpSession; timer: NodeJS.Timeout }[]; waiting: (() => void)[] }

export const createPool = (limits: PoolLimits = POOL_LIMITS): SessionPool => {
  const hosts = new Map<string, Host>()
  let isClosed = false

  const hostOf = (key: string): Host => {
    const known = hosts.get(key)
    if (known) return known
    const made: Host = { open: 0, idle: [], waiting: [] }
    hosts.set(key, made)
    return made
  }
  const leave = (key: string, host: Host): void => {
    host.open -= 1
    const next = host.waiting.shift()
    if (next) next()
    else if (host.open === 0) hosts.delete(key)
  }
  const end = (key: string, host: Host, session: SmtpSession): void => {
    if (session.line.isUsable) session.line.quit(limits.quitMs)
    else session.line.destroy()
    leave(key, host)
  }
  const takeIdle = (key: string, host: Host): SmtpSession | null => {
    for (let entry = host.idle.pop(); entry; entry = host.idle.pop()) {
      clearTimeout(entry.timer)
      if (entry.session.line.isUsable) return entry.session
      end(key, host, entry.session)
    }
    return null
  }

  return {
    async acquire(key, open) {
      for (;;) {
        const host = hostOf(key)
        const session = takeIdle(key, host)
        if (session) return { session, isReused: true }
        if (host.open < limits.perHost) {
          host.open += 1
          try {
            return { session: await open(), isReused: false }
          } catch (error) {
            leave(key, host)
            throw error
          }
        }
        await new Promise<void>((resolve) => host.waiting.push(resolve))
      }
    },
    release(key, session) {
      const host = hostOf(key)
      if (isClosed || !session.line.isUsable || session.sent >= limits.messages) return end(key, host, session)
      const timer = setTimeout(() => {
        host.idle = host.idle.filter((entry) => entry.session !== session)
        end(key, host, session)
      }, limits.idleMs)
      host.idle.push({ session, timer })
      host.waiting.shift()?.()
    },
    close() {
      isClosed = true
      for (const [key, host] of hosts) {
        for (const { session, timer } of host.idle.splice(0)) {
          clearTimeout(timer)
          end(key, host, session)
        }
      }
    },
  }
}
