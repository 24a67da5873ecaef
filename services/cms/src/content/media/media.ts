import type { List, Page } from '@stoa/cms-model/lists.ts'
import { toList } from '@stoa/cms-model/lists.ts'
import {
  cleanFilename,
  isMediaType,
  type MediaObject,
  type MediaQuery,
  type MediaType,
  type MediaUse,
  mediaTypes,
  replaceFields,
  typesOfGroup,
  type UpdateMediaInput,
  type UploadFields,
  uploadFields,
} from '@stoa/cms-model/media.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Config } from '../../config.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { type ChangeRecord, recordChange } from '../../events/events.ts'
import { requirePermission } from '../../people/access/access.ts'
import { personOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion, wantedVersion } from '../../version-conflict.ts'
import { parseSearch } from '../search/search.ts'
import { readSettings } from '../settings/settings.ts'
import {
  type Described,
  deleteMediaRow,
  findLastEditor,
  findMedia,
  insertFormerAddress,
  insertMedia,
  listDescribed,
  lockMedia,
  type MediaMembers,
  type StoredMedia,
  updateContent,
  updateMediaRow,
} from './queries.ts'
import { listDesignUses, listEntryUses, listFolderRows, listMediaRows, listSocialUses } from './queries-list.ts'
import { mediaUrl, objectJson } from './schema.ts'
import { FILE_MEMBER, type ReceivedFile, receiveFile } from './upload.ts'

export { readPreviewJpeg } from './renditions.ts'
export { sendFile } from './serve.ts'
export { readVideoFacts } from './video-facts.ts'
export { type Described, mediaUrl, objectJson, type ReceivedFile, type StoredMedia }

/** The files of these ids as delivery shows them; those that are gone are not in it. One statement. */
export const readMediaObjects = async (
  db: CmsDb,
  config: Pick<Config, 'publicUrl'>,
  ids: readonly string[],
): Promise<Map<string, MediaObject>> => {
  if (ids.length === 0) return new Map()
  const found = await listDescribed(db, [...new Set(ids)])
  return new Map(found.map((media) => [media.id, objectJson(config, media)]))
}

