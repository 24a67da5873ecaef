// Loaded into every test file's process (--import): ends the process when the file takes too long, even in an endless
// loop, and when the runner is gone. Node's own limit is for single tests and needs a free event loop.
import { isMainThread, Worker } from 'node:worker_threads'

const FILE_LIMIT_MS = 180_000
const POLL_MS = 1_000

const watch = `
  const started = Date.now()
  const parent = process.ppid
  setInterval(() => {
    const isLate = Date.now() - started > ${FILE_LIMIT_MS}
    if (isLate) require('node:fs').writeSync(2, ${JSON.stringify(`${process.argv[1]} took too long\n`)})
    if (isLate || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, ${POLL_MS})
`

if (isMainThread && process.env.NODE_TEST_CONTEXT) new Worker(watch, { eval: true, execArgv: [] }).unref()
