/** A process that is sent SIGWINCH takes memory until the engine ends it, as a leak does in the end. */
const kept: unknown[][] = []

process.on('SIGWINCH', () => {
  setInterval(() => {
    for (let at = 0; at < 10; at += 1) kept.push(Array.from({ length: 100_000 }, () => ({ at })))
  })
})
