import { z } from 'zod'
import { listOf, listQuery } from './lists.ts'
import { givenMoment, moment } from './moments.ts'
import { oneLine } from './one-line.ts'
import { locale } from './settings.ts'

const MAX_QUESTION_LENGTH = 500
/** What was said before, as far as the next answer may depend on it. */
const MAX_HISTORY = 6
const MAX_HISTORY_TEXT = 1_000
export const MAX_SOURCES = 4

const MAX_PAGE_URL = 2_048
const MAX_ORIGINS = 50
const MAX_TYPES = 200
const MAX_LABEL = 60
const MAX_GREETING = 300
const MAX_REFUSAL = 500
const MAX_LOCALES = 100
const MAX_DAILY_LIMIT = 1_000_000
const MAX_RETENTION_DAYS = 3_650
const MAX_SYNONYM_GROUPS = 200
const MAX_SYNONYMS = 20
const MAX_SYNONYM = 60

/** What `/ext/assistant/ask` and `/ext/assistant/public-ask` take. */
export const visitorQuestionInput = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_QUESTION_LENGTH, `must have at most ${MAX_QUESTION_LENGTH} characters`),
  /** The visitor's language; the site's own if absent. */
  locale: locale.optional(),
  /** The conversation so far, as sent by the visitor's page: never trusted. */
  history: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        text: z.string().max(MAX_HISTORY_TEXT, `must have at most ${MAX_HISTORY_TEXT} characters`),
      }),
    )
    .max(MAX_HISTORY, `must have at most ${MAX_HISTORY} messages`)
    .optional(),
  /** The address that the visitor reads. */
  page: z.string().max(MAX_PAGE_URL, `must have at most ${MAX_PAGE_URL} characters`).optional(),
})
export type VisitorQuestionInput = z.infer<typeof visitorQuestionInput>

/** A published entry that an answer rests on. */
export const visitorSource = z.object({
  id: z.uuid(),
  type: z.string(),
  slug: z.string(),
  title: z.string(),
  /** Null: its type has no address on the website. */
  url: z.string().nullable(),
  excerpt: z.string(),
})
export type VisitorSource = z.infer<typeof visitorSource>

export const visitorAnswer = z.object({
  id: z.uuid(),
  /** Plain text; `[1]` names the first of `sources`. */
  answer: z.string(),
  sources: z.array(visitorSource),
  /** False: the site does not say, and `answer` is the configured refusal. */
  found: z.boolean(),
})
export type VisitorAnswer = z.infer<typeof visitorAnswer>

const widgetPositions = ['left', 'right'] as const

/** How the visitor assistant is set up. */
export const visitorSettings = z.object({
  enabled: z.boolean(),
  /** Websites whose pages may ask: `https://example.com`. */
  origins: z.array(z.string()),
  /** Content types that public answers are made of. */
  types: z.array(z.string()),
  label: z.string(),
  greeting: z.string(),
  /** What is said when nothing was found, by language. */
  refusal: z.record(z.string(), z.string()),
  accent: z.string(),
  position: z.enum(widgetPositions),
  /** Questions per day in UTC, of all visitors together. */
  dailyLimit: z.int(),
  /** Days after which a question that nobody asked again is forgotten. */
  retentionDays: z.int(),
  /** The model turns a question into search words first: finds more, and costs one call more. */
  rewrite: z.boolean(),
  /** Words that mean the same on this site. */
  synonyms: z.array(z.array(z.string())),
  version: z.int(),
})
export type VisitorSettings = z.infer<typeof visitorSettings>

export const defaultVisitorSettings: VisitorSettings = {
  enabled: false,
  origins: [],
  types: [],
  label: 'Ask a question',
  greeting: 'Hi! What would you like to know?',
  refusal: {},
  accent: '#2563eb',
  position: 'right',
  dailyLimit: 1_000,
  retentionDays: 90,
  rewrite: false,
  synonyms: [],
  version: 1,
}

