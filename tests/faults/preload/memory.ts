/** A process that is sent SIGWINCH takes memory until the engine ends it, as a leak does in the end. */
const kept: unknown[][] = []

process.on('SIGWINCH', () => {
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, at) => ({ at })))
})
