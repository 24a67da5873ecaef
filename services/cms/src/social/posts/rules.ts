import { countCaption } from '@stoa/cms-model/count-caption.ts'
import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import { isRaster } from '@stoa/cms-model/media.ts'
import type { TargetAccount } from '../accounts/accounts.ts'
import type { Draft, DraftMedia, Network, Option, Options } from '../networks/networks.ts'

/** What a person wrote, with what is known of the files. */
export type PostContent = {
  caption: string
  captions: Readonly<Record<string, string>>
  options: Readonly<Record<string, Options>>
  link: string | null
  media: readonly DraftMedia[]
}

/** The content for one account. */
export type TargetContent = { caption: string; link: string | null; options: Options }

export const contentFor = (content: PostContent, account: TargetAccount, { limits }: Network): TargetContent => {
  const text = own(content.captions, account.network) ?? content.caption
  const isAdded = content.link !== null && limits.link === 'caption' && !text.includes(content.link)
  return {
    caption: isAdded ? [text, content.link].filter((line) => line !== '').join('\n') : text,
    link: limits.link === 'field' ? content.link : null,
    options: { ...own(content.options, account.network), ...own(content.options, account.id) },
  }
}

/** Problems that concern every network. */
export const contentProblems = ({ caption, captions, media }: PostContent): FieldProblem[] => {
  const videos = media.filter(({ kind }) => kind === 'video').length
  const problems: FieldProblem[] = []
  if (media.length === 0 && caption.trim() === '' && Object.values(captions).every((text) => text.trim() === ''))
    problems.push({ key: 'caption', message: 'must not be empty, unless the post has media' })
  if (videos > 1) problems.push({ key: 'media', message: 'must have at most one video' })
  if (videos > 0 && videos < media.length)
    problems.push({ key: 'media', message: 'must be images or a video, not both' })
  return problems
}

/** Problems that concern this account's network. */
export const accountProblems = (content: PostContent, account: TargetAccount, network: Network): FieldProblem[] => {
  const { caption, link, options } = contentFor(content, account, network)
  const draft: Draft = { caption, link, media: content.media, options, capabilities: account.capabilities }
  const found = [
    ...captionProblems(draft, network),
    ...mediaProblems(draft, network),
    ...optionProblems(draft, network),
    ...(network.check?.(draft) ?? []),
  ]
  return found.map(({ key, message }) => ({
    key: shownKey(key, content, account),
    message: `${network.label}: ${message}`,
  }))
}

type Found = { key: string; message: string }

/** The member in which the person wrote it: a variant, or options of the account alone. */
const shownKey = (key: string, content: PostContent, { id, network }: TargetAccount): string => {
  if (key === 'caption') return Object.hasOwn(content.captions, network) ? `captions.${network}` : 'caption'
  if (!key.startsWith('options.')) return key
  const name = key.slice('options.'.length)
  return `options.${Object.hasOwn(own(content.options, id) ?? {}, name) ? id : network}.${name}`
}

