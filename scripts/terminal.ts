/** A line of progress. */
export const print = (line: string): void => console.log(`· ${line}`)

/** The reason why a program gives up; the exit code that goes with it. */
export const printError = (reason: unknown): 1 => {
  console.error(`✗ ${reason instanceof Error ? reason.message : reason}`)
  return 1
}

/**
 * Aborted when this program should stop: by a signal, or because `run.mjs` that started it is gone. Further signals
 * change nothing: one Ctrl-C arrives twice, from the terminal and from `run.mjs`.
 */
export const stopRequest = (): AbortSignal => {
  const controller = new AbortController()
  process.stdout.on('error', () => undefined) // the terminal may be gone by then; stopping goes on
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => {
      if (!controller.signal.aborted) print('Stopping')
      controller.abort()
    })
  return controller.signal
}
