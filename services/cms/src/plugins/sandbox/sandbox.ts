import { parseGuestJson } from './guest-json.ts'
import { MAX_RUNNING, MAX_VALUE_BYTES, MAX_WAITING, type RunOutcome } from './protocol.ts'
import { startThread, type Thread } from './start-thread.ts'
import {
  type Invocation,
  type Json,
  PluginProblem,
  type Sandbox,
  SandboxFailure,
  type SandboxFailureKind,
  type SandboxOptions,
} from './types.ts'

export * from './types.ts'

/** The delays before restarts after a death; the last one repeats. */
const RESTART_MS = [1_000, 5_000, 30_000]
const CPU_MS = 1_000
/** Longer than anything honest takes that the engine cannot interrupt. */
const HANG_MS = 3_000
/** After this long without a death, the restart delays begin again. */
const FORGET_DEATHS_MS = 600_000

type Run = {
  readonly invocation: Invocation
  readonly input: string
  readonly signal: AbortSignal
  resolve(value: Json | undefined): void
  reject(error: Error): void
}

/** The code runs in a thread that is started when it is needed first; see ADR 31. */
export const createSandbox = (options: SandboxOptions): Sandbox => {
  const { name, code, handlers, cpuMs = CPU_MS, hangMs = HANG_MS, restartMs = RESTART_MS } = options
  const waiting: Run[] = []
  const running = new Map<number, Run>()
  let thread: Thread | null = null
  let state: 'up' | 'down' | 'stopped' = 'up'
  let deaths = 0
  let lastDeath = 0
  let nextId = 0
  let restart: NodeJS.Timeout | undefined

  const failAll = (kind: SandboxFailureKind, reason: string): void => {
    const lost = [...running.values(), ...waiting.splice(0)]
    running.clear()
    for (const run of lost) run.reject(new SandboxFailure(kind, reason))
  }

  const lose = (reason: string): void => {
    thread = null
    failAll('failed', reason)
    if (state === 'stopped') return
    const now = performance.now()
    deaths = now - lastDeath > FORGET_DEATHS_MS ? 1 : deaths + 1
    lastDeath = now
    state = 'down'
    restart = setTimeout(
      () => {
        state = 'up'
        // The next caller gets the error.
        start().catch(() => undefined)
      },
      restartMs[Math.min(deaths, restartMs.length) - 1],
    )
    restart.unref()
    options.onDeath(reason)
  }

  const open = (): Thread => {
    thread ??= startThread(
      { name, code, handlers, cpuMs, hangMs },
      {
        answer: (id, call) => {
          const run = running.get(id)
          return run ? run.invocation.reach(call, run.signal) : Promise.resolve(undefined)
        },
        log: (id, line) => running.get(id)?.invocation.onLog(line),
        done: (id, outcome) => {
          const run = running.get(id)
          running.delete(id)
          if (run) settle(run, outcome)
          next()
        },
        lost: lose,
      },
    )
    return thread
  }

  const start = async (): Promise<void> => {
    if (state === 'stopped') throw new SandboxFailure('stopped', 'The plugin is off')
    const opened = open()
    try {
      await opened.ready
    } catch (error) {
      if (thread === opened) thread = null
      const failure = error instanceof SandboxFailure ? error : new SandboxFailure('failed', String(error))
      failAll(failure.kind, failure.message)
      throw failure
    }
  }

  const next = (): void => {
    if (running.size >= MAX_RUNNING || waiting.length === 0) return
    if (!thread?.isReady) return void start().then(next, () => undefined)
    const run = waiting.shift() as Run
    nextId += 1
    running.set(nextId, run)
    const { now = new Date(), ...handler } = run.invocation
    thread.run(nextId, { kind: handler.kind, name: handler.name }, run.input, now.getTime())
    next()
  }

  const leave = (run: Run): void => {
    const at = waiting.indexOf(run)
    if (at >= 0) waiting.splice(at, 1)
    for (const [id, one] of running)
      if (one === run) {
        running.delete(id)
        thread?.end(id)
      }
    next()
  }

  return {
    start,
    run: (invocation) => {
      if (state !== 'up') return Promise.reject(new SandboxFailure('stopped', STOPPED[state]))
      if (waiting.length >= MAX_WAITING)
        return Promise.reject(new SandboxFailure('busy', 'Too many calls to this plugin are waiting'))
      const input = JSON.stringify(invocation.input)
      if (Buffer.byteLength(input) > MAX_VALUE_BYTES)
        return Promise.reject(new SandboxFailure('failed', "The handler's input is larger than 1 MiB"))
      const ended = new AbortController()
      const { promise, resolve, reject } = Promise.withResolvers<Json | undefined>()
      const run: Run = { invocation, input, signal: ended.signal, resolve, reject }
      const timer = setTimeout(() => {
        reject(new SandboxFailure('timeout', `The plugin took longer than ${invocation.timeMs / 1_000} seconds`))
        leave(run)
      }, invocation.timeMs)
      waiting.push(run)
      next()
      return promise.finally(() => {
        clearTimeout(timer)
        ended.abort()
      })
    },
    stop: async () => {
      state = 'stopped'
      clearTimeout(restart)
      const ending = thread
      thread = null
      failAll('stopped', STOPPED.stopped)
      await ending?.stop()
    },
  }
}

const STOPPED = { down: 'The plugin crashed and will restart soon', stopped: 'The plugin is off' }

const settle = ({ resolve, reject }: Run, outcome: RunOutcome): void => {
  const text = outcome.kind === 'value' ? outcome.text : outcome.kind === 'problem' ? outcome.details : null
  const value = text === null ? undefined : parseGuestJson(text)
  if (outcome.kind === 'failed') reject(new SandboxFailure('failed', outcome.reason))
  else if (text !== null && value === undefined) reject(new SandboxFailure('failed', UNFIT))
  else if (outcome.kind === 'value') resolve(value)
  else reject(new PluginProblem(outcome.status, outcome.message, value ?? null))
}

const UNFIT = "The plugin's return value is nested too deeply or has forbidden names"
