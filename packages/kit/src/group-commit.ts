/** The result of each item of a batch, in their order. */
export type BatchResults<Result> = readonly PromiseSettledResult<Result>[]

/**
 * Has items that wait for the same thing done together: the first at once and alone, those that come meanwhile as the
 * next batch. For work whose fixed cost, such as a commit, is more than that of each item.
 */
export const groupCommit = <Item, Result>(
  /** The size limit of a batch: its first item waits for its last one. */
  max: number,
  run: (items: readonly Item[]) => Promise<BatchResults<Result>>,
): ((key: string, item: Item) => Promise<Result>) => {
  type Waiting = PromiseWithResolvers<Result> & { item: Item }
  const queues = new Map<string, Waiting[]>()

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]
        if (result?.status === 'fulfilled') resolve(result.value)
        else reject(result?.reason)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
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
