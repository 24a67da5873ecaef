import { z } from 'zod'
import type { FieldProblem } from './errors.ts'
import { oneLine } from './one-line.ts'
import { canonicalTimeZone } from './time-zones.ts'

const MAX_TITLE_LENGTH = 200
const MAX_TAGLINE_LENGTH = 300
const MAX_DESCRIPTION_LENGTH = 2000
const MAX_URL_LENGTH = 2048
/** RFC 5646 §4.4.1: 35 characters hold every tag without extensions. */
const MAX_LOCALE_LENGTH = 35
const MAX_LOCALES = 100
/** A revision is a copy of the entry: more of them than this is an archive, which 0 stands for. */
const MAX_REVISION_LIMIT = 10_000
const MAX_TRASH_DAYS = 3650
/** Each size multiplies what the blob store may have to hold. */
const MAX_IMAGE_SIZES = 20
const MIN_IMAGE_SIZE = 16
/** Larger pictures cost seconds of work and are scaled down by the browser anyway. */
const MAX_IMAGE_SIZE = 4096
const MAX_DELIVERY_RATE = 1_000_000

/** What the whole site shares. */
export const settings = z.object({
  title: z.string(),
  tagline: z.string(),
  description: z.string(),
  /** Where the website is, without a slash at its end; null: at the service's own public address. */
  url: z.string().nullable(),
  /** The language that is meant where none is named. */
  locale: z.string(),
  /** The languages that entries can be in (BCP 47, canonical). */
  locales: z.array(z.string()),
  logoId: z.uuid().nullable(),
  socialImageId: z.uuid().nullable(),
  /** Revisions kept of each entry; 0: all. */
  revisionLimit: z.int(),
  /** Days after which the trash forgets an entry; null: it is kept until someone empties the trash. */
  trashDays: z.int().nullable(),
  /** Widths and heights that renditions of pictures may have. */
  imageSizes: z.array(z.int()),
  /** Requests of one delivery key; null: as many as it likes. */
  deliveryRatePerMinute: z.int().nullable(),
  /** Uploads lose the place where they were made, and nothing else. */
  stripLocation: z.boolean(),
  /** Where the days of the social calendar begin and end (IANA). */
  timezone: z.string(),
  version: z.int(),
})
export type Settings = z.infer<typeof settings>
export type SettingsMembers = Omit<Settings, 'version'>

/** The settings of a site until somebody saves some. */
export const defaultSettings: Settings = {
  title: '',
  tagline: '',
  description: '',
  url: null,
  locale: 'en',
  locales: ['en'],
  logoId: null,
  socialImageId: null,
  revisionLimit: 100,
  trashDays: null,
  imageSizes: [320, 640, 960, 1280, 1920, 2560],
  deliveryRatePerMinute: null,
  stripLocation: true,
  timezone: 'UTC',
  version: 1,
}

/** The one spelling of a language tag (BCP 47): `EN-us` is `en-US`. Null when it is none. */
export const canonicalLocale = (text: string): string | null => {
  if (text === '' || text.length > MAX_LOCALE_LENGTH) return null
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch (raised) {
    if (raised instanceof RangeError) return null
    throw raised
  }
}

/** A language tag in its canonical spelling. */
export const locale = z.string().transform((text, context): string => {
  const canonical = canonicalLocale(text)
  if (canonical !== null) return canonical
  context.addIssue({ code: 'custom', message: 'must be a language tag like en or pt-BR' })
  return z.NEVER
})

/** A time zone in the spelling of the IANA list. */
const timezone = z
  .string()
  .trim()
  .transform((text, context): string => {
    const canonical = canonicalTimeZone(text)
    if (canonical !== null) return canonical
    context.addIssue({ code: 'custom', message: 'must be a time zone like Europe/Berlin or UTC' })
    return z.NEVER
  })

/** The address of a website: http or https, with a path if it needs one; in the one spelling without a slash at the end. */
export const siteUrl = z
  .string()
  .trim()
  .max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`)
  .transform((text, context): string => {
    const address = readSiteUrl(text)
    if (address !== null) return address
    context.addIssue({
      code: 'custom',
      message: 'must be a URL like https://example.com or https://example.com/blog',
    })
    return z.NEVER
  })

const whole = (min: number, max: number) =>
  z.int('must be a whole number').min(min, `must be ${min} or more`).max(max, `must be ${max} or less`)

/** Only the members sent change; lists are replaced whole. */
export const updateSettingsInput = z.strictObject({
  title: oneLine({ min: 0, max: MAX_TITLE_LENGTH }).optional(),
  tagline: oneLine({ min: 0, max: MAX_TAGLINE_LENGTH }).optional(),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    .optional(),
  url: siteUrl.nullable().optional(),
  locale: locale.optional(),
  locales: z
    .array(locale)
    .min(1, 'must have at least one language')
    .max(MAX_LOCALES, `must have at most ${MAX_LOCALES} languages`)
    .superRefine(refuseRepeated)
    .optional(),
  logoId: z.uuid('must be the ID of a media file').nullable().optional(),
  socialImageId: z.uuid('must be the ID of a media file').nullable().optional(),
  revisionLimit: whole(0, MAX_REVISION_LIMIT).optional(),
  trashDays: whole(1, MAX_TRASH_DAYS).nullable().optional(),
  imageSizes: z
    .array(whole(MIN_IMAGE_SIZE, MAX_IMAGE_SIZE))
    .min(1, 'must have at least one size')
    .max(MAX_IMAGE_SIZES, `must have at most ${MAX_IMAGE_SIZES} sizes`)
    .superRefine(refuseRepeated)
    .transform((sizes) => sizes.toSorted((a, b) => a - b))
    .optional(),
  deliveryRatePerMinute: whole(1, MAX_DELIVERY_RATE).nullable().optional(),
  stripLocation: z.boolean('must be true or false').optional(),
  timezone: timezone.optional(),
  version: z.int().min(1).optional(),
})
export type UpdateSettingsInput = z.infer<typeof updateSettingsInput>

/** What is wrong with settings that are right one by one. Names the member that was sent. */
export const settingsProblems = (next: SettingsMembers, input: UpdateSettingsInput): FieldProblem[] => {
  if (next.locales.includes(next.locale)) return []
  if (input.locale !== undefined) return [{ key: 'locale', message: `must be one of ${next.locales.join(', ')}` }]
  return [{ key: 'locales', message: `must include the default language, ${next.locale}` }]
}

const readSiteUrl = (text: string): string | null => {
  // The parser would silently repair what has spaces, backslashes or missing slashes.
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text) || !URL.canParse(text)) return null
  const { username, password, origin, pathname } = new URL(text)
  return username === '' && password === '' ? origin + pathname.replace(/\/+$/, '') : null
}

function refuseRepeated(items: readonly (string | number)[], context: z.RefinementCtx): void {
  for (const [index, item] of items.entries())
    if (items.indexOf(item) < index)
      context.addIssue({ code: 'custom', path: [index], message: `must not contain ${item} twice` })
}
