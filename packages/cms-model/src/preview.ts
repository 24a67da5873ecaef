import { z } from 'zod'
import { updateEntryInput } from './entries.ts'
import { moment } from './moments.ts'

/** A preview link works for an hour. */
export const PREVIEW_SECONDS = 3600

/** What is kept of unsaved changes, all previews together; the least recently opened ones make room. */
export const MAX_SNAPSHOTS = 100
export const MAX_SNAPSHOTS_BYTES = 16 * 1_048_576
/** UTF-8 bytes of one snapshot's JSON. */
export const MAX_SNAPSHOT_BYTES = 1_048_576

/** The query parameter that makes a website show a preview. */
export const PREVIEW_PARAMETER = 'preview'
/** Beside it, and only there: the page is to be edited. */
const VISUAL_PARAMETER = 'visual'

/** Unsaved changes to show; nothing of them, and the link shows the entry as it is saved when the link is opened. */
export const previewInput = updateEntryInput
  .pick({ title: true, slug: true, data: true })
  .extend({
    /** The token of an earlier preview of the entry, which ends: an editor that shows each keystroke needs one at a time. */
    replaces: z.string().max(200).optional(),
  })
  .prefault({})
export type PreviewInput = z.infer<typeof previewInput>

export const previewLink = z.object({
  token: z.string(),
  expiresAt: moment,
  /** The page of the website that shows the preview; null when the type has no address template. */
  url: z.string().nullable(),
  /** The page without the preview. */
  siteUrl: z.string().nullable(),
})
export type PreviewLink = z.infer<typeof previewLink>

/** The page's address with the token, and all else of the address as it was. */
export const withPreviewToken = (siteUrl: string, token: string): string =>
  withParameters(siteUrl, `${PREVIEW_PARAMETER}=${encodeURIComponent(token)}`)

/** `withPreviewToken` for editing on the page: the website adds the attributes by which the editor finds its sections. */
export const withVisualToken = (siteUrl: string, token: string): string =>
  withParameters(siteUrl, `${PREVIEW_PARAMETER}=${encodeURIComponent(token)}&${VISUAL_PARAMETER}=1`)

const withParameters = (address: string, parameters: string): string => {
  const [page = '', ...fragment] = address.split('#')
  const separator = page.includes('?') ? '&' : '?'
  const hash = fragment.length > 0 ? `#${fragment.join('#')}` : ''
  return `${page}${separator}${parameters}${hash}`
}
