import { z } from 'zod'

const MAX_ADDRESS_LENGTH = 2_048

const appSources = ['stored', 'env', 'none'] as const

const overrideKeys = ['authorizeUrl', 'tokenUrl', 'apiBase', 'uploadBase', 'apiVersion'] as const

/** Addresses, version and scopes in place of the network's own. */
export const appOverrides = z.object({
  ...(Object.fromEntries(overrideKeys.map((key) => [key, z.string().optional()])) as Record<
    (typeof overrideKeys)[number],
    z.ZodOptional<z.ZodString>
  >),
  scopes: z.array(z.string()).optional(),
})
export type AppOverrides = z.infer<typeof appOverrides>

export const socialApp = z.object({
  network: z.string(),
  label: z.string(),
  /** Where its credentials came from. */
  source: z.enum(appSources),
  /** Null while nothing is stored. */
  version: z.int().nullable(),
  clientId: z.string().nullable(),
  /** All that is ever shown of the secret. */
  secretLast4: z.string().nullable(),
  enabled: z.boolean(),
  overrides: appOverrides,
  /** What to enter at the network's console. */
  callbackUrl: z.string(),
  /** Where apps of this network are registered; null where every server has its own place for it. */
  consoleUrl: z.string().nullable(),
  /** What people are asked to consent to. */
  scopes: z.array(z.string()),
  walkthrough: z.array(z.object({ title: z.string(), body: z.string() })),
  /** When the walkthrough was last compared with the console. */
  checkedOn: z.string(),
  /** How long the network takes to let the app in. */
  leadTime: z.string(),
  warnings: z.array(z.string()),
})
export type SocialApp = z.infer<typeof socialApp>

export const socialSettings = z.object({ items: z.array(socialApp) })
export type SocialSettings = z.infer<typeof socialSettings>

/** Whether the network knows the app's client id and secret. */
export const socialAppTest = z.object({ ok: z.boolean(), message: z.string() })
const scopes = z.array(z.string().min(1).max(200)).max(100)
const override = z.string().trim().min(1).max(MAX_ADDRESS_LENGTH).nullable().optional()

/** Only the members sent change. An empty secret is forgotten; an override of null is that of the network again. */
export const saveSocialAppInput = z.strictObject({
  clientId: z.string().trim().max(500).optional(),
  clientSecret: z.string().trim().max(2_000).optional(),
  enabled: z.boolean().optional(),
  overrides: z
    .strictObject({
      authorizeUrl: override,
      tokenUrl: override,
      apiBase: override,
      uploadBase: override,
      apiVersion: override,
      scopes: scopes.nullable().optional(),
    })
    .optional(),
  version: z.int().min(1).optional(),
})
export type SaveSocialAppInput = z.infer<typeof saveSocialAppInput>
