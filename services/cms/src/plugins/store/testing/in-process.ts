import type { EnabledPlugin, PluginCall, RunningPlugins } from '../../running/running.ts'
import { type Json, SandboxFailure } from '../../sandbox/sandbox.ts'

export type Handler = (call: PluginCall) => Json | undefined | Promise<Json | undefined>

/** Plugins whose handlers are functions of the test: all that the service does around them is real. */
export type InProcessPlugins = RunningPlugins & {
  set(plugin: EnabledPlugin, handler: Handler): void
  off(name: string): void
}

export const inProcessPlugins = (): InProcessPlugins => {
  const on = new Map<string, { plugin: EnabledPlugin; handler: Handler }>()
  return {
    set: (plugin, handler) => void on.set(plugin.name, { plugin, handler }),
    off: (name) => void on.delete(name),
    enabled: () => [...on.values()].map(({ plugin }) => plugin),
    find: (name) => on.get(name)?.plugin,
    run: async (name, call) => {
      const found = on.get(name)
      if (!found) throw new SandboxFailure('stopped', 'The plugin is off')
      return found.handler(call)
    },
    load: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