/** The addresses of the files of these ids; those that are gone are not in it. One statement. */
export const mediaUrls = async (
  db: CmsDb,
  config: Pick<Config, 'publicUrl'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> => {
  const wanted = ids.filter((id) => id !== null)
  const found = await readMediaObjects(db, config, wanted)
  return new Map([...found].map(([id, { url }]) => [id, url]))
}

export const listMedia = async (ctx: Ctx, query: MediaQuery): Promise<List<StoredMedia>> => {
  const { media, total } = await listMediaRows(ctx.db, {
    page: query.page,
    limit: query.limit,
    ids: query.ids,
    parts: query.q ? await partsOf(ctx.db, query.q) : [],
    folder: query.folder,
    types: query.type === undefined ? null : typesOfGroup(query.type),
    isUnused: query.unused === true,
    lacksAlt: query.missingAlt === true,
    createdBy: query.createdBy,
    createdFrom: query.createdFrom,
    createdBefore: query.createdBefore,
    sort: query.sort,
  })
  return toList(media, total, query)
}

/** Every word that was typed, wherever it is. */
const partsOf = async (db: CmsDb, q: string): Promise<string[]> => {
  const { plain } = await parseSearch(db, q)
  const words = plain.split(/\s+/).filter((word) => word !== '')
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

export const listFolders = async (ctx: Ctx, page: Page): Promise<List<{ folder: string; count: number }>> => {
  const { folders, total } = await listFolderRows(ctx.db, page)
  return toList(folders, total, page)
}

export const getMedia = async (ctx: Ctx, id: string): Promise<StoredMedia> =>
  (await findMedia(ctx.db, id)) ?? fail('NOT_FOUND')

/** Where a file is used: settings, design and social posts first, then entries. */
export const listUses = async (ctx: Ctx, id: string, page: Page): Promise<List<MediaUse>> => {
  await getMedia(ctx, id)
  const inSite = [
    ...(await settingsUses(ctx.db, id)),
    ...(await designUses(ctx, id)),
    ...(await socialUses(ctx.db, id)),
  ]
  const skipped = (page.page - 1) * page.limit
  const shown = inSite.slice(skipped, skipped + page.limit)
  const { uses, total } = await listEntryUses(ctx.db, id, {
    limit: page.limit - shown.length,
    offset: Math.max(0, skipped - inSite.length),
  })
  const entries = uses.map(
    (use): MediaUse => ({ kind: 'entry', ...use, deletedAt: use.deletedAt?.toISOString() ?? null }),
  )
  return toList([...shown, ...entries], inSite.length + total, page)
}

const settingsUses = async (db: CmsDb, id: string): Promise<MediaUse[]> => {
  const settings = await readSettings(db)
  const keys = (['logoId', 'socialImageId'] as const).filter((key) => settings[key] === id)
  return keys.map((key) => ({ kind: 'settings', key }))
}

const socialUses = async (db: CmsDb, id: string): Promise<MediaUse[]> =>
  (await listSocialUses(db, id)).map((use): MediaUse => ({ kind: 'social', ...use }))

/** Also of properties that the host does not declare any more: what was set counts again when it does. */
const designUses = async ({ db, host }: Ctx, id: string): Promise<MediaUse[]> => {
  const uses = await listDesignUses(db, id)
  return uses.map(({ surface, key }): MediaUse => {
    const declared = host.design?.surfaces.find((each) => each.id === surface)
    const property = declared?.properties.find((each) => each.key === key)
    return { kind: 'design', surface, key, surfaceLabel: declared?.label ?? surface, label: property?.label ?? key }
  })
}

export const uploadMedia = async (ctx: Ctx, request: Incoming): Promise<StoredMedia> => {
  const { file, fields } = await receiveFile(ctx, request, { fields: uploadFields })
  return addMedia(ctx, file, fields)
}

/** A file that the store has already becomes one of the library. */
export const addMedia = (ctx: Ctx, file: ReceivedFile, fields: UploadFields): Promise<StoredMedia> =>
  ctx.tx(async (tx) => {
    const id = newId()
    await insertMedia(
      tx,
      {
        id,
        ...file,
        alt: fields.alt ?? '',
        caption: fields.caption ?? '',
        folder: fields.folder ?? '',
        decorative: fields.decorative ?? false,
        focalX: rounded(fields.focalX ?? CENTRE),
        focalY: rounded(fields.focalY ?? CENTRE),
      },
      changeOf(ctx),
    )
    const created = await written(tx, id)
    // A new file is not public until something uses it.
    await recordChange(ctx, tx, {
      ...activityOf('media.created', created),
      events: [event(ctx, 'media.created', created, { isPublic: false })],
    })
    return created
  })

const CENTRE = 0.5

/** Changes the members sent. */
export const updateMedia = (
  ctx: Ctx,
  id: string,
  { version: _version, ...input }: UpdateMediaInput,
  wanted: WantedVersion,
): Promise<StoredMedia> =>
  ctx.tx(async (tx) => {
    const present = await openFile(ctx, tx, id, wanted)
    const next: MediaMembers = { ...membersOf(present), ...sentOf(input) }
    if (input.filename !== undefined) next.filename = cleanFilename(input.filename, typeOf(present))
    const changed = memberNames.filter((name) => next[name] !== present[name])
    if (changed.length === 0) return present
    if (next.filename !== present.filename) await insertFormerAddress(tx, present)
    await updateMediaRow(tx, id, next, changeOf(ctx))
    const saved = await written(tx, id)
    await recordChange(ctx, tx, {
      ...activityOf('media.updated', saved),
      changed,
      events: [event(ctx, 'media.updated', saved, { isPublic: true, before: present })],
    })
    return saved
  })

/** Gives a file other content of the same kind: it stays what everything points at, under a new address. */
export const replaceMedia = async (ctx: Ctx, id: string, request: Incoming): Promise<StoredMedia> => {
  const before = await getMedia(ctx, id)
  requireFile(ctx, before)
  const { file, fields } = await receiveFile(ctx, request, {
    fields: replaceFields,
    allow: (type) => refuseOtherKind(before, type),
    check: async ({ version }) =>
      refuseOtherVersion(wantedVersion(request, version), await getMedia(ctx, id), () => findLastEditor(ctx.db, id)),
  })
  return ctx.tx(async (tx) => {
    const present = await openFile(ctx, tx, id, wantedVersion(request, fields.version))
    refuseOtherKind(present, file.mimeType)
    if (present.blobKey === file.blobKey) return present
    // The name that people know stays; its extension follows the new content.
    const filename = cleanFilename(present.filename, file.mimeType)
    await insertFormerAddress(tx, present)
    await updateContent(tx, id, { ...file, filename }, changeOf(ctx))
    const saved = await written(tx, id)
    await recordChange(ctx, tx, {
      ...activityOf('media.updated', saved),
      changed: ['file'],
      events: [event(ctx, 'media.updated', saved, { isPublic: true, before: present })],
    })
    return saved
  })
}

/** Fields say which kinds of files they take, so that a picture stays a picture. */
const refuseOtherKind = (present: StoredMedia, type: MediaType): void => {
  const { group } = mediaTypes[typeOf(present)]
  if (mediaTypes[type].group === group) return
  failFields([{ key: FILE_MEMBER, message: `must be ${group}, like the file it replaces` }])
}

/** Not recoverable. Fails with what uses the file, unless the caller has confirmed it. */
export const removeMedia = (
  ctx: Ctx,
  id: string,
  { wanted, force }: { wanted: WantedVersion; force: boolean },
): Promise<void> =>
  ctx.tx(async (tx) => {
    const present = await openFile(ctx, tx, id, wanted)
    if (!force && present.usageCount > 0) fail('MEDIA_IN_USE', { details: { usage: { count: present.usageCount } } })
    await deleteMediaRow(tx, id)
    await recordChange(ctx, tx, {
      ...activityOf('media.deleted', present),
      events: [event(ctx, 'media.deleted', present, { isPublic: true })],
    })
  })

const openFile = async (ctx: Ctx, tx: CmsTx, id: string, wanted: WantedVersion): Promise<StoredMedia> => {
  const present = (await lockMedia(tx, id)) ?? fail('NOT_FOUND')
  requireFile(ctx, present)
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, id))
  return present
}

