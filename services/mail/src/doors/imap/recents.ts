import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import { claimRecent, recentMark } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'

type Claim = { addressId: string; folderId: string; uid: number }

/** Gives each message to the first session that sees it: \Recent (RFC 3501 §2.3.2). */
export type Recents = {
  /** The UID after which messages up to `uid` are recent to the caller; null if none are. */
  claim(claim: Claim): Promise<number | null>
  /** Counts recent messages without claiming them: they are still recent to the next session. */
  peek(claim: Claim): Promise<number | null>
  /** Writes down what was claimed of a mailbox, for somebody who counts it. */
  settle(addressId: string): Promise<void>
  /** Writes down everything. */
  close(): Promise<void>
}

/** Folders whose mark is cached; a query about one of them does not wait for the database. */
const MAX_REMEMBERED = 10_000
/** A mark that is lost makes messages recent once more, which the standard wants in doubt: it need not be written at once. */
const WRITE_AFTER_MS = 1_000

export const createRecents = ({ db, tx }: Pick<Database<Tables>, 'db' | 'tx'>, log: Log): Recents => {
  const known = new Map<string, number>()
  const asked = new Map<string, Promise<number | null>>()
  const unwritten = new Map<string, Claim>()
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const remember = ({ folderId, uid }: Claim): void => {
    known.set(folderId, Math.max(uid, known.get(folderId) ?? 0))
    if (known.size > MAX_REMEMBERED) for (const oldest of known.keys()) if (known.delete(oldest)) break
  }
  const ask = async (claim: Claim): Promise<number | null> => {
    const after = await tx((tx) => claimRecent(tx, claim))
    remember(claim)
    return after
  }
  const write = async (claims: readonly Claim[]): Promise<void> => {
    for (const claim of claims)
      await tx((tx) => claimRecent(tx, claim)).catch((error: unknown) =>
        log.warn({ err: error }, 'what is recent in a folder could not be written down'),
      )
  }
  /** Also waits for writes that are under way. */
  const writeDown = (isWanted: (claim: Claim) => boolean): Promise<void> => {
    const claims = [...unwritten.values()].filter(isWanted)
    for (const { folderId } of claims) unwritten.delete(folderId)
    writing = writing.then(() => write(claims))
    return writing
  }
  const settle = (addressId: string): Promise<void> => writeDown((claim) => claim.addressId === addressId)
  const writeAll = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return writeDown(() => true)
  }
  const claimKnown = (claim: Claim, mark: number): number | null => {
    if (claim.uid <= mark) return null
    remember(claim)
    unwritten.set(claim.folderId, claim)
    timer ??= setTimeout(writeAll, WRITE_AFTER_MS).unref()
    return mark
  }
  return {
    async claim(claim) {
      const { folderId } = claim
      for (;;) {
        const mark = known.get(folderId)
        if (mark !== undefined) return claimKnown(claim, mark)
        const other = asked.get(folderId)
        if (!other) break
        // The session that asked gets the error.
        await other.catch(() => undefined)
      }
      const asking = ask(claim)
      asked.set(folderId, asking)
      return asking.finally(() => asked.delete(folderId))
    },
    async peek(claim) {
      await settle(claim.addressId)
      const mark = await recentMark(db, claim)
      return claim.uid > mark ? mark : null
    },
    settle,
    close: writeAll,
  }
}
