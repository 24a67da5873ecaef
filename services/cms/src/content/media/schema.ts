import type { MediaObject, MediaRecord } from '@stoa/cms-model/media.ts'
import { mediaPath } from '@stoa/cms-model/media.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Described, StoredMedia } from './queries.ts'

export const idParams = z.object({ id: z.uuid() })
export const fileParams = z.object({
  id: z.uuid(),
  hash: z.string().regex(/^[0-9a-f]{8}$/),
  // PostgreSQL has no text with this character.
  filename: z
    .string()
    .min(1)
    .max(300)
    .refine((name) => !name.includes('\u0000')),
})
export const deleteQuery = z.strictObject({
  /** Deletes the file even if it is in use. */
  force: z
    .enum(['1', 'true', '0', 'false'])
    .transform((text) => text === '1' || text === 'true')
    .optional(),
})

/** Where the public finds a file. */
export const mediaUrl = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  media: Pick<StoredMedia, 'id' | 'hash' | 'filename'>,
): string => publicUrl + mediaPath(media)

export const objectJson = (config: Pick<Config, 'publicUrl'>, media: Described): MediaObject => ({
  id: media.id,
  url: mediaUrl(config, media),
  filename: media.filename,
  mimeType: media.mimeType,
  size: media.size,
  width: media.width,
  height: media.height,
  alt: media.alt,
  caption: media.caption,
  focalX: media.focalX,
  focalY: media.focalY,
})

export const mediaJson = (config: Pick<Config, 'publicUrl'>, media: StoredMedia): MediaRecord => ({
  ...objectJson(config, media),
  decorative: media.decorative,
  folder: media.folder,
  hash: media.hash,
  usage: { count: media.usageCount },
  version: media.version,
  createdAt: media.createdAt.toISOString(),
  createdBy: media.createdBy,
  updatedAt: media.updatedAt.toISOString(),
})
