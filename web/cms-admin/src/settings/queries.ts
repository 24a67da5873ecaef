import type { Settings, UpdateSettingsInput } from '@stoa/cms-model/settings.ts'
import { queryOptions } from '@tanstack/react-query'
import { ifMatch, sendSignedIn } from '../api.ts'

export const readSettings = (signal?: AbortSignal) => sendSignedIn<Settings>('GET', '/api/settings', { signal })

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => readSettings(signal),
})

export const updateSettings = (body: UpdateSettingsInput, version: number | 'any') =>
  sendSignedIn<Settings>('PUT', '/api/settings', { body, headers: ifMatch(version) })
