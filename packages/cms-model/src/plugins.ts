import { z } from 'zod'
import { moment } from './moments.ts'

/** What an admin agreed to. */
export const pluginApproval = z.object({
  permissions: z.array(z.string()),
  hosts: z.array(z.string()),
  collections: z.array(z.string()),
  at: moment,
  by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
})
export type PluginApproval = z.infer<typeof pluginApproval>

/** What a plugin asks for beyond what was agreed to, or at all. */
export const pluginAsks = pluginApproval.pick({ permissions: true, hosts: true, collections: true })
export type PluginAsks = z.infer<typeof pluginAsks>

const pluginHealthStates = ['running', 'stopped', 'failed'] as const

export const pluginHealth = z.object({
  state: z.enum(pluginHealthStates),
  /** Restarts in the last ten minutes. */
  restarts: z.int(),
  lastError: z.string().nullable(),
  at: moment.nullable(),
})
export type PluginHealth = z.infer<typeof pluginHealth>

const settingKey = z.object({
  key: z.string(),
  type: z.string(),
  label: z.string(),
  secret: z.boolean(),
  help: z.string().nullable(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
})
export type PluginSettingKey = z.infer<typeof settingKey>

const secretValue = z.object({ last4: z.string() })

export const plugin = z.object({
  name: z.string(),
  label: z.string(),
  version: z.string(),
  description: z.string(),
  installed: z.boolean(),
  enabled: z.boolean(),
  /** Every declared key: what was set, else its default, else null. A secret shows how it ends. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), secretValue])),
  settingKeys: z.array(settingKey),
  /** Why it cannot run: what is wrong in its folder, and where. */
  error: z.string().nullable(),
  permissions: z.array(z.string()),
  hosts: z.array(z.string()),
  collections: z.array(z.string()),
  events: z.array(z.string()),
  schedules: z.array(z.object({ name: z.string(), every: z.string() })),
  screens: z.array(
    z.object({ id: z.string(), label: z.string(), icon: z.string().nullable(), permission: z.string() }),
  ),
  panels: z.array(z.object({ label: z.string(), types: z.array(z.string()) })),
  pages: z.array(z.object({ path: z.string() })),
  /** The files on the disk are not those that run. */
  changed: z.boolean(),
  approved: pluginApproval.nullable(),
  health: pluginHealth,
  recordVersion: z.int().nullable(),
})
export type Plugin = z.infer<typeof plugin>

export const pluginList = z.object({ items: z.array(plugin) })

const version = z.int().min(1).optional()

/** True agrees to whatever it asks for; a list to just that, so that nobody agrees to what they have not seen. */
const approve = z.union([z.boolean(), pluginAsks]).optional()

export const pluginStateInput = z.strictObject({ enabled: z.boolean(), approve, version })
/** Only the keys sent change. Null, and for a secret an empty text, is the default again. */
export const pluginSettingsInput = z.strictObject({
  settings: z.record(z.string().max(64), z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()])),
  version,
})
export type PluginSettingsInput = z.infer<typeof pluginSettingsInput>

export const pluginReloadInput = z.strictObject({ approve, version })

/** The name again, so that nobody uninstalls by a slip. */
export const uninstallPluginInput = z.strictObject({ name: z.string().max(100), version })

const pluginRunKinds = ['start', 'route', 'event', 'schedule'] as const
const pluginRunOutcomes = ['done', 'refused', 'failed'] as const

export const pluginRun = z.object({
  id: z.string(),
  at: moment,
  kind: z.enum(pluginRunKinds),
  /** `GET /plans`, `entry.published`, `tidy`. */
  name: z.string(),
  ms: z.int(),
  outcome: z.enum(pluginRunOutcomes),
  message: z.string().nullable(),
  /** What it logged. */
  lines: z.array(z.object({ level: z.enum(['debug', 'info', 'warn', 'error']), text: z.string() })),
})
export type PluginRun = z.infer<typeof pluginRun>
export const pluginRuns = z.object({ items: z.array(pluginRun) })

/** What the admin shows of plugins that are on, to those who may use it. */
export const pluginScreens = z.object({
  items: z.array(
    z.object({
      plugin: z.string(),
      label: z.string(),
      /** Changes with its files. */
      hash: z.string(),
      screens: z.array(
        z.object({
          id: z.string(),
          label: z.string(),
          icon: z.string().nullable(),
          src: z.string(),
          permission: z.string(),
        }),
      ),
      panels: z.array(
        z.object({ label: z.string(), types: z.array(z.string()), src: z.string(), permission: z.string().nullable() }),
      ),
    }),
  ),
})
export type PluginScreens = z.infer<typeof pluginScreens>
