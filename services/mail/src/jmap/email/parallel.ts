/** Does work on each of the items, so many at a time; after a failure no more are begun. */
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
      await work(item)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  } finally {
    isOver = true
  }
}
