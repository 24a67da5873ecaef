import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import type { SocialNetwork } from '../wire.ts'
import {
  type Draft,
  isChosen,
  isDetached,
  openNetworks,
  optionKey,
  optionValue,
  type selectedNetworks,
  unusableReason,
} from './draft.ts'
import { type Files, fileProblems } from './file-problems.ts'
import { altMax, countFor, imagesMax } from './limits.ts'

/** Something that a network would refuse. */
export type PostProblem = {
  /** Null where it concerns the post as a whole. */
  network: string | null
  /** The name that the service uses: `caption`, `captions.x`, `media`, `options.tiktok.privacyLevel`, `accountIds`, `link`. */
  key: string
  message: string
}

type Selected = ReturnType<typeof selectedNetworks>[number]

/**
 * What is known to be wrong before the service is asked; it checks these and the rest again. Accounts in `done` have the
 * post already, and no say.
 */
export const problemsOf = (
  draft: Draft,
  networks: readonly SocialNetwork[],
  { files = new Map(), done = [] }: { files?: Files; done?: readonly string[] } = {},
): readonly PostProblem[] => [
  ...problemsOfPost(draft),
  ...openNetworks(draft, networks, done).flatMap((selected) =>
    [
      ...captionProblems(draft, selected),
      ...mediaProblems(draft, selected),
      ...fileProblems(draft, selected, files).map((message) => ({ key: 'media', message })),
      ...optionProblems(draft, selected),
      ...accountProblems(selected),
    ].map((problem) => ({ ...problem, network: selected.network.network })),
  ),
]

const problemsOfPost = ({ accountIds, caption, captions, media, link }: Draft): PostProblem[] => {
  const found: PostProblem[] = []
  const add = (key: string, message: string) => found.push({ network: null, key, message })
  const videos = media.filter(({ kind }) => kind === 'video').length
  const isWordless = [caption, ...Object.values(captions)].every((text) => text.trim() === '')
  if (accountIds.length === 0) add('accountIds', 'Choose at least one account.')
  if (isWordless && media.length === 0 && link.trim() === '') add('caption', 'Write a caption or add media.')
  if (videos > 1) add('media', 'A post can have one video. Remove the others.')
  else if (videos === 1 && media.length > 1) add('media', 'A post has images or a video. Remove one of the two.')
  if (link.trim() !== '' && !/^https?:\/\/[^\s/]\S*$/i.test(link.trim()))
    add('link', 'Enter a link like https://example.com/page.')
  return found
}

type Found = Omit<PostProblem, 'network'>

const captionProblems = (draft: Draft, selected: Selected): Found[] => {
  const { network, label } = selected.network
  const { used, max, left } = countFor(draft, selected)
  if (left >= 0) return []
  const over = formatCount(-left, 'character', 'characters')
  return [
    {
      key: isDetached(draft, network) ? `captions.${network}` : 'caption',
      message: `The caption is ${over} too long for ${label} (${formatNumber(used)} of ${formatNumber(max)}).`,
    },
  ]
}

const mediaProblems = (draft: Draft, selected: Selected): Found[] => {
  const { label, limits } = selected.network
  const images = draft.media.filter(({ kind }) => kind === 'image').length
  const most = imagesMax(selected)
  const needs = most === 0 ? 'a video' : 'an image or a video'
  const found: Found[] = []
  if (!limits.textOnly && draft.media.length === 0) found.push({ key: 'media', message: `${label} needs ${needs}.` })
  else if (most === 0 && images > 0) found.push({ key: 'media', message: `${label} only supports videos.` })
  else if (images > most)
    found.push({
      key: 'media',
      message: `${label} supports up to ${formatCount(most, 'image', 'images')}. Remove ${images - most}.`,
    })
  if (limits.videoTypes.length === 0 && images < draft.media.length)
    found.push({ key: 'media', message: `${label} doesn't support videos.` })
  for (const [index, { alt, kind }] of draft.media.entries()) {
    const max = altMax(selected, kind)
    if (max !== undefined && alt.length > max)
      found.push({
        key: 'media',
        message: `The alt text of file ${index + 1} has ${formatNumber(alt.length)} characters; ${label} allows ${formatNumber(max)}.`,
      })
  }
  return found
}

const optionProblems = (draft: Draft, { network, accounts }: Selected): Found[] =>
  network.options
    .filter(({ required }) => required)
    .flatMap((option) => {
      const keys = new Set(accounts.map(({ id }) => optionKey(option, network.network, id)))
      return [...keys]
        .filter((key) => !isChosen(optionValue(draft, key, network.network, option.key)))
        .map((key) => ({
          key: `options.${key}.${option.key}`,
          message: `“${option.label}” is required.`,
        }))
    })

const accountProblems = ({ network, accounts }: Selected): Found[] =>
  accounts.flatMap((account) => {
    const reason = unusableReason(network, account)
    return reason === undefined ? [] : [{ key: 'accountIds', message: `${account.name}: ${reason}.` }]
  })

/** What the service refused, by the network that it names. */
export const refusedProblems = (
  fields: readonly { key: string; message: string }[],
  networks: readonly SocialNetwork[],
): readonly PostProblem[] =>
  fields.map(({ key, message }) => ({ network: networkOfKey(key, message, networks), key, message }))

const networkOfKey = (key: string, message: string, networks: readonly SocialNetwork[]): string | null => {
  const [member, name] = key.split('.')
  const owner =
    member === 'captions' || member === 'options'
      ? networks.find(({ network, accounts }) => network === name || accounts.some(({ id }) => id === name))
      : networks.find(({ label }) => new RegExp(`\\b${escaped(label)}\\b`, 'i').test(message))
  return owner?.network ?? null
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A refusal is about what was sent: once that part is changed, it is no longer known to be wrong. */
export const stillRefused = (
  problems: readonly PostProblem[],
  { sent, draft }: { sent: Draft; draft: Draft },
): readonly PostProblem[] => problems.filter(({ key }) => valueAt(sent, key) === valueAt(draft, key))

const valueAt = (draft: Draft, key: string): string => {
  const [member = '', name = '', option = ''] = key.split('.')
  if (member === 'captions') return JSON.stringify([draft.captions[name], draft.link])
  if (member === 'options') return JSON.stringify(draft.options[name]?.[option])
  if (member === 'caption') return JSON.stringify([draft.caption, draft.link, draft.media.length])
  return JSON.stringify(Reflect.get(draft, member))
}

/** Own findings and those of the service, each once, and those of a network together. */
export const mergedProblems = (
  own: readonly PostProblem[],
  refused: readonly PostProblem[],
): readonly PostProblem[] => {
  const known = new Set(own.map(({ network, key }) => `${network} ${keyOfAll(key)}`))
  return [...own, ...refused.filter(({ network, key }) => !known.has(`${network} ${keyOfAll(key)}`))]
}

/** `captions.x` counts as `caption`: both hold the same text. */
const keyOfAll = (key: string): string => key.replace(/^captions\..*/, 'caption').replace(/^media.*/, 'media')