const written = async (tx: CmsTx, id: string): Promise<StoredMedia> => {
  const saved = await findMedia(tx, id)
  if (!saved) throw new Error(`The file ${id} was written and is not there`)
  return saved
}

const memberNames = [
  'filename',
  'alt',
  'caption',
  'folder',
  'decorative',
  'focalX',
  'focalY',
] as const satisfies (keyof MediaMembers)[]

const membersOf = ({ filename, alt, caption, folder, decorative, focalX, focalY }: StoredMedia): MediaMembers => ({
  filename,
  alt,
  caption,
  folder,
  decorative,
  focalX,
  focalY,
})

const sentOf = (input: Omit<UpdateMediaInput, 'version'>): Partial<MediaMembers> => ({
  ...(input.decorative === true && { alt: '' }),
  ...(input.alt && { decorative: false }),
  ...(input.alt !== undefined && { alt: input.alt }),
  ...(input.caption !== undefined && { caption: input.caption }),
  ...(input.folder !== undefined && { folder: input.folder }),
  ...(input.decorative !== undefined && { decorative: input.decorative }),
  // Rounded to the precision in which they are stored.
  ...(input.focalX !== undefined && { focalX: rounded(input.focalX) }),
  ...(input.focalY !== undefined && { focalY: rounded(input.focalY) }),
})

const rounded = (focal: number): number => Math.round(focal * 1_000) / 1_000

const typeOf = ({ id, mimeType }: StoredMedia): MediaType => {
  if (isMediaType(mimeType)) return mimeType
  throw new Error(`The file ${id} has the unknown type ${mimeType}`)
}

const changeOf = (ctx: Ctx) => ({ at: ctx.now(), by: personOf(ctx)?.id ?? null })

const activityOf = (action: string, { id, filename }: StoredMedia): Pick<ChangeRecord, 'action' | 'target'> => ({
  action,
  target: { kind: 'media', id, label: filename },
})

const event = (
  { config }: Ctx,
  name: 'media.created' | 'media.updated' | 'media.deleted',
  media: StoredMedia,
  { isPublic, before }: { isPublic: boolean; before?: StoredMedia },
) => ({
  name,
  data: { id: media.id, title: media.filename, url: mediaUrl(config, media) },
  previous: before ? { url: mediaUrl(config, before) } : null,
  isPublic,
})

/** Refuses callers that may not change this file: an author reaches own ones only. */
const requireFile = (ctx: Ctx, { createdBy }: Pick<StoredMedia, 'createdBy'>): void => {
  if (requirePermission(ctx.principal, 'media.manage') === 'any') return
  if (createdBy !== null && createdBy.id === personOf(ctx)?.id) return
  fail('FORBIDDEN', {
    message: 'You can only change files that you uploaded',
    details: { permission: 'media.manage' },
  })
}
