import type { HandlerName, LogLine } from './types.ts'

const MIB = 1_048_576

/** The limit of one value that crosses into or out of the sandbox, as JSON. */
export const MAX_VALUE_BYTES = MIB
/** The memory of one plugin's code, besides what the engine itself needs. */
export const MEMORY_BYTES = 64 * MIB
export const ENGINE_BYTES = 16 * MIB
export const STACK_BYTES = MIB
/** At once in one thread. Most of their time they wait for the service. */
export const MAX_RUNNING = 4
export const MAX_WAITING = 32
/** What one invocation may ask of the service: in all, at once, and in bytes. */
export const MAX_HOST_CALLS = 1_000
export const MAX_HOST_CALLS_AT_ONCE = 8
export const MAX_HOST_CALL_BYTES = 16 * MIB
export const MAX_LOG_LINES = 50
export const MAX_LOG_LENGTH = 500
/** Enough to find the line by. */
export const MAX_REASON_LENGTH = 2_000

export type ThreadData = {
  readonly name: string
  readonly code: string
  readonly handlers: readonly HandlerName[]
  /** Processor time of a call: that of the thread alone, so that one that shares its core with others gets as much. */
  readonly cpuMs: number
  /** One number that changes while the code works: a thread on a busy machine is slow, not dead. */
  readonly beat: Int32Array
}

/** Values are JSON texts: null stands for undefined. */
export type ToThread =
  | { type: 'run'; id: number; handler: HandlerName; input: string; now: number }
  | { type: 'answer'; id: number; call: number; isRefused: boolean; text: string | null }
  | { type: 'end'; id: number }
  | { type: 'ping' }

export type RunOutcome =
  | { kind: 'value'; text: string | null }
  | { kind: 'problem'; status: number; message: string; details: string }
  | { kind: 'failed'; reason: string }

export type FromThread =
  | { type: 'ready' }
  | { type: 'broken'; reason: string }
  | { type: 'call'; id: number; call: number; module: string; method: string; args: string }
  | { type: 'log'; id: number; line: LogLine }
  | { type: 'done'; id: number; outcome: RunOutcome }
  | { type: 'pong' }
