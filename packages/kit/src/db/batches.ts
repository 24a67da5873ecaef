import type { Database, Tx } from './database.ts'

/**
 * Removes all that there is, at most so many rows per transaction: none takes long, and none holds up others that need the
 * table. `removeSome` gives how many it has removed; fewer than the limit means that nothing is left.
 */
export const inBatches = async <T>(
  { tx }: Pick<Database<T>, 'tx'>,
  limit: number,
  removeSome: (tx: Tx<T>, limit: number) => Promise<number>,
): Promise<number> => {
  let removed = 0
  for (;;) {
    const some = await tx((tx) => removeSome(tx, limit))
    removed += some
    if (some < limit) return removed
  }
}

/** Rows of a table that have the id of something in a column; `also` is a condition with that id as `$1`. */
export type RowsOf = { readonly table: string; readonly column: string; readonly also?: string }

/**
 * Deletes at most so many rows of one thing, over all these tables in their order; gives how many. For `inBatches`, before
 * the thing itself is deleted: what cascades from that goes in one statement, however much it is.
 */
export const deleteSomeOf = async <T>(
  tx: Tx<T>,
  all: readonly RowsOf[],
  { id, limit }: { id: string; limit: number },
): Promise<number> => {
  let left = limit
  for (const { table, column, also = 'true' } of all) {
    const gone = await tx.query({
      text: `delete from ${table} where ${column} = $1 and ctid = any (array(
               select ctid from ${table} where ${column} = $1 and ${also} limit $2)) returning 1`,
      values: [id, left],
    })
    left -= gone.length
    if (left === 0) break
  }
  return limit - left
}

/**
 * All items, read page by page. `readPage` gives those behind the last one of the page before, in the order of something
 * that does not change: an item that stays as it is, is passed and not met again.
 */
export async function* inPages<I>(limit: number, readPage: (after: I | null, limit: number) => Promise<readonly I[]>) {
  let after: I | null = null
  for (;;) {
    const page: readonly I[] = await readPage(after, limit)
    yield* page
    after = page.at(-1) ?? null
    if (page.length < limit) return
  }
}

/** Processes the items one after the other; a failure is reported and stops nothing. Returns how many succeeded. */
export const eachOnItsOwn = async <I>(
  items: Iterable<I> | AsyncIterable<I>,
  work: (item: I) => Promise<unknown>,
  failed: (error: unknown, item: I) => void,
): Promise<number> => {
  let done = 0
  for await (const item of items)
    try {
      await work(item)
      done += 1
    } catch (error) {
      failed(error, item)
    }
  return done
}

/**
 * Works on a batch together, and when that fails on each of its items on its own: one bad record costs the others a
 * second try, and stops none of them. `work` gives how many it was done with.
 */
export const togetherOrEach = async <I>(
  batch: readonly I[],
  work: (items: readonly I[]) => Promise<number>,
  failed: (error: unknown, item: I) => void,
): Promise<number> => {
  try {
    return await work(batch)
  } catch {
    let done = 0
    const alone = async (item: I) => {
      done += await work([item])
    }
    await eachOnItsOwn(batch, alone, failed)
    return done
  }
}

/**
 * Runs the steps one after the other. One that fails stops none of those behind it; what failed first is thrown at the end,
 * so that whoever called knows that not all is done.
 */
export const runSteps = async (steps: Iterable<() => Promise<unknown>>): Promise<void> => {
  const failures: unknown[] = []
  await eachOnItsOwn(
    steps,
    (step) => step(),
    (error) => failures.push(error),
  )
  if (failures.length > 0) throw failures[0]
}
