import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import type { Plugin, PluginHealth } from '@stoa/cms-model/plugins.ts'
import { type FoundPlugin, NO_FOLDER } from '../folder/folder.ts'
import { DEATHS, recentDeaths, type StoredPlugin, showSettings } from '../records/records.ts'
import { asksOf } from './approval.ts'

/** A plugin as it is known: by its folder, by what is stored, or by both. */
export type Known = {
  readonly name: string
  readonly found: FoundPlugin | null
  readonly stored: StoredPlugin | null
  /** This machine has a PLUGIN_DIR without its folder. */
  readonly isMissing: boolean
}

/** While it is on, what runs counts; otherwise what would be switched on. */
export const manifestOf = ({ found, stored }: Known): PluginManifest | null =>
  (stored?.enabled ? stored.manifest : null) ?? found?.manifest ?? stored?.manifest ?? null

/** Why it does not run, or cannot be switched on. A machine without PLUGIN_DIR runs what is stored. */
export const errorOf = ({ found, stored, isMissing }: Known): string | null => {
  if (isMissing) return NO_FOLDER
  if (found !== null && found.error !== null) return found.error
  if (stored?.enabled)
    return stored.manifest ? null : 'The plugin was installed by another version of the service. Reload it.'
  if (found === null) return NO_FOLDER
  return stored?.brokenHash === found.hash ? stored.lastError : null
}

export const toPlugin = (known: Known, now: Date): Plugin => {
  const { name, found, stored } = known
  const manifest = manifestOf(known)
  const asks = manifest ? asksOf(manifest) : { permissions: [], hosts: [], collections: [] }
  return {
    name,
    label: manifest?.label ?? name,
    version: manifest?.version ?? '',
    description: manifest?.description ?? '',
    installed: stored?.installedAt != null,
    enabled: stored?.enabled ?? false,
    settings: manifest ? showSettings(manifest, stored?.settings ?? {}) : {},
    settingKeys: (manifest?.settings ?? []).map(({ key, type, label, help, options }) => ({
      key,
      type,
      label,
      secret: type === 'secret',
      help: help ?? null,
      options: options ?? null,
    })),
    error: errorOf(known),
    ...asks,
    events: manifest?.events ?? [],
    schedules: manifest?.schedules ?? [],
    screens: (manifest?.screens ?? []).map(({ id, label, icon, permission }) => ({
      id,
      label,
      icon: icon ?? null,
      permission,
    })),
    panels: (manifest?.panels ?? []).map(({ label, types }) => ({ label, types })),
    pages: (manifest?.pages ?? []).map(({ path }) => ({ path })),
    changed: stored?.enabled === true && found?.error === null && found.hash !== stored.hash,
    approved: stored?.approved ?? null,
    health: healthOf(known, now),
    recordVersion: stored?.version ?? null,
  }
}

const healthOf = (known: Known, now: Date): PluginHealth => {
  const { stored } = known
  if (stored === null) return { state: 'stopped', restarts: 0, lastError: null, at: null }
  const hasFailed = stored.enabled ? errorOf(known) !== null : stored.deaths.length >= DEATHS.most
  return {
    state: hasFailed ? 'failed' : stored.enabled ? 'running' : 'stopped',
    restarts: recentDeaths(stored, now).length,
    lastError: stored.lastError,
    at: stored.lastErrorAt?.toISOString() ?? null,
  }
}
