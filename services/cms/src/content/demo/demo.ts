import type { DemoResult } from '@stoa/cms-model/demo.ts'
import { updateSettingsInput } from '@stoa/cms-model/settings.ts'
import { AppError } from '@stoa/kit/errors.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { addMedia, type ReceivedFile, type StoredMedia } from '../media/media.ts'
import { readSettings, updateSettings } from '../settings/settings.ts'
import { createType, listAllTypes, lockTypes } from '../types/types.ts'
import { articles } from './content/articles.ts'
import { books } from './content/books.ts'
import { events } from './content/events.ts'
import { footer, home, pages } from './content/pages.ts'
import { people } from './content/people.ts'
import { menus, settings, taxonomies } from './content/site.ts'
import { types } from './content/types.ts'
import { drawPictures, type Picture, type PictureName } from './pictures/pictures.ts'
import { writeEntries, writeMenus, writeTaxonomies } from './write.ts'

type StoredPicture = Picture & { file: ReceivedFile }

/**
 * A small site as somebody could have made it by hand, with everything that follows from it: history, activity, events.
 * It is written in one transaction, so that it is there as a whole or not at all.
 */
export const makeDemo = async (ctx: Ctx): Promise<DemoResult> => {
  if (sessionOf(ctx).account.role !== 'owner') fail('FORBIDDEN', { message: 'Only an owner can add the demo content' })
  await refuseUsed(ctx.db)
  const pictures = await storePictures(ctx, await ctx.media.slots.run(drawPictures))
  const result = await ctx.tx(async (tx) => {
    // Serializes with others that create a type or a demo at this moment.
    await lockTypes(tx)
    await refuseUsed(tx)
    return writeSite(inside(ctx, tx), pictures).catch(refuseTakenNames)
  })
  ctx.log.info({ ...result }, 'demo content added')
  return result
}

const refuseUsed = async (db: CmsDb): Promise<void> => {
  if ((await listAllTypes(db)).length > 0)
    fail('ALREADY_SET_UP', {
      message: 'This site already has content types. The demo content can only be added to an empty site.',
    })
}

/** Someone who makes a menu before any content type has chosen a name that the demo brings. */
const refuseTakenNames = (raised: unknown): never => {
  if (!(raised instanceof AppError) || raised.code !== 'NAME_TAKEN') throw raised
  const names = [...taxonomies, ...menus].map(({ name }) => name).join(', ')
  return fail('NAME_TAKEN', {
    cause: raised,
    message: `The demo content includes the taxonomies and menus ${names}. Delete the ones that already exist.`,
  })
}

/** The bytes come before the rows that name them; what is left without rows is swept like an upload that was given up. */
const storePictures = async (ctx: Ctx, pictures: readonly Picture[]): Promise<StoredPicture[]> => {
  const blobs = await ctx.media.blobs()
  const stored: StoredPicture[] = []
  for (const picture of pictures) {
    const { bytes, filename, mimeType, width, height } = picture
    const { key, size } = await blobs.put(bytes, { maxBytes: bytes.length, contentType: mimeType })
    stored.push({ ...picture, file: { filename, blobKey: key, mimeType, size, width, height } })
  }
  return stored
}

/** Runs the ordinary operations inside the transaction that is open. */
const inside = (ctx: Ctx, tx: CmsTx): Ctx => ({ ...ctx, db: tx, tx: (run) => run(tx), now: oneByOne(ctx) })

/** More than the demo has steps. */
const LEAD_MS = 1_000

/** Each step is later than the one before by a millisecond at least, so that lists by time have an order. */
const oneByOne = (ctx: Ctx): (() => Date) => {
  let last = 0
  return () => {
    last = Math.max(ctx.now().getTime() - LEAD_MS, last + 1)
    return new Date(last)
  }
}

const writeSite = async (ctx: Ctx, pictures: readonly StoredPicture[]): Promise<DemoResult> => {
  for (const type of types) await createType(ctx, type)
  const media = await writeMedia(ctx, pictures)
  await writeSettings(ctx, media)
  const terms = await writeTaxonomies(ctx, taxonomies)
  const plans = [...people, ...books, ...articles, ...events, ...pages, home, footer]
  const entries = await writeEntries(ctx, plans, media)
  await writeMenus(ctx, menus, entries)
  return { types: types.length, entries: entries.size, media: media.size, terms, menus: menus.length }
}

/** Only what nobody has said yet. */
const writeSettings = async (ctx: Ctx, media: ReadonlyMap<PictureName, StoredMedia>): Promise<void> => {
  const present = await readSettings(ctx.db)
  const next = {
    title: present.title || settings.title,
    tagline: present.tagline || settings.tagline,
    description: present.description || settings.description,
    url: present.url ?? ctx.config.siteUrl,
    logoId: present.logoId ?? media.get('lantern')?.id,
    socialImageId: present.socialImageId ?? media.get('harbor-at-dawn')?.id,
  }
  await updateSettings(ctx, updateSettingsInput.parse(next), null)
}

const writeMedia = async (
  ctx: Ctx,
  pictures: readonly StoredPicture[],
): Promise<ReadonlyMap<PictureName, StoredMedia>> => {
  const media = new Map<PictureName, StoredMedia>()
  for (const { name, file, alt, caption, folder, focus } of pictures)
    media.set(name, await addMedia(ctx, file, { alt, caption, folder, focalX: focus.x, focalY: focus.y }))
  return media
}
