import { Worker } from 'node:worker_threads'
import { parseGuestJson } from './guest-json.ts'
import { type FromThread, MAX_VALUE_BYTES, type RunOutcome, type ThreadData, type ToThread } from './protocol.ts'
import { type HandlerName, type HostCall, HostRefusal, type Json, type LogLine, SandboxFailure } from './types.ts'

/** How often a thread with work is asked whether it is still there. */
const PING_MS = 500
/** Deep recursion inside the engine takes more of the thread's stack than of the engine's own. */
const STACK_MB = 16
const HEAP_MB = 64

export type ThreadOwner = {
  answer(id: number, call: HostCall): Promise<Json | undefined>
  log(id: number, line: LogLine): void
  done(id: number, outcome: RunOutcome): void
  /** The thread died after it was ready. */
  lost(reason: string): void
}

export type Thread = {
  /** Rejected with what is wrong with the code; nothing is left of the thread then. */
  readonly ready: Promise<void>
  readonly isReady: boolean
  run(id: number, handler: HandlerName, input: string, now: number): void
  /** Cancels the run. */
  end(id: number): void
  stop(): Promise<void>
}

const THREAD_FILE = new URL('./thread.ts', import.meta.url)

export type ThreadOptions = Omit<ThreadData, 'beat'> & {
  /** The time that a thread may work without answering a ping. */
  readonly hangMs: number
}

export const startThread = ({ name, code, handlers, cpuMs, hangMs }: ThreadOptions, owner: ThreadOwner): Thread => {
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(THREAD_FILE, {
    workerData: { name, code, handlers, cpuMs, beat } satisfies ThreadData,
    name: `plugin ${name}`,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: HEAP_MB / 4 },
  })
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let isReady = false
  let isStopped = false
  const active = new Set<number>()
  const post = (message: ToThread): void => worker.postMessage(message)

  const lose = (reason: string): void => {
    if (isStopped) return
    isStopped = true
    watch.stop()
    void worker.terminate()
    ready.reject(new SandboxFailure('failed', reason))
    if (isReady) owner.lost(reason)
  }
  const watch = watchdog({
    hangMs,
    beat: () => Atomics.load(beat, 0),
    workedMs: async () => {
      const { user, system } = await worker.cpuUsage()
      return (user + system) / 1_000
    },
    ping: () => post({ type: 'ping' }),
    onSilence: () => lose('The plugin stopped responding and was ended'),
  })
  /** A thread without work neither keeps the process nor is asked for signs of life. */
  const follow = (): void => {
    if (isReady && active.size === 0) {
      worker.unref()
      watch.stop()
    } else if (!isStopped) {
      worker.ref()
      watch.start()
    }
  }
  const answer = async ({ id, call, module, method, args }: Extract<FromThread, { type: 'call' }>): Promise<void> => {
    const settled = await answerOf(async () => owner.answer(id, { module, method, args: argumentsOf(args) }))
    if (!isStopped) post({ type: 'answer', id, call, ...settled })
  }

  worker.stdout.resume()
  worker.stderr.resume()
  worker.on('error', (error) => lose(`The plugin crashed: ${error instanceof Error ? error.message : String(error)}`))
  worker.on('exit', () => lose('The plugin crashed'))
  worker.on('message', (message: FromThread) => {
    if (isStopped) return
    watch.received()
    switch (message.type) {
      case 'ready':
        isReady = true
        ready.resolve()
        return follow()
      case 'broken':
        return lose(message.reason)
      case 'call':
        return void answer(message)
      case 'log':
        return owner.log(message.id, message.line)
      case 'done':
        active.delete(message.id)
        follow()
        return owner.done(message.id, message.outcome)
      case 'pong':
        return undefined
    }
  })
  follow()

  return {
    ready: ready.promise,
    get isReady() {
      return isReady && !isStopped
    },
    run: (id, handler, input, now) => {
      active.add(id)
      follow()
      post({ type: 'run', id, handler, input, now })
    },
    end: (id) => {
      active.delete(id)
      follow()
      post({ type: 'end', id })
    },
    stop: async () => {
      isStopped = true
      watch.stop()
      ready.reject(new SandboxFailure('stopped', 'The plugin is off'))
      await worker.terminate()
    },
  }
}

const argumentsOf = (text: string): Json[] => {
  const args = parseGuestJson(text)
  if (Array.isArray(args)) return args
  throw new HostRefusal('INVALID_JSON', 400, NOT_SENT)
}

const NOT_SENT = "The value can't be sent: it is nested too deeply or has forbidden names"

type Settled = { isRefused: boolean; text: string | null }

const answerOf = async (work: () => Promise<Json | undefined>): Promise<Settled> => {
  try {
    const value = await work()
    const text = value === undefined ? null : JSON.stringify(value)
    if (text !== null && Buffer.byteLength(text) > MAX_VALUE_BYTES)
      throw new HostRefusal('PAYLOAD_TOO_LARGE', 413, 'The response is larger than 1 MiB. Request less.')
    return { isRefused: false, text }
  } catch (error) {
    const { code, status, message, details } = error instanceof HostRefusal ? error : INTERNAL
    return { isRefused: true, text: JSON.stringify({ code, status, message, details }) }
  }
}

const INTERNAL = new HostRefusal(
  'INTERNAL',
  500,
  'The server ran into an unexpected error, which was logged. Try again later.',
)

type Watched = { hangMs: number; beat(): number; workedMs(): Promise<number>; ping(): void; onSilence(): void }

/**
 * An answer to a ping is a sign of life, and so is work that the engine can still interrupt. Without any, the time counts
 * that the thread has worked: one that has to wait for the processor has not hung.
 */
const watchdog = ({ hangMs, beat, workedMs, ping, onSilence }: Watched) => {
  let timer: NodeJS.Timeout | undefined
  let lastBeat = 0
  let hasReceived = true
  let workedBefore = 0
  const look = async (): Promise<void> => {
    const worked = await workedMs()
    const now = beat()
    if (hasReceived || now !== lastBeat) workedBefore = worked
    hasReceived = false
    lastBeat = now
    if (timer === undefined) return
    if (worked - workedBefore > hangMs) onSilence()
    else ping()
  }
  return {
    received: () => {
      hasReceived = true
    },
    start: () => {
      if (timer) return
      hasReceived = true
      // A thread that has ended sends nothing, and its end is reported elsewhere.
      timer = setInterval(() => look().catch(() => undefined), PING_MS)
      timer.unref()
    },
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}
