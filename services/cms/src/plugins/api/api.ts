import type { Egress } from '@stoa/kit/egress/egress.ts'
import { contextFor, type Services } from '../../context.ts'
import { appErrorOf, callRoute } from '../../people/call-route/call-route.ts'
import type { PluginPrincipal } from '../../principal.ts'
import type { Caller, EnabledPlugin } from '../running/running.ts'
import { type HostCall, HostRefusal, type Json, type Reach } from '../sandbox/sandbox.ts'
import { fetchOutside, pluginEgress } from './outside.ts'
import { cryptoCalls, invalid } from './own.ts'
import { siteCalls } from './site.ts'

/** The plugin's documents. The first argument is the collection. */
export type DocumentStore = (
  plugin: EnabledPlugin,
  call: { readonly method: string; readonly args: readonly Json[] },
) => Promise<Json>

export type ReachParts = {
  /** Asked for at each call: the service is put together after this is. */
  services(): Services
  readonly store: DocumentStore
  /** Every declared setting by its key, secrets in clear. */
  ownSettings(plugin: EnabledPlugin): Promise<Json>
  /** To the hosts that plugins declare; the usual one if absent. */
  readonly egress?: Egress
}

/** Gives what `stoa` answers with: in this plugin, for this caller. The code has no say in either. */
export const createReach = (parts: ReachParts): ((plugin: EnabledPlugin, caller: Caller) => Reach) => {
  const egress = parts.egress ?? pluginEgress()
  return (plugin, caller) => async (call, signal) => {
    try {
      return await answer({ ...parts, egress }, { plugin, caller, call, signal })
    } catch (error) {
      const refusal = refusalOf(error)
      // Calls that fail because the handler has ended are not logged.
      if (refusal.status >= 500 && !(error instanceof HostRefusal) && !signal.aborted) {
        const { module, method } = call
        parts.services().log.error({ err: error, plugin: plugin.name, call: `${module}.${method}` }, 'a call failed')
      }
      throw refusal
    }
  }
}

type Asked = { plugin: EnabledPlugin; caller: Caller; call: HostCall; signal: AbortSignal }

const answer = async (parts: Required<ReachParts>, asked: Asked): Promise<Json | undefined> => {
  const { plugin, caller, call, signal } = asked
  const { module, method, args } = call
  if (module === 'store') return parts.store(plugin, { method, args })
  if (module === 'settings' && method === 'own') return parts.ownSettings(plugin)
  if (module === 'http' && method === 'fetch')
    return fetchOutside({ egress: parts.egress, services: parts.services() }, plugin, args, signal)
  const made = module === 'crypto' ? memberOf(cryptoCalls, method) : undefined
  if (made) return made(...args)
  const meant = memberOf(memberOf(siteCalls, module) ?? {}, method)
  if (!meant) throw invalid(`${module}.${method} doesn't exist`)
  const services = parts.services()
  return callRoute(contextFor(services, principalOf(plugin, caller)), services.routes(), meant(...args))
}

const memberOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** A visitor is nobody: what the site holds is not for them to reach, whatever the plugin was given. */
const principalOf = ({ name, grants }: EnabledPlugin, caller: Caller): PluginPrincipal => {
  if (caller.kind === 'visitor')
    throw new HostRefusal(
      'FORBIDDEN',
      403,
      'Nobody is signed in here. Only store, settings.own, http and crypto can be used.',
    )
  return caller.kind === 'person'
    ? { kind: 'plugin', name, grants, account: caller.account, chain: 0 }
    : { kind: 'plugin', name, grants, account: null, chain: caller.chain }
}

/** Whatever a call throws, as the code may see it. */
const refusalOf = (raised: unknown): HostRefusal => {
  if (raised instanceof HostRefusal) return raised
  const { code, status, message, details } = appErrorOf(raised)
  return new HostRefusal(code, status, message, status < 500 && details ? (details as Json) : undefined)
}
