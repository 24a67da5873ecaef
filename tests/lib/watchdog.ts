import { isMainThread, Worker } from 'node:worker_threads'

const FILE_LIMIT_MS = 600_000
const POLL_MS = 1_000

const watch = `
  let file = 'A test process'
  let started = Date.now()
  const parent = process.ppid
  require('node:worker_threads').parentPort.on('message', (next) => {
    file = next
    started = Date.now()
  })
  setInterval(() => {
    const isLate = Date.now() - started > ${FILE_LIMIT_MS}
    if (isLate) require('node:fs').writeSync(2, file + ' took too long\\n')
    if (isLate || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, ${POLL_MS})
`

const worker =
  isMainThread && process.env.NODE_TEST_CONTEXT ? new Worker(watch, { eval: true, execArgv: [] }) : undefined
worker?.unref()

/**
 * From now on this process works on that test file. It is ended when the file takes too long, even in an endless loop,
 * and when the runner is gone. Node's own limit is for single tests and needs a free event loop.
 */
export const watchOver = (file: string): void => worker?.postMessage(file)
