import type { MailboxPrincipal } from '../../../principal.ts'
import type { JmapParts } from '../method.ts'

/** Streams and sockets that one mailbox has open at once: a few devices with some tabs each. */
const MAX_CONNECTIONS = 32
/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Keeps a connection as long as what it was opened with holds: password, app password, or the session of a browser.
 * Null: the mailbox has too many. Otherwise call what it gives when the connection has ended.
 */
export const openConnection = async (
  { live, clock }: Pick<JmapParts, 'live' | 'clock'>,
  { signIn, sessionId, expiresAt }: MailboxPrincipal,
  end: () => void,
): Promise<(() => void) | null> => {
  const leave = await live.enter(signIn, { limit: MAX_CONNECTIONS, sessionId, end })
  if (!leave) return null
  const left = expiresAt === null ? null : expiresAt.getTime() - clock.now().getTime()
  const timer = left === null ? undefined : setTimeout(end, Math.min(Math.max(0, left), MAX_TIMER_MS)).unref()
  return () => {
    clearTimeout(timer)
    leave()
  }
}
