import { z } from 'zod'
import { givenIds, listOf, listQuery, searchText, sortBy } from './lists.ts'
import { givenMoment, moment } from './moments.ts'
import { oneLine } from './one-line.ts'
import { postStatuses } from './social.ts'

const MAX_ALT_LENGTH = 1000
const MAX_CAPTION_LENGTH = 2000
const MAX_FOLDER_LENGTH = 200
const MAX_FOLDER_DEPTH = 10
/** A file name travels in addresses and on disks: 255 bytes are the limit of most of them. */
const MAX_FILENAME_BYTES = 180

/** Whatever a file can be; decided by its content, never by its name. */
export const mediaTypes = {
  'image/jpeg': { group: 'image', extensions: ['jpg', 'jpeg'], isRaster: true },
  'image/png': { group: 'image', extensions: ['png'], isRaster: true },
  'image/gif': { group: 'image', extensions: ['gif'], isRaster: true },
  'image/webp': { group: 'image', extensions: ['webp'], isRaster: true },
  'image/avif': { group: 'image', extensions: ['avif'], isRaster: true },
  'image/svg+xml': { group: 'image', extensions: ['svg'], isRaster: false },
  'video/mp4': { group: 'video', extensions: ['mp4', 'm4v'], isRaster: false },
  'video/webm': { group: 'video', extensions: ['webm'], isRaster: false },
  'video/quicktime': { group: 'video', extensions: ['mov', 'qt'], isRaster: false },
  'audio/mpeg': { group: 'audio', extensions: ['mp3'], isRaster: false },
  'application/pdf': { group: 'document', extensions: ['pdf'], isRaster: false },
} as const satisfies Record<
  string,
  { group: MediaGroup; extensions: readonly [string, ...string[]]; isRaster: boolean }
>
export type MediaType = keyof typeof mediaTypes

export const mediaGroups = ['image', 'video', 'audio', 'document'] as const
export type MediaGroup = (typeof mediaGroups)[number]

export const isMediaType = (mimeType: string): mimeType is MediaType => Object.hasOwn(mediaTypes, mimeType)

/** Pictures made of pixels: shown in place, and made smaller on request. */
export const isRaster = (mimeType: string): boolean => isMediaType(mimeType) && mediaTypes[mimeType].isRaster

/** The types of a group. */
export const typesOfGroup = (group: MediaGroup): MediaType[] =>
  Object.keys(mediaTypes)
    .filter(isMediaType)
    .filter((type) => mediaTypes[type].group === group)

const person = z.object({ id: z.uuid(), name: z.string() })

/** A file as delivery shows it wherever it is used. */
export const mediaObject = z.object({
  id: z.uuid(),
  url: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  size: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  alt: z.string(),
  caption: z.string(),
  focalX: z.number(),
  focalY: z.number(),
})
export type MediaObject = z.infer<typeof mediaObject>

/** A file of the media library. */
export const mediaRecord = mediaObject.extend({
  /** The image is decorative, so it needs no alternative text. */
  decorative: z.boolean(),
  folder: z.string(),
  /** SHA-256 of the content in hex. */
  hash: z.string(),
  usage: z.object({ count: z.int() }),
  version: z.int(),
  createdAt: moment,
  createdBy: person.nullable(),
  updatedAt: moment,
})
export type MediaRecord = z.infer<typeof mediaRecord>

const plainList = listOf(mediaRecord)

/** A list of files, with the size up to which the service takes one. */
export const mediaList = plainList.extend({ meta: plainList.shape.meta.extend({ maxUploadBytes: z.int() }) })
export type MediaList = z.infer<typeof mediaList>

/** Where a file is used: an entry, a member of the settings, a property of the design, or a post to social networks. */
export const mediaUse = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entry'),
    id: z.uuid(),
    type: z.string(),
    slug: z.string(),
    title: z.string(),
    status: z.enum(['draft', 'published']),
    /** What the public sees uses it, not only the working copy. */
    live: z.boolean(),
    deletedAt: moment.nullable(),
  }),
  z.object({ kind: z.literal('settings'), key: z.enum(['logoId', 'socialImageId']) }),
  z.object({
    kind: z.literal('design'),
    surface: z.string(),
    key: z.string(),
    surfaceLabel: z.string(),
    label: z.string(),
  }),
  z.object({ kind: z.literal('social'), id: z.string(), caption: z.string(), status: z.enum(postStatuses) }),
])
export type MediaUse = z.infer<typeof mediaUse>

export const mediaFolder = z.object({ folder: z.string(), count: z.int() })

/** A path such as `press/2026`; empty for files that are in none. */
export const folderName = z.string().transform((text, context): string => {
  const parts = text
    .normalize('NFC')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const folder = parts.join('/')
  const isPlain = parts.every((part) => !/^\.+$/.test(part)) && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]*$/u.test(folder)
  if (isPlain && folder.length <= MAX_FOLDER_LENGTH && parts.length <= MAX_FOLDER_DEPTH) return folder
  context.addIssue({
    code: 'custom',
    message: `must be names separated by /, up to ${MAX_FOLDER_DEPTH} levels and ${MAX_FOLDER_LENGTH} characters in total`,
  })
  return z.NEVER
})

const alt = oneLine({ min: 0, max: MAX_ALT_LENGTH })
const caption = z
  .string()
  .trim()
  .max(MAX_CAPTION_LENGTH, `must have at most ${MAX_CAPTION_LENGTH} characters`)
  .refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'must be text')
  // Browsers send the line breaks of forms as CRLF.
  .transform((text) => text.replaceAll('\r\n', '\n'))
