import type { Database } from '@stoa/kit/db/database.ts'
import { Fault } from '@stoa/kit/errors.ts'
import type { MailTx } from '../store/handles.ts'
import { endStep } from '../store/mailbox.ts'
import type { Tables } from '../tables.ts'

/**
 * Runs what writes to a mailbox in a transaction, alone or with others that wait for the same mailbox: they would follow
 * each other in the database anyway, each with a commit that takes longer than its work.
 */
export type WriteMailbox = <R>(addressId: string, run: (tx: MailTx) => Promise<R>) => Promise<R>

/** So many share a commit at most: the first of them waits for the last one. */
const MAX_TOGETHER = 20

type Write = { work(tx: MailTx): Promise<void>; done(): void; failed(error: unknown): void }

export const createWriteMailbox = ({ tx }: Pick<Database<Tables>, 'tx'>): WriteMailbox => {
  /** Who waits for a mailbox that is being written to. */
  const waiting = new Map<string, Write[]>()

  const commitAlone = (write: Write): Promise<void> => tx((tx) => write.work(tx)).then(write.done, write.failed)

  const commitTogether = async (writes: readonly Write[]): Promise<void> => {
    let isRefused = false
    try {
      await tx(async (tx) => {
        isRefused = false
        for (const write of writes) {
          await write.work(tx).catch((error: unknown) => {
            isRefused = !(error instanceof Fault && error.kind === 'unavailable')
            throw error
          })
          endStep(tx)
        }
      })
    } catch (error) {
      // When the commit fails, nobody knows whether it happened: nothing is done twice.
      if (!isRefused) for (const write of writes) write.failed(error)
      else for (const write of writes) await commitAlone(write)
      return
    }
    for (const write of writes) write.done()
  }

  const commitWaiting = async (addressId: string, queue: Write[]): Promise<void> => {
    while (queue.length > 0) {
      const [first, ...others] = queue.splice(0, MAX_TOGETHER)
      if (first) await (others.length === 0 ? commitAlone(first) : commitTogether([first, ...others]))
    }
    waiting.delete(addressId)
  }

  return <R>(addressId: string, run: (tx: MailTx) => Promise<R>) => {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    let result: R
    const work = async (tx: MailTx): Promise<void> => {
      result = await run(tx)
    }
    const write = { work, done: () => resolve(result), failed: reject }
    const queue = waiting.get(addressId)
    if (queue) queue.push(write)
    else {
      const started = [write]
      waiting.set(addressId, started)
      void commitWaiting(addressId, started)
    }
    return promise
  }
}
