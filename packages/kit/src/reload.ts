/**
 * One reading at a time. A call while one is under way gets one that begins after: it is repeated until nobody has
 * asked meanwhile. For what is kept in memory and read again whenever it may have changed.
 */
export const createReload = (read: () => Promise<void>): (() => Promise<void>) => {
  let reading: Promise<void> | undefined
  let again = false

  const readAll = async () => {
    try {
      do {
        again = false
        await read()
      } while (again)
    } finally {
      // Reset right away: later calls must not get a reading that began before them.
      reading = undefined
    }
  }
  return () => {
    again = true
    reading ??= readAll()
    return reading
  }
}