/** The one spelling of an origin, `https://example.com:8443`; null when it is none. */
const canonicalOrigin = (text: string): string | null => {
  if (!/^https?:\/\/[^\s\\/?#@]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}

/** Names of this machine, which outside production may be served without encryption. */
export const isLoopbackOrigin = (origin: string): boolean =>
  /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(origin).hostname)

const origin = z
  .string()
  .trim()
  .transform((text, context): string => {
    const canonical = canonicalOrigin(text)
    if (canonical !== null && (canonical.startsWith('https:') || isLoopbackOrigin(canonical))) return canonical
    context.addIssue({ code: 'custom', message: 'must be a URL like https://example.com, without a path' })
    return z.NEVER
  })

const once = (items: readonly string[], context: z.RefinementCtx): void => {
  for (const [index, item] of items.entries())
    if (items.indexOf(item) < index)
      context.addIssue({ code: 'custom', path: [index], message: `must not contain ${item} twice` })
}

const whole = (min: number, max: number) =>
  z.int('must be a whole number').min(min, `must be ${min} or more`).max(max, `must be ${max} or less`)

/** Only the members sent change; lists and `refusal` are replaced whole. */
export const visitorSettingsInput = z.strictObject({
  enabled: z.boolean('must be true or false').optional(),
  origins: z.array(origin).max(MAX_ORIGINS, `must have at most ${MAX_ORIGINS} addresses`).superRefine(once).optional(),
  types: z.array(z.string()).max(MAX_TYPES, `must have at most ${MAX_TYPES} types`).superRefine(once).optional(),
  label: oneLine({ min: 1, max: MAX_LABEL }).optional(),
  greeting: oneLine({ min: 0, max: MAX_GREETING }).optional(),
  refusal: z
    .record(z.string(), z.string().trim().max(MAX_REFUSAL, `must have at most ${MAX_REFUSAL} characters`))
    .superRefine(checkLocales)
    .optional(),
  accent: z
    .string()
    .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a color like #2563eb')
    .transform((color) => color.toLowerCase())
    .optional(),
  position: z.enum(widgetPositions, 'must be left or right').optional(),
  dailyLimit: whole(0, MAX_DAILY_LIMIT).optional(),
  retentionDays: whole(1, MAX_RETENTION_DAYS).optional(),
  rewrite: z.boolean('must be true or false').optional(),
  synonyms: z
    .array(
      z
        .array(oneLine({ min: 1, max: MAX_SYNONYM }))
        .min(2, 'must have at least two words')
        .max(MAX_SYNONYMS, `must have at most ${MAX_SYNONYMS} words`),
    )
    .max(MAX_SYNONYM_GROUPS, `must have at most ${MAX_SYNONYM_GROUPS} groups`)
    .optional(),
  version: z.int().min(1).optional(),
})
export type VisitorSettingsInput = z.infer<typeof visitorSettingsInput>

function checkLocales(refusal: Readonly<Record<string, string>>, context: z.RefinementCtx): void {
  const tags = Object.keys(refusal)
  if (tags.length > MAX_LOCALES)
    context.addIssue({ code: 'custom', message: `must have at most ${MAX_LOCALES} languages` })
  for (const tag of tags.slice(0, MAX_LOCALES))
    if (locale.safeParse(tag).data !== tag)
      context.addIssue({ code: 'custom', path: [tag], message: 'must be a language tag like en or pt-BR' })
}

/** What is baked into the bubble's script; `data-*` attributes of the page win. */
export type WidgetSettings = Pick<VisitorSettings, 'label' | 'greeting' | 'accent' | 'position'> & {
  /** Where it asks: the address of `/ext/assistant/public-ask`. */
  endpoint: string
}

/** How much of the daily limit is used up. */
export const visitorUsage = z.object({
  /** Today, in UTC. */
  day: z.iso.date(),
  /** Questions that count towards the limit: of all visitors and keys, answered or not. */
  questions: z.int(),
  dailyLimit: z.int(),
})
export type VisitorUsage = z.infer<typeof visitorUsage>

/** What visitors asked: one item per wording, language and outcome. */
export const visitorQuestion = z.object({
  id: z.uuid(),
  /** When it was last asked. */
  at: moment,
  question: z.string(),
  found: z.boolean(),
  sources: z.array(visitorSource.omit({ excerpt: true })),
  locale: z.string(),
  /** How often it was asked. */
  count: z.int(),
})
export type VisitorQuestion = z.infer<typeof visitorQuestion>

export const visitorQuestionList = listOf(visitorQuestion)
export type VisitorQuestionList = z.infer<typeof visitorQuestionList>

const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`))

export const visitorQuestionQuery = listQuery({
  found: z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .optional(),
  /** Asked at this moment or later. */
  from: z.union([day, givenMoment], 'must be a date like 2026-03-01 or a time like 2026-03-01T12:00:00Z').optional(),
  format: z.enum(['json', 'csv'], 'must be json or csv').optional(),
})
export type VisitorQuestionQuery = z.infer<typeof visitorQuestionQuery>
