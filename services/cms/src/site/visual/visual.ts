import { PREVIEW_PARAMETER, withVisualToken } from '@stoa/cms-model/preview.ts'
import type { VisualPage, VisualPageInput } from '@stoa/cms-model/visual.ts'
import { readSettings } from '../../content/settings/settings.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { pageOfPreview } from '../preview/preview.ts'

/** A page of the website for the editor: of an entry as a preview link shows it, or the one with the shared parts. */
export const readPage = async (ctx: Ctx, input: VisualPageInput): Promise<VisualPage> => {
  const { id: accountId } = sessionOf(ctx).account
  if ('site' in input) return ctx.pages.read(await siteAddress(ctx), accountId)
  const { token } = input
  const address = (await pageOfPreview(ctx, input)) ?? fail('INVALID_STATE', { message: NO_TEMPLATE })
  const { html, url } = await ctx.pages.read(withVisualToken(address, token), accountId)
  // A redirect may have dropped the parameters. Who opens the address again must see the same.
  const isPreview = new URL(url).searchParams.get(PREVIEW_PARAMETER) === token
  return { html, url: isPreview ? url : withVisualToken(url, token) }
}

const NO_TEMPLATE = 'Entries of this type have no page. Set a preview URL for the type first.'

const siteAddress = async ({ host, db, config }: Ctx): Promise<string> => {
  const { website } = host
  if (website === null)
    return fail('INVALID_STATE', { message: "The website doesn't declare a page with shared parts" })
  const { url } = await readSettings(db)
  return (url ?? config.publicUrl).replace(/\/+$/, '') + website.previewUrl
}
