import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { z } from 'zod'
import type { DraftRequest } from './draft.ts'
import { readMedia } from './proposed-records.ts'
import { baseVersion, changeOf, given, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { type Reach, tool } from './tool.ts'

const ROUTE = '/api/media/:id'

const item = z.strictObject({
  id: z.string(),
  alt: z.string().optional(),
  caption: z.string().optional(),
  folder: z.string().optional(),
})

const LABELS = { alt: 'Alt text', caption: 'Caption', folder: 'Folder' } as const
type Text = keyof typeof LABELS

export const proposeMediaUpdate = tool({
  name: 'propose_media_update',
  kind: 'propose',
  permission: 'media.manage',
  description: 'Alt text, caption, folder of uploaded files.',
  input: z.strictObject({ items: z.array(item).min(1).max(25), reason }),
  label: ({ items }) => (items.length === 1 ? 'Preparing a file' : `Preparing ${items.length} files`),
  run: async (reach, { items, reason: why }) => {
    const files = []
    for (const each of items) files.push(await rehearseFile(reach, each))
    const [first] = files
    const isOne = files.length === 1
    const label = isOne && first ? first.before.filename : `${files.length} files`
    const changes = files.flatMap(({ before, after, sent }, index) =>
      (Object.keys(LABELS) as Text[])
        .filter((member) => Object.hasOwn(sent, member))
        .map((member) =>
          changeOf({
            path: isOne ? member : `${index}.${member}`,
            label: isOne ? LABELS[member] : `${before.filename}: ${LABELS[member]}`,
            before: before[member],
            after: after[member],
          }),
        ),
    )
    return proposed({
      title: `Update ${isOne ? `“${label}”` : label}`,
      reason: why,
      risk: 'edit',
      verb: 'Apply',
      permission: 'media.manage',
      target: { kind: 'media', id: isOne && first ? first.before.id : null, label, screen: 'media' },
      changes: realChanges(changes),
      requests: files.map(({ request }) => request),
      base:
        isOne && first
          ? { kind: 'media', id: first.before.id, version: first.request.version }
          : { kind: 'media', id: null, version: null },
      anchors: null,
    })
  },
})

type File = { before: MediaRecord; after: MediaRecord; sent: DraftRequest['body'] & object; request: DraftRequest }

const rehearseFile = async (reach: Reach, { id, ...texts }: z.infer<typeof item>): Promise<File> => {
  const before = await readMedia(reach, id)
  const body = given(texts)
  const after = await rehearse<MediaRecord>(reach, { method: 'PUT', path: ROUTE, params: { id }, body })
  const version = baseVersion(reach, 'media', id, before.version)
  const request = { method: 'PUT', route: ROUTE, params: { id }, body, version, record: { kind: 'media', id } } as const
  return { before, after, sent: body, request }
}