const captionProblems = ({ caption, media, capabilities }: Draft, { limits }: Network): Found[] => {
  const hasPictures = media.some(({ kind }) => kind === 'image')
  const usual = hasPictures ? (limits.photoCaptionMax ?? limits.captionMax) : limits.captionMax
  const most = capabilities.captionMax ?? usual
  const { urlLength } = capabilities
  const length = countCaption(limits.captionCount, caption, urlLength === undefined ? {} : { urlLength })
  const hashtags = limits.hashtagsMax === undefined ? 0 : (caption.match(/(?:^|\s)#[\p{L}\p{N}_]+/gu)?.length ?? 0)
  return [
    ...(length > most
      ? [{ key: 'caption', message: `must have at most ${counted(most)} characters; it has ${counted(length)}` }]
      : []),
    ...(limits.hashtagsMax !== undefined && hashtags > limits.hashtagsMax
      ? [{ key: 'caption', message: `must have at most ${limits.hashtagsMax} hashtags; it has ${hashtags}` }]
      : []),
    ...(media.length === 0 && limits.textOnly && caption.trim() === ''
      ? [{ key: 'caption', message: 'must not be empty' }]
      : []),
  ]
}

const mediaProblems = (draft: Draft, { limits }: Network): Found[] => {
  const images = draft.media.filter(({ kind }) => kind === 'image')
  const videos = draft.media.filter(({ kind }) => kind === 'video')
  const most = draft.capabilities.imagesMax ?? limits.imagesMax
  const messages: string[] = []
  if (draft.media.length === 0 && !limits.textOnly) messages.push(needed(most, limits.videoTypes))
  if (images.length > 0 && most === 0) messages.push("doesn't support images")
  else if (images.length > most) messages.push(`supports up to ${most} ${most === 1 ? 'image' : 'images'}`)
  if (images.some(({ type }) => !isRaster(type))) messages.push('only supports JPEG, PNG, GIF, WebP and AVIF images')
  for (const video of videos) messages.push(...videoProblems(draft, video, limits))
  messages.push(...altProblems(draft, limits))
  return messages.map((message) => ({ key: 'media', message }))
}

const needed = (imagesMax: number, videoTypes: readonly string[]): string => {
  if (imagesMax === 0) return 'needs a video'
  return videoTypes.length === 0 ? 'needs an image' : 'needs an image or a video'
}

const videoProblems = ({ capabilities }: Draft, video: DraftMedia, limits: Network['limits']): string[] => {
  if (limits.videoTypes.length === 0) return ["doesn't support videos"]
  const messages: string[] = []
  const { type, bytes, seconds, width, height } = video
  if (!limits.videoTypes.includes(type))
    messages.push(`only supports videos of the type ${limits.videoTypes.join(' or ')}`)
  const maxBytes = capabilities.videoMaxBytes ?? limits.videoMaxBytes
  if (bytes > maxBytes) messages.push(`only supports videos up to ${megabytes(maxBytes)}`)
  const [shortest, longest] = limits.videoSeconds ?? [0, Number.POSITIVE_INFINITY]
  const end = Math.min(longest, capabilities.maxVideoSec ?? longest)
  if (seconds !== null && (seconds < shortest || seconds > end))
    messages.push(
      `only supports videos of ${shortest} to ${end} seconds; this one has ${Math.round(seconds * 10) / 10}`,
    )
  if (width === null || height === null) return messages
  const [narrow, wide] = limits.videoAspect ?? [0, Number.POSITIVE_INFINITY]
  if (width / height < narrow || width / height > wide) messages.push("doesn't support videos with this aspect ratio")
  if (limits.videoMinSide !== undefined && Math.min(width, height) < limits.videoMinSide)
    messages.push(`only supports videos with sides of at least ${limits.videoMinSide} pixels`)
  return messages
}

const altProblems = ({ media, capabilities }: Draft, { altText }: Network['limits']): string[] => {
  const most = capabilities.altMax ?? altText.max
  if (most === null) return []
  const isTooLong = media.some(({ kind, alt }) => altText[kind] && alt.length > most)
  return isTooLong ? [`only supports alt texts of up to ${counted(most)} characters`] : []
}

const optionProblems = ({ options, capabilities }: Draft, network: Network): Found[] => {
  const known = new Map(network.options.map((option) => [option.key, option]))
  const problems: Found[] = []
  for (const name of Object.keys(options))
    if (!known.has(name)) problems.push({ key: `options.${name}`, message: "isn't an option of this network" })
  for (const option of network.options) {
    const message = optionProblem(option, own(options, option.key), capabilities)
    if (message !== null) problems.push({ key: `options.${option.key}`, message })
  }
  return problems
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const optionProblem = (
  { type, label, values, required, max }: Option,
  value: unknown,
  { boards }: Draft['capabilities'],
): string | null => {
  if (isEmpty(value)) return required ? `${label} is required` : null
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : `${label} must be true or false`
    case 'number':
      return typeof value === 'number' && (max === undefined || value <= max) ? null : `${label} must be a number`
    case 'select':
      return typeof value === 'string' && (values === undefined || values.some((one) => one.value === value))
        ? null
        : `${label} must be one of the choices`
    case 'board':
      return typeof value === 'string' && (boards === undefined || boards.some(({ id }) => id === value))
        ? null
        : `${label} must be one of the account's choices`
    case 'tags':
      return Array.isArray(value) && (max === undefined || value.join(',').length <= max)
        ? null
        : `${label} must be a list of words${max === undefined ? '' : ` with up to ${counted(max)} characters`}`
    case 'media':
      return typeof value === 'string' ? null : `${label} must be the ID of a media file`
    default:
      if (typeof value !== 'string') return `${label} must be text`
      return max !== undefined && value.length > max ? `${label} must have at most ${counted(max)} characters` : null
  }
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const counted = (count: number): string => count.toLocaleString('en')
const megabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${Math.round(bytes / 1e8) / 10} GB` : `${Math.round(bytes / 1e5) / 10} MB`
