/** What crosses between the service and a plugin: plain data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** A handler that a plugin declares: a route by `GET /plans/:id`, an event or a schedule by its name. */
export type HandlerName = { readonly kind: 'route' | 'event' | 'schedule'; readonly name: string }

/** What the code asks of the service while a handler runs: `content.list(…)`, `store.put('plans', …)`. */
export type HostCall = { readonly module: string; readonly method: string; readonly args: readonly Json[] }

/** Answers host calls as whoever the handler runs for. What it throws reaches the code as an error. */
export type Reach = (call: HostCall, signal: AbortSignal) => Promise<Json | undefined>

export type LogLine = { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly text: string }

export type Invocation = HandlerName & {
  /** The handler's one argument. */
  readonly input: Json
  readonly reach: Reach
  /** How long it may take altogether. */
  readonly timeMs: number
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

/** `busy`: too many calls wait. `failed`: the code threw or broke a limit. `timeout`: it took too long. */
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
}
