import type { Db as QueueDatabase } from 'pg-boss'
import type { Database, Db, Tx } from '../db/database.ts'
import type { Bus } from '../events/bus.ts'

/** Any service's database. */
export type AnyDatabase = Pick<Database<unknown>, 'pool'> & { db: Pick<Db<unknown>, 'query'> }

/** Any service's transaction; a `Db` has no `changes` and does not pass. */
export type AnyTx = Pick<Tx<unknown>, 'query' | 'changes'>

/**
 * The queue library on our pool, and its LISTEN on the bus's connection: it opens none of its own. The pool itself
 * runs its statements, because several of them are whole transactions in one text: when one fails, `pool.query` drops
 * the connection, which would otherwise go back to the pool in the middle of a transaction.
 */
export const queueDatabase = (pool: AnyDatabase['pool'], bus: Pick<Bus, 'listen'> | undefined): QueueDatabase => ({
  executeSql: (text, values) => pool.query(text, values),
  ...(bus && {
    listen: async (channel, onPayload, onConnected) => ({
      close: await bus.listen(channel, { onPayload, onConnected }),
    }),
  }),
})

/** One statement of the queue library inside the caller's transaction. */
export const queueTransaction = (tx: AnyTx): QueueDatabase => ({
  executeSql: async (text, values) => ({ rows: await tx.query(values ? { text, values } : { text }) }),
})
