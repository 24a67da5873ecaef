import { setTimeout as sleep } from 'node:timers/promises'
import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { type HandlerName, type Json, PluginProblem, type Sandbox, SandboxFailure } from '../sandbox/sandbox.ts'
import { createLines, openJournal } from './journal.ts'
import { findCode } from './queries.ts'
import type { EnabledPlugin, PluginCall, RunningParts } from './running.ts'

/** How long a handler may take. Nobody waits for a schedule. */
const TIME_MS = { route: 10_000, event: 10_000, schedule: 60_000 }

/** One plugin of this process with its sandbox, which starts at the first call. */
export type Program = {
  readonly plugin: EnabledPlugin
  run(call: PluginCall): Promise<Json | undefined>
  /** Other files took its place: what runs may finish. */
  retire(): Promise<void>
  /** Ends what runs. */
  stop(): Promise<void>
}

/** All that the manifest declares and the code must have. */
export const handlersOf = ({ routes, events, schedules }: PluginManifest): HandlerName[] => [
  ...routes.map(({ method, path }) => ({ kind: 'route', name: `${method} ${path}` }) as const),
  ...events.map((name) => ({ kind: 'event', name }) as const),
  ...schedules.map(({ name }) => ({ kind: 'schedule', name }) as const),
]

export const createProgram = (parts: RunningParts, plugin: EnabledPlugin): Program => {
  const { database, clock, createSandbox, createReach } = parts
  const { name, hash, manifest } = plugin
  const journal = openJournal(parts, plugin)
  const underWay = new Set<Promise<unknown>>()
  let sandbox: Promise<Sandbox> | undefined
  let isStopped = false

  const open = async (): Promise<Sandbox> => {
    const code = await findCode(database.db, { name, hash, path: manifest.server })
    if (code === null || isStopped) throw new SandboxFailure('stopped', `The plugin ${name} is off or was changed`)
    const onDeath = (reason: string) => void journal.addDeath(reason)
    return createSandbox({ name, code, handlers: handlersOf(manifest), onDeath })
  }
  const opened = (): Promise<Sandbox> => {
    sandbox ??= open().catch((error: unknown) => {
      sandbox = undefined
      throw error
    })
    return sandbox
  }

  const run = async ({ kind, name: handler, input, caller }: PluginCall): Promise<Json | undefined> => {
    const began = performance.now()
    const logged = createLines()
    const note = (outcome: 'done' | 'refused' | 'failed', message: string | null) => {
      // Successful calls are many and not worth a row; what a plugin logs is.
      if (kind === 'route' && outcome !== 'failed' && logged.lines.length === 0) return undefined
      const ms = performance.now() - began
      return journal.add({ kind, name: handler, ms, outcome, message, lines: logged.lines })
    }
    try {
      const reach = createReach(plugin, caller)
      const limits = { timeMs: TIME_MS[kind], now: clock.now() }
      const invocation = { kind, name: handler, input, reach, onLog: logged.add, ...limits }
      const value = await (await opened()).run(invocation)
      await note('done', null)
      return value
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      // A plugin that is off, or waits for a restart, did not run: the reason is already recorded.
      const isOff = error instanceof SandboxFailure && error.kind === 'stopped'
      if (!isOff) await note(error instanceof PluginProblem ? 'refused' : 'failed', message)
      throw error
    }
  }
  const stop = async () => {
    isStopped = true
    const running = await sandbox?.catch(() => undefined)
    await running?.stop()
    await Promise.all(underWay)
  }
  return {
    plugin,
    async run(call) {
      const running = run(call)
      const settled = running.catch(() => undefined).finally(() => underWay.delete(settled))
      underWay.add(settled)
      return running
    },
    async retire() {
      const limit = new AbortController()
      const late = sleep(TIME_MS.schedule, undefined, { signal: limit.signal, ref: false }).catch(() => undefined)
      await Promise.race([Promise.all(underWay), late])
      limit.abort()
      await stop()
    },
    stop,
  }
}
