import { type FieldAssistantInput, MAX_FIELD_TEXT } from '@stoa/cms-model/assistant.ts'
import { searchTextOf } from '@stoa/cms-model/fields/values.ts'
import { isRaster } from '@stoa/cms-model/media.ts'
import { canonicalLocale } from '@stoa/cms-model/settings.ts'
import { getEntry } from '../../content/entries/entries.ts'
import { getMedia, readPreviewJpeg } from '../../content/media/media.ts'
import { readSettings } from '../../content/settings/settings.ts'
import { requireType } from '../../content/types/types.ts'
import type { Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { Picture } from '../providers/providers.ts'
import type { Subject } from './input.ts'

/** What the model reads besides the field itself. */
export type Material = {
  readonly locale: string
  readonly around: string
  readonly picture: Picture | null
}

/** More pixels cost tokens and show no more. */
const MAX_SIDE = 1_024

/** Reads entry and picture with the rights of the caller. */
export const readMaterial = async (ctx: Ctx, input: FieldAssistantInput, subject: Subject): Promise<Material> => {
  const entry = input.entryId === undefined ? null : await getEntry(ctx, input.entryId)
  const { locale } = entry ?? (await readSettings(ctx.db))
  const wanted = input.action === 'alt' && input.targetLocale ? canonicalLocale(input.targetLocale) : null
  const isAbout = entry !== null && (subject.content === '' || subject.kind === 'select')
  return {
    locale: wanted ?? locale,
    around: isAbout ? await textOf(ctx, entry) : subject.around,
    picture: input.action === 'alt' && input.mediaId ? await readPicture(ctx, input.mediaId) : null,
  }
}

const textOf = async (ctx: Ctx, { type, title, data }: Awaited<ReturnType<typeof getEntry>>): Promise<string> => {
  const { fields } = await requireType(ctx.db, type)
  return `${title}\n\n${searchTextOf(fields, data, 'all')}`.slice(0, MAX_FIELD_TEXT)
}

const readPicture = async (ctx: Ctx, mediaId: string): Promise<Picture> => {
  const media = await getMedia(ctx, mediaId)
  const bytes = isRaster(media.mimeType) ? await readPreviewJpeg(ctx, media, MAX_SIDE) : null
  if (bytes === null)
    return failFields([{ key: 'mediaId', message: 'must be a readable JPEG, PNG, GIF, WebP or AVIF image' }])
  return { mime: 'image/jpeg', bytes }
}
