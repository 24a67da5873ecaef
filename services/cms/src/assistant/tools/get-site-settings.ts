import type { List } from '@stoa/cms-model/lists.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { nothing } from './inputs.ts'
import { read, result } from './reading.ts'
import { type Reach, tool } from './tool.ts'

export const getSiteSettings = tool({
  name: 'get_site_settings',
  kind: 'read',
  permission: 'content.read',
  description: 'Title, tagline, description, logo, social image.',
  input: nothing,
  label: () => 'Reading site settings',
  async run(reach) {
    const settings = await read<Settings>(reach, '/api/settings')
    reach.wasRead('settings', 'settings', settings.version)
    const { title, tagline, description, logoId, socialImageId, version } = settings
    const pictures = await readPictures(reach, [logoId, socialImageId])
    const picture = (id: string | null) => (id === null ? null : (pictures.get(id) ?? null))
    return result(
      { title, tagline, description, logo: picture(logoId), socialImage: picture(socialImageId), version },
      title || 'No title yet',
    )
  },
})

const readPictures = async (reach: Reach, ids: readonly (string | null)[]) => {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map<string, { id: string; url: string }>()
  const { items } = await read<List<MediaRecord>>(reach, '/api/media', { query: { ids: wanted.join(',') } })
  return new Map(items.map(({ id, url }) => [id, { id, url }]))
}
