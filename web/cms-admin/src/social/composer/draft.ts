import type { CreateSocialPostInput } from '@stoa/cms-model/social.ts'
import type { NetworkOption, PickableAccount, SocialNetwork, SocialPost } from '../wire.ts'

export type DraftMedia = { mediaId: string; alt: string; kind: 'image' | 'video' }
export type DraftOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A post as it is being written. */
export type Draft = {
  caption: string
  /** Captions of the networks that have one of their own. */
  captions: Readonly<Record<string, string>>
  accountIds: readonly string[]
  media: readonly DraftMedia[]
  /** Options by network or account. */
  options: DraftOptions
  link: string
  note: string
}

export const emptyDraft: Draft = {
  caption: '',
  captions: {},
  accountIds: [],
  media: [],
  options: {},
  link: '',
  note: '',
}

export const draftOf = (post: SocialPost): Draft => ({
  caption: post.caption,
  captions: post.captions,
  accountIds: post.accountIds,
  media: post.media.map(({ mediaId, alt, kind }) => ({ mediaId, alt, kind })),
  options: post.options,
  link: post.link ?? '',
  note: post.note ?? '',
})

export const bodyOf = (draft: Draft): CreateSocialPostInput => ({
  caption: draft.caption,
  captions: { ...draft.captions },
  accountIds: [...draft.accountIds],
  // Without one, that of the library is taken
  media: draft.media.map(({ mediaId, alt }) => ({ mediaId, alt: alt === '' ? null : alt })),
  options: optionsOf(draft.options),
  link: draft.link.trim() === '' ? null : draft.link.trim(),
  note: draft.note.trim() === '' ? null : draft.note,
})

type Body = CreateSocialPostInput['options'][string][string]

/** Empty options count as not set. */
const optionsOf = (options: DraftOptions): CreateSocialPostInput['options'] =>
  Object.fromEntries(
    Object.entries(options).flatMap(([key, values]) => {
      const chosen = Object.entries(values).filter((entry): entry is [string, NonNullable<Body>] => isChosen(entry[1]))
      return chosen.length === 0 ? [] : [[key, Object.fromEntries(chosen)]]
    }),
  )

export const isChosen = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The caption for a network: its own, or the shared one. */
export const captionFor = (draft: Draft, network: string): string => draft.captions[network] ?? draft.caption

/** The text that the counter counts: with the link where that becomes the last line. */
export const sentCaption = (draft: Draft, { network, limits }: SocialNetwork): string => {
  const caption = captionFor(draft, network)
  const link = draft.link.trim()
  if (limits.link === 'field' || link === '' || caption.includes(link)) return caption
  return caption === '' ? link : `${caption}\n${link}`
}

export const isDetached = (draft: Draft, network: string): boolean => Object.hasOwn(draft.captions, network)

/** New words for all networks (`null`), or for one, which has its own from then on. */
export const withCaption = (draft: Draft, network: string | null, caption: string): Draft =>
  network === null ? { ...draft, caption } : { ...draft, captions: { ...draft.captions, [network]: caption } }

/** The network says what all say again. */
export const attached = (draft: Draft, network: string): Draft => {
  const captions = { ...draft.captions }
  Reflect.deleteProperty(captions, network)
  return { ...draft, captions }
}

export const withOption = (draft: Draft, key: string, name: string, value: unknown): Draft => ({
  ...draft,
  options: { ...draft.options, [key]: { ...draft.options[key], [name]: value } },
})

/** The networks that the post goes to, with the accounts that are chosen of each. */
export const selectedNetworks = (
  draft: Draft,
  networks: readonly SocialNetwork[],
): readonly { network: SocialNetwork; accounts: readonly PickableAccount[] }[] =>
  networks.flatMap((network) => {
    const accounts = network.accounts.filter(({ id }) => draft.accountIds.includes(id))
    return accounts.length === 0 ? [] : [{ network, accounts }]
  })

/** The networks and accounts that the post has not reached yet. */
export const openNetworks = (draft: Draft, networks: readonly SocialNetwork[], done: readonly string[]) =>
  selectedNetworks({ ...draft, accountIds: draft.accountIds.filter((id) => !done.includes(id)) }, networks)

/** Whether each account has a list of its own to choose from. */
export const isOfAccount = ({ type, key }: NetworkOption): boolean => type === 'board' || key === 'privacyLevel'

/** The key under which an option is stored: the account if its choices are the account's, else the network. */
export const optionKey = (option: NetworkOption, network: string, accountId: string): string =>
  isOfAccount(option) ? accountId : network

/** The account's own choice, or that of its network. */
export const optionValue = (draft: Draft, key: string, network: string, name: string): unknown =>
  draft.options[key]?.[name] ?? draft.options[network]?.[name]

/** Why an account cannot be chosen; undefined when it can. */
export const unusableReason = (network: SocialNetwork, account: PickableAccount): string | undefined => {
  if (!network.enabled) return `${network.label} is turned off in the settings`
  if (account.status === 'active') return undefined
  return account.statusReason ?? (account.status === 'disconnected' ? 'Disconnected' : 'Needs to be reconnected')
}
