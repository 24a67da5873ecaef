import type { Json } from '../../people/call-route/call-route.ts'

/** What crosses between the service and a plugin: plain data. */
export type { Json }

/** A handler that a plugin declares: a route by `GET /plans/:id`, an event or a schedule by its name. */
export type HandlerName = { readonly kind: 'route' | 'event' | 'schedule'; readonly name: string }

/** What the code asks of the service while a handler runs: `content.list(…)`, `store.put('plans', …)`. */
export type HostCall = { readonly module: string; readonly method: string; readonly args: readonly Json[] }

/** A host call was refused: the code gets an error with these members, as they are over HTTP. */
export class HostRefusal extends Error {
  readonly code: string
  readonly status: number
  readonly details: Json | undefined

  constructor(code: string, status: number, message: string, details?: Json) {
    super(message)
    this.name = 'HostRefusal'
    this.code = code
    this.status = status
    this.details = details
  }
}

/**
 * Answers host calls as the principal of the handler. A HostRefusal reaches the code as it is, anything else as INTERNAL
 * without a word. The signal is aborted once the handler has ended, however it did.
 */
export type Reach = (call: HostCall, signal: AbortSignal) => Promise<Json | undefined>

export type LogLine = { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly text: string }

export type Invocation = HandlerName & {
  /** The handler's one argument. */
  readonly input: Json
  readonly reach: Reach
  /** How long it may take altogether, waiting included. */
  readonly timeMs: number
  /** The service's time, for `clock.now()`; the machine's if absent. */
  readonly now?: Date
  readonly onLog: (line: LogLine) => void
}

/** The code refused: `throw new stoa.Problem(status, message, details)`. */
export class PluginProblem extends Error {
  readonly status: number
  readonly details: Json

  constructor(status: number, message: string, details: Json = null) {
    super(message)
    this.name = 'PluginProblem'
    this.status = status
    this.details = details
  }
}

/**
 * `busy`: too many calls wait. `failed`: the code threw, broke a limit or took its thread with it. `timeout`: it took too
 * long. `stopped`: it is not running, for now or for good.
 */
export type SandboxFailureKind = 'busy' | 'failed' | 'timeout' | 'stopped'

export class SandboxFailure extends Error {
  readonly kind: SandboxFailureKind

  constructor(kind: SandboxFailureKind, message: string) {
    super(message)
    this.name = 'SandboxFailure'
    this.kind = kind
  }
}

/** The code of one plugin, in a thread and a runtime of its own. */
export type Sandbox = {
  /** Starts it if need be and checks that all handlers are there; throws SandboxFailure with what is wrong. */
  start(): Promise<void>
  /** What the handler returned. Throws PluginProblem or SandboxFailure. */
  run(invocation: Invocation): Promise<Json | undefined>
  stop(): Promise<void>
}

export type SandboxOptions = {
  readonly name: string
  /** The ES module. */
  readonly code: string
  readonly handlers: readonly HandlerName[]
  /** The thread died or had to be ended; it is started again after a while by itself. */
  readonly onDeath: (reason: string) => void
  /** How long the processor may work for a call; 1 second if absent. */
  readonly cpuMs?: number
  /** How long a thread may work without a sign of life; 3 seconds if absent. */
  readonly hangMs?: number
  /** The waits before it is started again; 1, 5 and 30 seconds if absent. */
  readonly restartMs?: readonly number[]
}
