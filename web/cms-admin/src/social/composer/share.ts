import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Entry } from '@stoa/cms-model/entries.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { type Draft, emptyDraft } from './draft.ts'

/** A field that is meant for it, before one that is a picture at all. */
const MEANT = /social|share|og|cover|hero|image|picture/i

/** A post about an entry: its title, where it is on the website, and the picture that it is shared with. */
export const shareOf = (
  entry: Pick<Entry, 'title' | 'url' | 'data'>,
  type: Pick<ContentType, 'fields'>,
  settings: Pick<Settings, 'url' | 'socialImageId'>,
  origin: string,
): Draft => {
  const mediaId = imageOf(entry, type) ?? settings.socialImageId
  return {
    ...emptyDraft,
    caption: entry.title,
    link: entry.url === null ? '' : new URL(entry.url, settings.url ?? origin).href,
    media: mediaId === null ? [] : [{ mediaId, alt: '', kind: 'image' }],
  }
}

const imageOf = ({ data }: Pick<Entry, 'data'>, { fields }: Pick<ContentType, 'fields'>): string | undefined => {
  const filled = fields.flatMap((field) => {
    const value = data[field.key]
    const isPicture =
      field.type === 'media' && (field.accept.length === 0 || field.accept.some((type) => type.startsWith('image/')))
    return isPicture && typeof value === 'string' ? [{ key: field.key, id: value }] : []
  })
  const social = filled.find(({ key }) => /social|share|^og/i.test(key))
  return (social ?? filled.find(({ key }) => MEANT.test(key)) ?? filled[0])?.id
}
