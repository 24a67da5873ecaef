import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createReload } from '@stoa/kit/reload.ts'
import type { Account } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { NO_FOLDER, type PluginFolder } from '../folder/folder.ts'
import { listEnabled, type StoredPlugin } from '../records/records.ts'
import {
  type HandlerName,
  type Json,
  type Reach,
  type Sandbox,
  SandboxFailure,
  type SandboxOptions,
} from '../sandbox/sandbox.ts'
import { createProgram, handlersOf, type Program } from './program.ts'

export { recordStart } from './journal.ts'

/** A plugin that is on, as this process knows it. */
export type EnabledPlugin = {
  readonly name: string
  readonly manifest: PluginManifest
  /** The permissions that were requested and approved. */
  readonly grants: readonly string[]
  readonly hosts: readonly string[]
  /** The hash of all its files. */
  readonly hash: string
}

/** Who a handler runs for: the person who called, nobody (a visitor), or the plugin itself. */
export type Caller =
  | { readonly kind: 'person'; readonly account: Account }
  | { readonly kind: 'visitor' }
  /** The plugin itself. `chain`: see PluginPrincipal. */
  | { readonly kind: 'plugin'; readonly chain: number }

export type PluginCall = HandlerName & { readonly input: Json; readonly caller: Caller }

/** The plugins of this process. */
export type RunningPlugins = {
  /** Plugins that are on. Another process's switch takes effect within a second. */
  enabled(): readonly EnabledPlugin[]
  find(name: string): EnabledPlugin | undefined
  /** Runs one handler and writes down how it went. Throws PluginProblem or SandboxFailure. */
  run(name: string, call: PluginCall): Promise<Json | undefined>
  /** Reads what is on; the start of the process waits for it. */
  load(): Promise<void>
  close(): Promise<void>
}

declare module '../../context.ts' {
  interface Ports {
    readonly plugins: RunningPlugins
    /** What runs the code of plugins. */
    readonly createSandbox: CreateSandbox
  }
}

export type CreateSandbox = (options: SandboxOptions) => Sandbox

export type RunningParts = {
  readonly database: Database<Tables>
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
  readonly pluginFolder: PluginFolder
  readonly createSandbox: CreateSandbox
  /** Answers what the code asks for while a handler runs for this caller. */
  readonly createReach: (plugin: EnabledPlugin, caller: Caller) => Reach
}

export const openPlugins = (parts: RunningParts): RunningPlugins => {
  const { database, bus, log, pluginFolder } = parts
  let programs: ReadonlyMap<string, Program> = new Map()
  let enabled: readonly EnabledPlugin[] = []
  /** Enabled plugins that cannot run in this process, with the reason, which is logged once. */
  let unable: ReadonlyMap<string, string> = new Map()
  let isClosed = false
  /** Programs that were replaced or switched off and still end. */
  const ending = new Map<Program, Promise<void>>()
  const end = (program: Program, ended: Promise<void>) => {
    const done = ended
      .catch((error: unknown) => log.warn({ err: error, plugin: program.plugin.name }, 'a plugin did not stop well'))
      .finally(() => ending.delete(program))
    ending.set(program, done)
  }

  const load = createReload(async () => {
    const next = new Map<string, Program>()
    const nextUnable = new Map<string, string>()
    for (const stored of isClosed ? [] : await listEnabled(database.db)) {
      const plugin = await runnable(pluginFolder, stored)
      if (typeof plugin === 'string') {
        if (unable.get(stored.name) !== plugin)
          log.warn({ plugin: stored.name, reason: plugin }, "a plugin is on, but can't run here")
        nextUnable.set(stored.name, plugin)
        continue
      }
      const present = programs.get(plugin.name)
      next.set(plugin.name, present && isSame(present.plugin, plugin) ? present : createProgram(parts, plugin))
    }
    const before = programs
    programs = next
    unable = nextUnable
    enabled = [...next.values()].map(({ plugin }) => plugin)
    for (const [name, program] of before)
      if (next.get(name) !== program) end(program, next.has(name) ? program.retire() : program.stop())
  })
  const leave = bus.subscribe(({ topic }) => (topic === 'plugin' ? load() : undefined), load)

  return {
    enabled: () => enabled,
    find: (name) => programs.get(name)?.plugin,
    async run(name, call) {
      const program = programs.get(name)
      if (!program) throw new SandboxFailure('stopped', `The plugin ${name} is off`)
      return program.run(call)
    },
    load,
    async close() {
      leave()
      isClosed = true
      await Promise.all([...programs.values(), ...ending.keys()].map((program) => program.stop()))
      await Promise.all(ending.values())
    },
  }
}

/** Starts code once, beside what runs, to see whether it has its handlers. Throws SandboxFailure. */
export const tryCode = async (
  { createSandbox }: { readonly createSandbox: CreateSandbox },
  manifest: PluginManifest,
  code: string,
): Promise<void> => {
  const handlers = handlersOf(manifest)
  const sandbox = createSandbox({ name: manifest.name, code, handlers, onDeath: () => undefined })
  try {
    await sandbox.start()
  } finally {
    await sandbox.stop()
  }
}

/**
 * What is stored runs, also on a machine without PLUGIN_DIR. In place of a plugin that can't run here, the reason: its folder is
 * missing or broken, or this process does not understand it.
 */
const runnable = async (folder: PluginFolder, stored: StoredPlugin): Promise<EnabledPlugin | string> => {
  const { name, hash, manifest, approved } = stored
  if (manifest === null || approved === null) return 'It was installed by another version of the service'
  const found = await folder.find(name)
  if (found === null ? folder.isSet : found.error !== null) return found?.error ?? NO_FOLDER
  return {
    name,
    manifest,
    grants: manifest.permissions.filter((permission) => approved.permissions.includes(permission)),
    hosts: manifest.hosts.filter((host) => approved.hosts.includes(host)),
    hash,
  }
}

const isSame = (a: EnabledPlugin, b: EnabledPlugin): boolean =>
  a.hash === b.hash && a.grants.join() === b.grants.join() && a.hosts.join() === b.hosts.join()
