/** What became of each item of a lot, in their order. */
export type LotResults<Result> = readonly PromiseSettledResult<Result>[]

/**
 * Has items that wait for the same thing done together: the first at once and alone, those that come meanwhile as the
 * next lot. For work whose fixed cost, such as a commit, is more than that of each item.
 */
export const createTogether = <Item, Result>(
  /** So many make a lot at most: the first of them waits for the last one. */
  max: number,
  run: (items: readonly Item[]) => Promise<LotResults<Result>>,
): ((key: string, item: Item) => Promise<Result>) => {
  type Waiting = PromiseWithResolvers<Result> & { item: Item }
  const queues = new Map<string, Waiting[]>()

  const settle = async (lot: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(lot.map(({ item }) => item))
      for (const [at, { resolve, reject }] of lot.entries()) {
        const result = results[at]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of lot) reject(error)
    }
  }

  const work = async (key: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await settle(queue.splice(0, max))
    queues.delete(key)
  }

  return (key, item) => {
    const waiting = { ...Promise.withResolvers<Result>(), item }
    const queue = queues.get(key)
    if (queue) queue.push(waiting)
    else {
      const started = [waiting]
      queues.set(key, started)
      void work(key, started)
    }
    return waiting.promise
  }
}
