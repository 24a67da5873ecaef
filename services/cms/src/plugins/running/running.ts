import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { Account } from '../../principal.ts'
import { type HandlerName, type Json, SandboxFailure } from '../sandbox/sandbox.ts'

/** A plugin that is on, as this process knows it. */
export type EnabledPlugin = {
  readonly name: string
  readonly manifest: PluginManifest
  /** What it may do: what an admin agreed to. */
  readonly grants: readonly string[]
  readonly hosts: readonly string[]
  /** Of all its files. */
  readonly hash: string
}

/** Who a handler runs for: the person who called, nobody (a visitor), or the plugin itself. */
export type Caller = { readonly kind: 'person'; readonly account: Account } | { readonly kind: 'visitor' | 'plugin' }

export type PluginCall = HandlerName & { readonly input: Json; readonly caller: Caller }

/** The plugins of this process. */
export type RunningPlugins = {
  /** Those that are on. A switch in another process is known within a second. */
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
  }
}

/** Nothing is on until the registry is joined. */
export const openPlugins = (): RunningPlugins => ({
  enabled: () => [],
  find: () => undefined,
  run: () => Promise.reject(new SandboxFailure('stopped', 'No plugin is on')),
  load: () => Promise.resolve(),
  close: () => Promise.resolve(),
})
