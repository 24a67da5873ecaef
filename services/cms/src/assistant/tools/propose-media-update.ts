import { isSameJson } from '@stoa/cms-model/entry-diff.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { z } from 'zod'
import type { DraftRequest } from './draft.ts'
import { readMedia } from './proposed-records.ts'
import { baseVersion, changeOf, given, proposed, realChanges, reason, refuseMember, rehearse } from './proposing.ts'
import { type Reach, tool } from './tool.ts'

const ROUTE = '/api/media/:id'

const item = z.strictObject({
  id: z.string(),
  alt: z.string().optional(),
  caption: z.string().optional(),
  folder: z.string().optional(),
})
type Item = z.infer<typeof item>

const LABELS = { alt: 'Alt text', caption: 'Caption', folder: 'Folder' } as const
type Text = keyof typeof LABELS
const TEXTS = Object.keys(LABELS) as Text[]

export const proposeMediaUpdate = tool({
  name: 'propose_media_update',
  kind: 'propose',
  permission: 'media.manage',
  description: 'Alt text, caption, folder of uploaded files.',
  input: z.strictObject({ items: z.array(item).min(1).max(25), reason }),
  label: ({ items }) => (items.length === 1 ? 'Preparing a file' : `Preparing ${items.length} files`),
  run: async (reach, { items, reason: why }) => {
    const files = await rehearseFiles(reach, items)
    const [first] = files
    const isOne = files.length === 1
    const label = isOne && first ? first.before.filename : `${files.length} files`
    const changes = files.flatMap(({ before, after, changed }, index) =>
      changed.map((member) =>
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

type File = { before: MediaRecord; after: MediaRecord; changed: Text[]; request: DraftRequest }

/** Rehearses each file, and returns those that would change. */
const rehearseFiles = async (reach: Reach, items: readonly Item[]): Promise<File[]> => {
  const files: File[] = []
  for (const [index, each] of items.entries()) {
    if (items.findIndex(({ id }) => id === each.id) < index) refuseMember(`items.${index}.id`, 'is given twice')
    files.push(await rehearseFile(reach, each))
  }
  return files.filter(({ changed }) => changed.length > 0)
}

const rehearseFile = async (reach: Reach, { id, ...texts }: Item): Promise<File> => {
  const before = await readMedia(reach, id)
  const params = { id }
  const after = await rehearse<MediaRecord>(reach, { method: 'PUT', path: ROUTE, params, body: given(texts) })
  const changed = TEXTS.filter((member) => texts[member] !== undefined && !isSameJson(before[member], after[member]))
  const version = baseVersion(reach, 'media', id, before.version)
  const request: DraftRequest = {
    method: 'PUT',
    route: ROUTE,
    params,
    body: Object.fromEntries(changed.map((member) => [member, after[member]])),
    version,
    record: { kind: 'media', id },
    isBehind: version !== before.version,
  }
  return { before, after, changed, request }
}
