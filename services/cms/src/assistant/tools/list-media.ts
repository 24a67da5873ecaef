import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { z } from 'zod'
import { cleanText } from './clean.ts'
import { paging } from './inputs.ts'
import { countedOf, readRows, result } from './reading.ts'
import { tool } from './tool.ts'

export const listMedia = tool({
  name: 'list_media',
  kind: 'read',
  permission: 'content.read',
  description: 'Files by filename, alt text, caption or folder.',
  input: z.strictObject({
    query: z.string().optional(),
    folder: z.string().optional(),
    missingAlt: z.boolean().optional(),
    ...paging,
  }),
  label: () => 'Reading the media library',
  async run(reach, { query, folder, missingAlt, limit, offset }) {
    const asked = { q: query, folder, missingAlt: missingAlt || undefined }
    const found = await readRows<MediaRecord>(reach, '/api/media', { query: asked, limit, offset })
    const media = found.rows.map((file) => {
      reach.wasRead('media', file.id, file.version)
      return {
        id: file.id,
        filename: file.filename,
        alt: file.alt,
        caption: file.caption,
        folder: file.folder,
        mime: file.mimeType,
        width: file.width,
        height: file.height,
        bytes: file.size,
        // The address spells out the name, also what of it nobody sees.
        url: cleanText(file.filename).text === file.filename ? file.url : null,
        usedBy: file.usage.count,
      }
    })
    return result({ total: found.total, nextOffset: found.nextOffset, media }, countedOf(found, 'file'))
  },
})
