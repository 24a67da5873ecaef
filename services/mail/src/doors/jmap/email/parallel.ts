/** Does work on each of the items, so many at a time; after a failure no more are begun. All have ended when it ends. */
export const eachOf = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const pending = items[Symbol.iterator]()
  let isOver = false
  const worker = async (): Promise<void> => {
    for (const item of pending) {
      if (isOver) return
      try {
        await work(item)
      } catch (error) {
        isOver = true
        throw error
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
