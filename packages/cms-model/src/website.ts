import { z } from 'zod'
import { isObjectMember, typeName } from './fields/names.ts'
import { menuItems, menuName, menuUrl } from './menus.ts'
import { oneLine } from './one-line.ts'
import { selector } from './selectors.ts'
import type { SettingsMembers } from './settings.ts'
import { placeId, TITLE_KEY } from './visual.ts'

const MAX_PARTS = 100
const MAX_LINKS = 100
const MAX_FIELDS = 100

const label = oneLine({ min: 1, max: 200 })
const fields = <S extends z.ZodType<string, string>>(key: S) =>
  z.array(key).min(1, 'must have at least one field').max(MAX_FIELDS, `must have at most ${MAX_FIELDS} fields`)

const fieldKey = z
  .string()
  .refine(
    (key) => key === TITLE_KEY || (/^[a-z][a-zA-Z0-9]{0,62}$/.test(key) && !isObjectMember(key)),
    `must be a field key like "footerText", or "${TITLE_KEY}"`,
  )

const settingKeys = [
  'title',
  'tagline',
  'description',
  'url',
  'locale',
  'locales',
  'logoId',
  'socialImageId',
] as const satisfies (keyof SettingsMembers)[]
const settingKey = z.enum(settingKeys, `must be one of ${settingKeys.join(', ')}`)

const menuSource = z.strictObject({
  kind: z.literal('menu'),
  name: menuName,
  label,
  /** The links shown, and offered to the editor, while nobody has made the menu. */
  defaults: z
    .array(
      z.strictObject({
        label,
        url: z.string().refine((url) => menuUrl(url) !== null, 'must be a URL, or start with / or #'),
      }),
    )
    .max(MAX_LINKS, `must have at most ${MAX_LINKS} links`)
    .default([]),
})
const entrySource = z.strictObject({ kind: z.literal('entry'), type: typeName, fields: fields(fieldKey) })
const settingsSource = z.strictObject({ kind: z.literal('settings'), fields: fields(settingKey) })

const source = z.discriminatedUnion('kind', [menuSource, entrySource, settingsSource], {
  error: (issue) => (issue.code === 'invalid_union' ? 'must be one of menu, entry, settings' : undefined),
})
export type PartSource = z.infer<typeof source>

const part = z.strictObject({
  id: placeId,
  label,
  description: z.string().trim().max(500, 'must have at most 500 characters').default(''),
  selector,
  source,
})
export type WebsitePart = z.infer<typeof part>

/** What every page of the website shares, and where its content lives. */
export const websiteManifest = z.strictObject({
  /** The page on which the parts are edited. */
  previewUrl: z
    .string()
    .max(2000, 'must have at most 2000 characters')
    .regex(/^\/(?![/\\])[^\s\\#]*$/, 'must be a path on the website like "/"'),
  parts: z
    .array(part)
    .max(MAX_PARTS, `must have at most ${MAX_PARTS} parts`)
    .superRefine((parts, context) => {
      for (const [index, { id }] of parts.entries())
        if (parts.findIndex((other) => other.id === id) < index)
          context.addIssue({
            code: 'custom',
            path: [index, 'id'],
            message: 'is already the ID of another part; give each part its own ID',
          })
    }),
})
export type WebsiteManifest = z.infer<typeof websiteManifest>

const canEdit = z.boolean()
const values = z.record(z.string(), z.unknown())

const menuState = z.object({
  name: z.string(),
  label: z.string(),
  /** False: the items are the declared ones, and the first save makes the menu. */
  exists: z.boolean(),
  version: z.int().nullable(),
  items: menuItems,
  /** Items without children: what the shared editor can show. */
  flat: z.boolean(),
  canEdit,
})
const entryState = z.object({
  type: z.string(),
  /** Null while the type or its entry is missing. */
  entryId: z.uuid().nullable(),
  version: z.int().nullable(),
  status: z.enum(['draft', 'published']).nullable(),
  /** Saved changes that are not public yet. */
  pending: z.boolean(),
  values,
  /** What is missing, if anything: the page shows its own fallback. */
  missing: z.enum(['type', 'entry']).nullable(),
  canEdit,
})
const settingsState = z.object({ values, version: z.int(), canEdit })

const partBase = { id: z.string(), label: z.string(), description: z.string(), selector: z.string() }

/** Each part with what its source holds now. */
export const websiteState = z.object({
  previewUrl: z.string().nullable(),
  parts: z.array(
    z.union([
      z.object({ ...partBase, source: menuSource, state: menuState }),
      z.object({ ...partBase, source: entrySource, state: entryState }),
      z.object({ ...partBase, source: settingsSource, state: settingsState }),
    ]),
  ),
})
export type WebsiteState = z.infer<typeof websiteState>
export type PartState = WebsiteState['parts'][number]
