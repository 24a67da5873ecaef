import { z } from 'zod'
import { oneLine } from './one-line.ts'
import { type Permission, permissions, pluginPermissions } from './permissions.ts'
import { type WebhookEvent, webhookEventNames } from './webhook-events.ts'

/** The version of what `stoa` gives to plugins. */
const PLUGIN_API = 1

export const pluginName = z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, 'must be lowercase letters, digits and hyphens')

/** Addresses under /ext that are the service's own. */
export const reservedPluginNames: readonly string[] = ['assistant', 'ui']

export type PluginEvent = Exclude<WebhookEvent, 'webhook.test'> | 'social.updated'

/** The events a plugin can subscribe to. */
export const pluginEvents: readonly PluginEvent[] = [
  ...webhookEventNames.filter((event): event is Exclude<WebhookEvent, 'webhook.test'> => event !== 'webhook.test'),
  'social.updated',
]

const MAX_TEXT = 500
const label = oneLine({ min: 1, max: 60 })

/** Names of members; never one that every object has. */
const key = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,63}$/, 'must be a letter followed by letters and digits')
  .refine((name) => !(name in Object.prototype), 'is a reserved name')

/** A file of the plugin's folder, by its path from there. */
const file = (folder: string) =>
  z
    .string()
    .max(200)
    .regex(
      /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/,
      'must be the path of a file in the plugin folder',
    )
    .refine((path) => path.startsWith(folder), folder ? `must be in ${folder}` : undefined)

const host = z
  .string()
  .max(253)
  .regex(
    /^(?=.*[a-z])[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/,
    'must be a host name like api.example.com',
  )

const permission = z.enum(pluginPermissions as readonly [Permission, ...Permission[]], {
  error: ({ input }) =>
    permissions.some((name) => name === input) ? `${input} can't be granted to a plugin` : undefined,
})

const settingTypes = ['text', 'textarea', 'number', 'boolean', 'select', 'url', 'secret'] as const
const setting = z
  .strictObject({
    key,
    type: z.enum(settingTypes),
    label,
    help: oneLine({ min: 0, max: 200 }).optional(),
    options: z
      .array(z.strictObject({ value: oneLine({ min: 1, max: 100 }), label }))
      .min(1)
      .max(100)
      .optional(),
    default: z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()]).optional(),
  })
  .superRefine((one, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if ((one.type === 'select') !== (one.options !== undefined))
      refuse('options', one.type === 'select' ? 'must list the choices' : 'can only be used with select')
    if (one.default === undefined) return
    if (one.type === 'secret') refuse('default', "can't be used with a secret")
    const wanted = one.type === 'number' || one.type === 'boolean' ? one.type : 'string'
    if (typeof one.default !== wanted) refuse('default', `must be a ${wanted}`)
    if (one.options && !one.options.some(({ value }) => value === one.default))
      refuse('default', 'must be one of the options')
  })
export type PluginSetting = z.infer<typeof setting>

/** `:name` stands for one segment. */
const routePath = z
  .string()
  .max(200)
  .regex(/^(\/(:[a-z][A-Za-z0-9]*|[a-z0-9][a-z0-9._-]*))+$/, 'must look like /plans/:id')
  .refine((path) => !/^\/(screens|pages)(\/|$)/.test(path), 'must not start with /screens or /pages')

const routeMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const routeAuths = ['session', 'delivery', 'public'] as const

const route = z
  .strictObject({
    method: z.enum(routeMethods),
    path: routePath,
    auth: z.enum(routeAuths),
    permission: permission.optional(),
  })
  .superRefine(({ auth, permission: needed }, context) => {
    if ((auth === 'session') === (needed !== undefined)) return
    const message = auth === 'session' ? 'must say who can call the route' : 'can only be used with session'
    context.addIssue({ code: 'custom', path: ['permission'], message })
  })
export type PluginRoute = z.infer<typeof route>

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const every = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'must be a number of minutes, hours or days like 15m, 1h or 1d')
  .refine((text) => everyMs(text) <= 366 * UNIT_MS.d, 'must be one year or less')

/** `15m` in milliseconds. */
export const everyMs = (text: string): number =>
  Number.parseInt(text, 10) * (UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS] ?? 0)

const slug = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'must be lowercase letters, digits and hyphens')

const unique = <T>(what: string, nameOf: (item: T) => string) => {
  return (items: readonly T[], context: z.RefinementCtx) => {
    const seen = new Set<string>()
    items.forEach((item, index) => {
      const name = nameOf(item)
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: [index], message: `${what} ${name} is declared twice` })
      seen.add(name)
    })
  }
}

const list = <S extends z.ZodType>(item: S, max: number, what: string, nameOf: (item: z.output<S>) => string) =>
  z.array(item).max(max).superRefine(unique(what, nameOf)).default([])

/** What two routes must not share: the names of their parameters make no difference. */
const shapeOf = ({ method, path }: PluginRoute): string => `${method} ${path.replaceAll(/:[^/]+/g, ':')}`

/** `plugin.json`. */
export const pluginManifest = z.strictObject({
  /** For editors that know JSON schemas. */
  $schema: z.string().max(MAX_TEXT).optional(),
  name: pluginName,
  label,
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/, 'must be a version like 1.0.0'),
  description: oneLine({ min: 0, max: MAX_TEXT }).default(''),
  api: z.literal(PLUGIN_API),
  server: file('').refine((path) => path.endsWith('.js'), 'must be a .js file'),
  permissions: list(permission, 20, 'the permission', String),
  hosts: list(host, 20, 'the host', String),
  settings: list(setting, 50, 'the setting', (one) => one.key),
  events: list(z.enum(pluginEvents as readonly [PluginEvent, ...PluginEvent[]]), 50, 'the event', String),
  schedules: list(z.strictObject({ name: slug, every }), 10, 'the schedule', (one) => one.name),
  routes: list(route, 100, 'the route', shapeOf),
  collections: list(
    z.strictObject({ name: key, indexes: list(key, 8, 'the index', String) }),
    20,
    'the collection',
    (one) => one.name,
  ),
  screens: list(
    z.strictObject({ id: slug, label, icon: slug.optional(), file: file('screens/'), permission }),
    20,
    'the screen',
    (one) => one.id,
  ),
  panels: list(
    z.strictObject({
      place: z.literal('entry'),
      types: z.array(z.string().min(1).max(64)).min(1).max(100),
      label,
      file: file('screens/'),
      permission: permission.optional(),
    }),
    10,
    'the panel',
    (one) => one.file,
  ),
  pages: list(z.strictObject({ path: slug, file: file('screens/') }), 20, 'the page', (one) => one.path),
})
export type PluginManifest = z.infer<typeof pluginManifest>
