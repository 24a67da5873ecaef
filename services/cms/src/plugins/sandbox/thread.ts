import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Guest, GuestFailure, loadEngine, openGuest } from './guest.ts'
import type { GuestHost } from './guest-bridge.ts'
import {
  type FromThread,
  MAX_HOST_CALL_BYTES,
  MAX_HOST_CALLS,
  MAX_HOST_CALLS_AT_ONCE,
  MAX_LOG_LINES,
  MAX_VALUE_BYTES,
  type RunOutcome,
  type ThreadData,
  type ToThread,
} from './protocol.ts'

/** A running handler. All its calls carry this ID, which the plugin's code can't change. */
type Run = {
  readonly id: number
  readonly guest: Guest
  /** Calls that are not under way yet, for their turn. */
  readonly queued: Extract<FromThread, { type: 'call' }>[]
  atOnce: number
  calls: number
  bytes: number
  lines: number
  outcome: RunOutcome | null
}

const data: ThreadData = workerData
const port = parentPort
if (!port) throw new Error('thread.ts runs as a worker thread')
const send = (message: FromThread): void => port.postMessage(message)

/** A third of what the service gets where both want the same processor. On Linux it is that of this thread alone. */
const NICE = 5
if (process.platform === 'linux') setPriority(NICE)

const runs = new Map<number, Run>()
/** Calls whose copy of the code is being made. */
const starting = new Set<number>()
/** Another one takes its place after code that could not be taken apart; what still runs in the old one ends there. */
let engine = loadEngine()
/** Made ahead of the call that will need it. */
let spare: Promise<Guest> | null = null

const open = async (): Promise<Guest> => {
  const opened = engine
  try {
    return openGuest(await opened, data)
  } catch (error) {
    if (error instanceof GuestFailure && !error.isClean && engine === opened) engine = loadEngine()
    throw error
  }
}

const hostOf = (run: Run): GuestHost => ({
  call: (call, module, method, args) => {
    const bytes = Buffer.byteLength(args)
    run.calls += 1
    run.bytes += bytes
    const reason = callRefusal(run, bytes)
    if (reason) run.outcome ??= { kind: 'failed', reason }
    else run.queued.push({ type: 'call', id: run.id, call, module, method, args })
  },
  log: (level, text) => {
    run.lines += 1
    if (run.lines > MAX_LOG_LINES + 1) return
    const isLast = run.lines > MAX_LOG_LINES
    const line = isLast ? ({ level: 'warn', text: 'More lines were left out' } as const) : { level, text }
    send({ type: 'log', id: run.id, line })
  },
  value: (text) => {
    const isTooLarge = text !== undefined && Buffer.byteLength(text) > MAX_VALUE_BYTES
    run.outcome ??= isTooLarge
      ? { kind: 'failed', reason: "The handler's return value is larger than 1 MiB" }
      : { kind: 'value', text: text ?? null }
  },
  problem: (status, message, details) => {
    run.outcome ??= { kind: 'problem', status, message, details }
  },
  failed: (reason) => {
    run.outcome ??= { kind: 'failed', reason }
  },
})

const callRefusal = ({ calls, bytes }: Run, size: number): string | null => {
  if (calls > MAX_HOST_CALLS) return `The plugin made more than ${MAX_HOST_CALLS} calls to the service`
  if (size > MAX_VALUE_BYTES) return 'The plugin sent more than 1 MiB to the service at once'
  return bytes > MAX_HOST_CALL_BYTES ? 'The plugin sent more than 16 MiB to the service' : null
}

/** Lets the code go on, and looks where it stands: it answered, it waits for the service, or it never will. */
const advance = (run: Run, work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof GuestFailure)) throw error
    // Applies even if the code caught its interruption and answered.
    run.outcome = { kind: 'failed', reason: error.message }
  }
  while (run.outcome === null && run.atOnce < MAX_HOST_CALLS_AT_ONCE) {
    const next = run.queued.shift()
    if (!next) break
    run.atOnce += 1
    send(next)
  }
  if (run.outcome === null && run.atOnce === 0)
    run.outcome = { kind: 'failed', reason: 'The plugin waits for a promise that never settles' }
  if (run.outcome) finish(run, run.outcome)
}

const finish = (run: Run, outcome: RunOutcome): void => {
  runs.delete(run.id)
  send({ type: 'done', id: run.id, outcome })
  discard(run.guest)
}

/** With everything that it left behind. The next one is made once the caller has this answer. */
const discard = (guest: Guest): void => {
  if (!guest.dispose()) engine = loadEngine()
  setImmediate(() => {
    spare ??= prepare()
  })
}

/** Code that does not load now fails at the next call. */
const prepare = (): Promise<Guest> => {
  const opened = open()
  opened.catch(endUnlessGuest)
  return opened
}

/** The thread cannot be trusted any more: it ends, with the reason for its owner. */
const endUnlessGuest = (error: unknown): void => {
  if (error instanceof GuestFailure) return
  setImmediate(() => {
    throw error
  })
}

const start = async ({ id, handler, input, now }: Extract<ToThread, { type: 'run' }>): Promise<void> => {
  starting.add(id)
  const opening = spare ?? prepare()
  spare = null
  try {
    const guest = await opening
    // The run may have been canceled meanwhile.
    if (!starting.delete(id)) return discard(guest)
    const run: Run = { id, guest, queued: [], atOnce: 0, calls: 0, bytes: 0, lines: 0, outcome: null }
    runs.set(id, run)
    guest.attach(hostOf(run))
    advance(run, () => guest.invoke(handler, input, now))
  } catch (error) {
    if (!(error instanceof GuestFailure)) return endUnlessGuest(error)
    starting.delete(id)
    send({ type: 'done', id, outcome: { kind: 'failed', reason: error.message } })
  }
}

port.on('message', (message: ToThread) => {
  if (message.type === 'run') return void start(message)
  if (message.type === 'ping') return send({ type: 'pong' })
  if (message.type === 'end') starting.delete(message.id)
  const run = runs.get(message.id)
  // The run has ended meanwhile.
  if (!run) return
  if (message.type === 'end') {
    runs.delete(run.id)
    return discard(run.guest)
  }
  run.atOnce -= 1
  advance(run, () => run.guest.settle(message.call, message.isRefused, message.text))
})

spare = prepare()
spare.then(
  () => send({ type: 'ready' }),
  (error) => {
    if (error instanceof GuestFailure) send({ type: 'broken', reason: error.message })
  },
)