const focal = z.number().min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1')

const written = {
  alt: alt.optional(),
  caption: caption.optional(),
  folder: folderName.optional(),
}

const yesOrNo = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')
const formNumber = z
  .string()
  .regex(/^(?:0|1|0?\.\d{1,6}|0\.\d{1,6}|1\.0{1,6})$/, 'must be a number from 0 to 1')
  .transform(Number)

/** Screen readers skip a decorative picture: a text would never be read, or contradict the mark. */
const refuseSilentText = (
  given: { alt?: string | undefined; decorative?: boolean | undefined },
  context: z.RefinementCtx,
) => {
  if (given.decorative === true && given.alt)
    context.addIssue({ code: 'custom', path: ['alt'], message: 'must be empty for a decorative image' })
}

/** What an upload says besides the file, as text members of the form. */
export const uploadFields = z
  .strictObject({
    ...written,
    decorative: yesOrNo.optional(),
    focalX: formNumber.optional(),
    focalY: formNumber.optional(),
  })
  .superRefine(refuseSilentText)
export type UploadFields = z.infer<typeof uploadFields>

export const replaceFields = z.strictObject({
  version: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number, 1 or more')
    .transform(Number)
    .optional(),
})

export const updateMediaInput = z
  .strictObject({
    ...written,
    /** Cleaned; the ending that its content asks for is added where it is missing. */
    filename: z.string().min(1, 'must not be empty').max(1000).optional(),
    /** Takes the alternative text away; a new text takes the mark away. */
    decorative: z.boolean().optional(),
    focalX: focal.optional(),
    focalY: focal.optional(),
    version: z.int().min(1).optional(),
  })
  .superRefine(refuseSilentText)
export type UpdateMediaInput = z.infer<typeof updateMediaInput>

const flag = z.enum(['1', 'true', '0', 'false']).transform((text) => text === '1' || text === 'true')

export const mediaSortKeys = ['createdAt', 'updatedAt', 'filename', 'size'] as const
export type MediaSortKey = (typeof mediaSortKeys)[number]

export const mediaQuery = listQuery({
  ids: givenIds.optional(),
  q: searchText.optional(),
  /** Exactly this folder; empty: files that are in none. */
  folder: folderName.optional(),
  type: z.enum(mediaGroups).optional(),
  unused: flag.optional(),
  missingAlt: flag.optional(),
  /** The account that uploaded it. */
  createdBy: z.uuid().optional(),
  /** Uploaded at this moment or later. */
  createdFrom: givenMoment.optional(),
  /** Uploaded earlier than this. */
  createdBefore: givenMoment.optional(),
  sort: sortBy(mediaSortKeys, '-createdAt'),
})
export type MediaQuery = z.infer<typeof mediaQuery>

export const renditionFits = ['cover', 'contain'] as const
export const renditionFormats = ['webp', 'avif', 'jpeg', 'png'] as const
export type RenditionFormat = (typeof renditionFormats)[number]
export const renditionQualities = ['50', '75', '90'] as const

const pixels = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be one of the image sizes in the settings')
  .transform(Number)

/** The query of a file's address: nothing for the original, or the picture that is wanted. */
export const renditionQuery = z.strictObject({
  w: pixels.optional(),
  h: pixels.optional(),
  fit: z.enum(renditionFits).optional(),
  fm: z.enum(renditionFormats).optional(),
  q: z.enum(renditionQualities).optional(),
})
export type RenditionQuery = z.infer<typeof renditionQuery>

/** The length of the hash in a file's URL. */
export const HASH_LENGTH = 8

/** Where the public finds a file: a new content has a new address. */
export const mediaPath = ({ id, hash, filename }: { id: string; hash: string; filename: string }): string =>
  `/media/${id}/${hash.slice(0, HASH_LENGTH)}/${encodeURIComponent(filename)}`

/**
 * The name under which a file of this type is kept: the last part of what was given, without anything that means more to
 * a disk, an address or a reader than its letters, with an ending of the type.
 */
export const cleanFilename = (given: string, mimeType: MediaType): string => {
  const { extensions } = mediaTypes[mimeType]
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last
    // Controls, invisible characters, and those that turn the writing direction.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[\s:*?"<>|%#&+;=]+/gu, '-')
    .replace(/([-.])\1+/g, '$1')
    .replace(/^[-.~]+|[-.~]+$/g, '')
  const [, stem = plain, ending = ''] = /^(.+)\.([^.]{1,10})$/.exec(plain) ?? []
  const own = extensions.find((extension) => extension === ending.toLowerCase())
  const base = own || isKnownEnding(ending) ? stem : plain
  return `${shorten(safeStem(base))}.${own ?? extensions[0]}`
}

const isKnownEnding = (ending: string): boolean =>
  Object.values(mediaTypes).some(({ extensions }) => extensions.some((known) => known === ending.toLowerCase()))

/** Names that some systems keep for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const safeStem = (stem: string): string => {
  const trimmed = stem.replace(/^[-.~]+|[-.~]+$/g, '')
  if (trimmed === '') return 'file'
  return DEVICE.test(trimmed) ? `file-${trimmed}` : trimmed
}

const shorten = (stem: string): string => {
  const encoder = new TextEncoder()
  let bytes = 0
  let kept = ''
  for (const character of stem) {
    bytes += encoder.encode(character).length
    if (bytes > MAX_FILENAME_BYTES) break
    kept += character
  }
  return kept.replace(/[-.~]+$/, '')
}
