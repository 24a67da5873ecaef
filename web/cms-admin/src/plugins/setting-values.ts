import type { Plugin, PluginSettingKey, PluginSettingsInput } from '@stoa/cms-model/plugins.ts'

/** The values of the inputs: a number is text until it is saved, a secret is empty until it is typed again. */
export type SettingValues = Record<string, string | boolean>

export const settingValuesOf = ({ settings, settingKeys }: Pick<Plugin, 'settings' | 'settingKeys'>): SettingValues =>
  Object.fromEntries(
    settingKeys.map(({ key, type, secret }) => {
      const value = Object.hasOwn(settings, key) ? settings[key] : null
      if (type === 'boolean') return [key, value === true]
      return [key, secret || value === null || value === undefined ? '' : String(value)]
    }),
  )

/** How a stored secret ends; null when there is none. */
export const secretEnd = ({ settings }: Pick<Plugin, 'settings'>, key: string): string | null => {
  const value = Object.hasOwn(settings, key) ? settings[key] : null
  return typeof value === 'object' && value !== null ? value.last4 : null
}

/** The keys that were changed, as the service wants them. */
export const changedSettings = (
  keys: readonly PluginSettingKey[],
  values: SettingValues,
  before: SettingValues,
): PluginSettingsInput['settings'] =>
  Object.fromEntries(
    keys.filter(({ key }) => values[key] !== before[key]).map(({ key, type }) => [key, wireValue(type, values[key])]),
  )

const wireValue = (type: string, value: string | boolean | undefined): string | number | boolean | null => {
  if (type === 'boolean') return value === true
  const text = String(value ?? '')
  if (text.trim() === '') return type === 'text' || type === 'textarea' ? text : null
  return type === 'number' ? Number(text) : text
}

/** Problems that need no service. */
export const settingProblems = (
  keys: readonly PluginSettingKey[],
  values: SettingValues,
): Partial<Record<string, string>> =>
  Object.fromEntries(
    keys.flatMap(({ key, type }) =>
      type === 'number' && !Number.isFinite(Number(values[key])) ? [[key, 'Enter a number.']] : [],
    ),
  )
