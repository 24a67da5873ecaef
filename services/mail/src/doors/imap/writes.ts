import type { Database } from '@stoa/kit/db/database.ts'
import { isBusy } from '@stoa/kit/db/errors.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { type BatchResults, groupCommit } from '@stoa/kit/group-commit.ts'
import { endStep, type MailTx } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'

/**
 * Runs what writes to a mailbox in a transaction, alone or with others that wait for the same mailbox: they would follow
 * each other in the database anyway, each with a commit that takes longer than its work.
 */
export type WriteMailbox = <R>(addressId: string, run: (tx: MailTx) => Promise<R>) => Promise<R>

/** The most writes that share a commit: the first of them waits for the last one. */
const MAX_TOGETHER = 20
/** Each waits as long as a statement may take. */
const MAX_TRIES = 3

type Write = (tx: MailTx) => Promise<void>

export const createWriteMailbox = ({ tx }: Pick<Database<Tables>, 'tx'>): WriteMailbox => {
  /** A session that has the mailbox locked, say for a copy of a hundred thousand messages, ends sooner or later. */
  const commit = async (run: Write): Promise<void> => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await tx(run)
      } catch (error) {
        if (!isBusy(error) || tried === MAX_TRIES) throw error
      }
    }
  }

  const commitAlone = async (write: Write): Promise<PromiseSettledResult<void>> => {
    const [result] = await Promise.allSettled([commit(write)])
    return result
  }

  /**
   * When one of them is refused, each gets its own. When the commit fails, nobody knows whether it happened: nothing is
   * done twice.
   */
  const commitTogether = async (writes: readonly Write[]): Promise<BatchResults<void>> => {
    let isRefused = false
    try {
      await commit(async (tx) => {
        isRefused = false
        for (const write of writes) {
          await write(tx).catch((error: unknown) => {
            isRefused = !(error instanceof Fault && error.kind === 'unavailable')
            throw error
          })
          endStep(tx)
        }
      })
    } catch (error) {
      if (!isRefused) throw error
      const results: PromiseSettledResult<void>[] = []
      for (const write of writes) results.push(await commitAlone(write))
      return results
    }
    return writes.map(() => ({ status: 'fulfilled', value: undefined }))
  }

  const together = groupCommit<Write, void>(MAX_TOGETHER, async (writes) => {
    const [first, ...others] = writes
    return first && others.length === 0 ? [await commitAlone(first)] : commitTogether(writes)
  })
  return async <R>(addressId: string, run: (tx: MailTx) => Promise<R>) => {
    let result: R
    const read = (): R => result
    await together(addressId, async (tx) => {
      result = await run(tx)
    })
    return read()
  }
}
