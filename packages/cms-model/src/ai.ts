import { z } from 'zod'
import { moment } from './moments.ts'

/** Kinds of AI providers: Anthropic, OpenAI, an Ollama server of one's own, Ollama's cloud. */
export const aiKinds = ['a', 'b', 'local', 'cloud'] as const
export type AiKind = (typeof aiKinds)[number]
export const aiKind = z.enum(aiKinds)

/** What spends tokens. */
export const aiFeatures = ['assistant', 'field', 'visitor', 'test'] as const
export type AiFeature = (typeof aiFeatures)[number]

const dailyTokens = z.int().min(0).max(1_000_000_000)

/** Tokens per day in UTC, in and out together. */
export const aiLimits = z.object({
  siteTokensPerDay: dailyTokens,
  userTokensPerDay: dailyTokens,
  visitorTokensPerDay: dailyTokens,
})
export type AiLimits = z.infer<typeof aiLimits>

export const DEFAULT_AI_LIMITS: AiLimits = {
  siteTokensPerDay: 2_000_000,
  userTokensPerDay: 300_000,
  visitorTokensPerDay: 300_000,
}

export const aiCheckIds = ['reach', 'auth', 'model', 'stream', 'tool_call', 'round_trip'] as const
export type AiCheckId = (typeof aiCheckIds)[number]

/** What a connection test found, check by check; those that were not reached are not listed. */
export const aiTest = z.object({
  ok: z.boolean(),
  model: z.string(),
  checks: z.array(z.object({ id: z.enum(aiCheckIds), ok: z.boolean(), ms: z.int(), detail: z.string().optional() })),
  /** The model streams text: good enough for the field assistant. */
  fieldAssistant: z.boolean(),
  /** The model can call tools as well. */
  assistant: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})
export type AiTest = z.infer<typeof aiTest>

/** The connected provider; its key is never shown. */
export const aiConnection = z.object({
  connected: z.boolean(),
  kind: aiKind.nullable(),
  model: z.string().nullable(),
  /** Set for the local kind only. */
  baseUrl: z.string().nullable(),
  /** Null: none is needed, or none is stored. */
  credential: z.object({ from: z.enum(['key', 'oauth']), last4: z.string() }).nullable(),
  oauthAvailable: z.boolean(),
  suggestions: z.object({
    a: z.array(z.string()),
    b: z.array(z.string()),
    local: z.array(z.string()),
    cloud: z.array(z.string()),
  }),
  /** What the last test of this very connection says; true until one says otherwise. */
  capabilities: z.object({ assistant: z.boolean(), field: z.boolean() }),
  lastTest: aiTest.extend({ at: moment }).nullable(),
  limits: aiLimits,
  /** How much a local model reads at once. */
  contextTokens: z.int(),
  /** Sends only the tools of the open screen, for models that read little at once. */
  compactTools: z.boolean(),
  /** After so many days without a message, conversations are deleted. */
  retentionDays: z.int(),
  version: z.int(),
})
export type AiConnection = z.infer<typeof aiConnection>

const modelName = z.string().trim().min(1).max(200)
const baseUrl = z.string().trim().max(2_000)
const apiKey = z.string().trim().max(1_000)

/** An absent `apiKey` keeps what is stored, an empty one clears it. */
export const aiConnectionInput = z.strictObject({
  kind: aiKind,
  model: modelName,
  baseUrl: baseUrl.nullable().optional(),
  apiKey: apiKey.optional(),
  limits: aiLimits.partial().strict().optional(),
  contextTokens: z.int().min(2_048).max(1_048_576).optional(),
  compactTools: z.boolean().optional(),
  retentionDays: z.int().min(1).max(3_650).optional(),
  version: z.int().min(0).optional(),
})
export type AiConnectionInput = z.infer<typeof aiConnectionInput>

/** Omitted members keep their stored values for the test; nothing is saved. */
export const aiTestInput = z.strictObject({
  kind: aiKind,
  model: modelName,
  baseUrl: baseUrl.nullable().optional(),
  apiKey: apiKey.optional(),
})
export type AiTestInput = z.infer<typeof aiTestInput>

/** Without a model it is the one in use, or the first that is suggested. */
export const aiSignInInput = z.strictObject({ model: modelName.optional() })
/** Where the browser goes to sign in at the provider. */
export const aiSignIn = z.object({ url: z.string() })

export const aiUsage = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      feature: z.enum(aiFeatures),
      tokensIn: z.int(),
      tokensOut: z.int(),
      calls: z.int(),
    }),
  ),
  limits: aiLimits,
})
export type AiUsage = z.infer<typeof aiUsage>
