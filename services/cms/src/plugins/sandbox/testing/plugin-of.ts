import assert from 'node:assert/strict'
import {
  createSandbox,
  type HandlerName,
  type Invocation,
  type Json,
  type LogLine,
  type Reach,
  type Sandbox,
  SandboxFailure,
} from '../sandbox.ts'

export type Given = { reach?: Reach; input?: Json; timeMs?: number; logs?: LogLine[]; now?: Date }

export type Tried = {
  sandbox: Sandbox
  deaths: string[]
  run(name: string, given?: Given): Promise<Json | undefined>
}

/** Enough for honest code, also before the engine is warm, and tests need not wait longer. */
const CPU_MS = 1_000

const refuseAll: Reach = () => Promise.reject(new Error('nothing can be reached'))

/** A plugin of this code; its routes are whatever stands there as `'GET /name'`. The caller stops it. */
export const pluginOf = (code: string, handlers?: readonly HandlerName[]): Tried => {
  const routes = [...code.matchAll(/'(GET \/[\w-]*)'/g)].map(
    ([, name]) => ({ kind: 'route', name: name ?? '' }) as const,
  )
  const deaths: string[] = []
  const onDeath = (reason: string) => void deaths.push(reason)
  const sandbox = createSandbox({ name: 'tried', code, handlers: handlers ?? routes, onDeath, cpuMs: CPU_MS })
  return {
    sandbox,
    deaths,
    run: (name, { reach = refuseAll, input = null, timeMs = 60_000, logs = [], now } = {}) => {
      const onLog = (line: LogLine) => void logs.push(line)
      const invocation: Invocation = { kind: 'route', name, input, reach, timeMs, onLog, ...(now && { now }) }
      return sandbox.run(invocation)
    },
  }
}

/** For `assert.rejects`. */
export const failure = (kind: SandboxFailure['kind'], message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SandboxFailure, String(error))
  assert.equal(error.kind, kind, error.message)
  assert.match(error.message, message)
  return true
}
