import type { Plugin, PluginAsks, PluginRun, PluginScreens, PluginSettingsInput } from '@stoa/cms-model/plugins.ts'
import { queryOptions } from '@tanstack/react-query'
import { ifMatch, sendSignedIn } from '../api.ts'

export const pluginsQuery = queryOptions({
  queryKey: ['plugins'],
  queryFn: ({ signal }) => sendSignedIn<{ items: Plugin[] }>('GET', '/api/plugins', { signal }),
})

const pathOf = (name: string) => `/api/plugins/${encodeURIComponent(name)}`

export const pluginQuery = (name: string) =>
  queryOptions({
    queryKey: ['plugins', name],
    queryFn: ({ signal }) => sendSignedIn<Plugin>('GET', pathOf(name), { signal }),
  })

/** Runs happen while one looks. */
const RUNS_REFRESH_MS = 5_000

export const runsQuery = (name: string) =>
  queryOptions({
    queryKey: ['plugins', name, 'runs'],
    queryFn: ({ signal }) => sendSignedIn<{ items: PluginRun[] }>('GET', `${pathOf(name)}/runs`, { signal }),
    refetchInterval: RUNS_REFRESH_MS,
  })

/** Screens and panels of plugins that are on, as far as this person may use them. */
export const pluginScreensQuery = queryOptions({
  queryKey: ['plugin-screens'],
  queryFn: ({ signal }) => sendSignedIn<PluginScreens>('GET', '/api/plugin-screens', { signal }),
})

type Approval = { approve?: PluginAsks }
type State = Approval & { enabled: boolean }

export const setPluginState = (name: string, body: State) =>
  sendSignedIn<Plugin>('PUT', `${pathOf(name)}/state`, { body })
export const savePluginSettings = (name: string, body: PluginSettingsInput, version: number | 'any') =>
  sendSignedIn<Plugin>('PUT', `${pathOf(name)}/settings`, { body, headers: ifMatch(version) })
export const reloadPlugin = (name: string, body: Approval) =>
  sendSignedIn<Plugin>('POST', `${pathOf(name)}/reload`, { body })
export const uninstallPlugin = (name: string) => sendSignedIn<undefined>('DELETE', pathOf(name), { body: { name } })
export const readPlugin = (name: string) => sendSignedIn<Plugin>('GET', pathOf(name))
