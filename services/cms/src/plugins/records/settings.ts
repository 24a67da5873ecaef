import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { PluginManifest, PluginSetting } from '@stoa/cms-model/plugin-manifest.ts'
import type { Plugin, PluginSettingsInput } from '@stoa/cms-model/plugins.ts'
import { createSealer, SealError, type Sealer } from '@stoa/kit/crypto/seal.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { failFields } from '../../errors.ts'

const sealedValue = z.object({ sealed: z.string(), last4: z.string() })
export const storedSettings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), sealedValue]))
/** Values of declared keys. A secret is sealed. */
export type StoredSettings = Readonly<z.infer<typeof storedSettings>>
type Stored = StoredSettings[string]

type Named = Pick<PluginManifest, 'name' | 'settings'>
type WithSecret = Pick<Config, 'secret'>

const MAX_TEXT = 500
const MAX_LONG_TEXT = 10_000
const MAX_URL = 2048
/** Four characters of a shorter one would leave too little to guess. */
const MIN_SECRET_TO_SHOW = 8

/** What people read: every declared key, a secret by how it ends. */
export const showSettings = ({ settings }: Pick<Named, 'settings'>, stored: StoredSettings): Plugin['settings'] =>
  Object.fromEntries(
    settings.map((setting) => {
      const value = storedValue(setting, stored)
      return [setting.key, isSealed(value) ? { last4: value.last4 } : value]
    }),
  )

/** What the plugin itself reads: every declared key, secrets in clear. One that cannot be opened any more is null. */
export const revealSettings = (
  config: WithSecret,
  { name, settings }: Named,
  stored: StoredSettings,
): Record<string, string | number | boolean | null> => {
  const sealer = sealerOf(config)
  const reveal = ({ sealed }: z.infer<typeof sealedValue>, key: string): string | null => {
    try {
      return sealer.open(sealed, contextOf(name, key)).reveal()
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }
  return Object.fromEntries(
    settings.map((setting) => {
      const value = storedValue(setting, stored)
      return [setting.key, isSealed(value) ? reveal(value, setting.key) : value]
    }),
  )
}

/** What is stored after the given values were set, and the keys that changed. Refuses what the manifest does not declare. */
export const changeSettings = (
  config: WithSecret,
  { name, settings }: Named,
  stored: StoredSettings,
  given: PluginSettingsInput['settings'],
): { settings: StoredSettings; changed: string[] } => {
  const declared = new Map(settings.map((setting) => [setting.key, setting]))
  const problems = Object.entries(given).flatMap(([key, value]): FieldProblem[] => {
    const setting = declared.get(key)
    const message = setting ? problemOf(setting, value) : "isn't a setting of this plugin"
    return message === null ? [] : [{ key: `settings.${key}`, message }]
  })
  if (problems.length > 0) failFields(problems)
  const sealer = sealerOf(config)
  const changed: string[] = []
  const values = settings.flatMap(({ key, type }): [string, Stored][] => {
    const before = own(stored, key)
    if (!Object.hasOwn(given, key)) return before === undefined ? [] : [[key, before]]
    const value = given[key]
    const isCleared = value === null || value === undefined || (value === '' && CLEARED_BY_EMPTY.has(type))
    const after = isCleared ? undefined : type === 'secret' ? seal(sealer, name, key, String(value)) : value
    if (after !== before) changed.push(key)
    return after === undefined ? [] : [[key, after]]
  })
  return { settings: Object.fromEntries(values), changed }
}

/** An empty form input clears these: an empty text is no address, choice or secret. */
const CLEARED_BY_EMPTY: ReadonlySet<string> = new Set(['secret', 'url', 'select'])

const own = (stored: StoredSettings, key: string): Stored | undefined =>
  Object.hasOwn(stored, key) ? stored[key] : undefined

const isSealed = (value: Stored | null): value is z.infer<typeof sealedValue> =>
  typeof value === 'object' && value !== null

/** What was set, while the manifest still allows it; else the default. */
const storedValue = (setting: PluginSetting, stored: StoredSettings): Stored | null => {
  const value = own(stored, setting.key)
  const isOfType = isSealed(value ?? null)
    ? setting.type === 'secret'
    : value !== undefined && setting.type !== 'secret'
  if (value !== undefined && isOfType && (isSealed(value) || problemOf(setting, value) === null)) return value
  return setting.default ?? null
}

const sealerOf = ({ secret }: WithSecret): Sealer => createSealer({ current: secret }, 'plugin-setting')

const contextOf = (name: string, key: string): string => `${name}/${key}`

const seal = (sealer: Sealer, name: string, key: string, secret: string): Stored => ({
  sealed: sealer.seal(secret, contextOf(name, key)),
  last4: secret.length < MIN_SECRET_TO_SHOW ? '' : secret.slice(-4),
})

const problemOf = (setting: PluginSetting, value: string | number | boolean | null): string | null => {
  if (value === null || (value === '' && CLEARED_BY_EMPTY.has(setting.type))) return null
  switch (setting.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'select': {
      const values = (setting.options ?? []).map((option) => option.value)
      return values.some((option) => option === value) ? null : `must be one of ${values.join(', ')}`
    }
    case 'url':
      return typeof value === 'string' && isWebAddress(value) ? null : 'must be a URL like https://example.com'
    case 'text':
      if (typeof value === 'string' && value.length <= MAX_TEXT && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return null
      return `must be one line of text with at most ${MAX_TEXT} characters`
    case 'textarea':
    case 'secret':
      if (typeof value === 'string' && value.length <= MAX_LONG_TEXT) return null
      return `must be text with at most ${MAX_LONG_TEXT} characters`
  }
}

const isWebAddress = (text: string): boolean =>
  text.length <= MAX_URL && /^https?:\/\//i.test(text) && URL.parse(text) !== null
