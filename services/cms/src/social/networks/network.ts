import type { CaptionCount } from '@stoa/cms-model/count-caption.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { NetworkHttp } from './http/http.ts'

/**
 * One social network: what it takes, how people consent, and how a post goes out. Everything that is the same for all
 * (states, limits at save time, renditions, leases, retries, what is stored) is outside and reads these members. A
 * network has no state of its own, and talks through the `http` it is given only.
 */
export type Network<P extends Progress = Progress> = {
  label: string
  oauth: OAuthFacts
  limits: Limits
  /** What a person should know before a post with a link goes out: its price, for one. */
  linkNote?: string
  /** What the author may or must choose beside text and pictures. */
  options: readonly Option[]
  /** What `limits` and `options` cannot say. Runs at save time, so that it must be pure and quick. */
  check?(draft: Draft): PostProblem[]
  /** Steps through the network's console; `{callback}` stands for the callback's address. */
  walkthrough: {
    /** Null where every server has its own. */
    consoleUrl: string | null
    checkedOn: string
    leadTime: string
    steps: readonly { title: string; body: string }[]
  }
  /** What could not be tried against the real network: shown in docs/social.md. */
  unverified: readonly string[]

  /** Turns the code of a consent into accounts with tokens that last. Throws `NetworkFailure`. */
  connect(reach: AppReach, grant: { code: string; codeVerifier: Secret | null }): Promise<FoundAccount[]>
  /** New tokens for old. Absent where a network has none: its people connect again. */
  refresh?: {
    /** `early`: long before the end, by a job. `on-demand`: tokens are short, and renewed when they are used. */
    when: 'early' | 'on-demand'
    run(reach: AppReach, tokens: Tokens): Promise<Tokens>
  }
  /**
   * Checks whether tokens are still valid, for networks whose tokens don't expire, where otherwise only a failed post
   * would show it. Throws a `NetworkFailure` of kind `auth` when they are not.
   */
  probe?(reach: AppReach, tokens: Tokens): Promise<void>
  /** Asks the network to revoke the tokens; best effort. */
  revoke?(reach: AppReach, tokens: Tokens): Promise<void>
  /** What this account may do that others may not: boards, privacy levels, a server's own limits. */
  capabilities?(reach: AccountReach): Promise<Capabilities>

  publisher: Publisher<P>
}

/** Where a network is reached: its own addresses, or what an admin put in their place. No trailing slash. */
export type Endpoints = {
  authorizeUrl: string
  tokenUrl: string
  apiBase: string
  uploadBase: string
  /** Empty for networks whose addresses carry no version. */
  apiVersion: string
  scopes: readonly string[]
}

export type OAuthFacts = {
  endpoints: Endpoints
  /** Set for networks whose addresses follow `apiBase`: a server that somebody runs, such as Mastodon. */
  isServerChosen?: true
  scopeSeparator: ' ' | ','
  pkce: boolean
  clientIdName?: 'client_key'
  /** Further parameters of the consent address. */
  authorizeParams?: Readonly<Record<string, string>>
  /** SOCIAL_OAUTH_<NETWORK>_* stands in for an app that is not stored. */
  hasEnvironment: boolean
  /** When the default `apiVersion` ends, as far as it is known. */
  versionEndsOn?: string
}

export type Limits = {
  captionMax: number
  /** How the network counts; `countCaption` in cms-model knows them. */
  captionCount: CaptionCount
  /** Where captions of pictures may be longer than those of videos. */
  photoCaptionMax?: number
  textOnly: boolean
  imagesMax: number
  imageTypes: readonly string[]
  imageMaxBytes: number
  videoTypes: readonly string[]
  videoMaxBytes: number
  videoSeconds: readonly [number, number] | null
  altText: { image: boolean; video: boolean; max: number | null }
  /** What a rendition is made for: pictures outside of it are fitted, not refused. Width by height. */
  image: {
    /** How pictures and videos come to the network: as bytes, or by an address that it reads itself. */
    delivery: 'upload' | 'url'
    maxWidth: number | null
    aspect: readonly [number, number] | null
    maxPixels?: number
    /** All pictures of a post have the same size. */
    isSameSize?: true
  }
  videoDelivery: 'upload' | 'url'
  videoAspect?: readonly [number, number]
  videoMinSide?: number
  /** Where the post's link goes: a member of its own, or the last line of the caption. */
  link: 'field' | 'caption'
  hashtagsMax?: number
}

export type Option = {
  key: string
  type: 'text' | 'textarea' | 'select' | 'boolean' | 'number' | 'tags' | 'media' | 'board'
  label: string
  help?: string
  values?: readonly { value: string; label: string }[]
  required?: true
  max?: number
}

export type Options = Readonly<Record<string, unknown>>

/** What the person would send, as far as it is known at save time. */
export type Draft = {
  /** As the network will get it: the variant if there is one, with the link where it is part of the caption. */
  caption: string
  link: string | null
  media: readonly DraftMedia[]
  options: Options
  capabilities: Capabilities
}
export type DraftMedia = {
  kind: 'image' | 'video'
  type: string
  bytes: number
  width: number | null
  height: number | null
  seconds: number | null
  alt: string
}

/** `key` is relative to the network: `caption`, `media` or `options.<name>`. */
export type PostProblem = { key: 'caption' | 'media' | `options.${string}`; message: string }

export type Capabilities = {
  captionMax?: number
  /** Mastodon servers count addresses as they please. */
  urlLength?: number
  imagesMax?: number
  imageMaxBytes?: number
  videoMaxBytes?: number
  altMax?: number
  imageTypes?: readonly string[]
  privacyLevels?: readonly string[]
  maxVideoSec?: number
  boards?: readonly { id: string; name: string }[]
}

export type Tokens = {
  accessToken: Secret
  /** Null where the answer had none: what is stored is kept. */
  refreshToken: Secret | null
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  /** What was granted, which may be less than what was asked for. */
  scopes: readonly string[]
}

export type FoundAccount = {
  /** The network's own id, unique within the network. */
  remoteId: string
  name: string
  handle: string | null
  avatarUrl: string | null
  profileUrl: string | null
  kind: 'page' | 'profile' | 'organization' | 'channel'
  tokens: Tokens
  capabilities: Capabilities
}

/** What a call needs before there is an account. */
export type AppReach = {
  http: NetworkHttp
  endpoints: Endpoints
  clientId: string
  clientSecret: Secret
  redirectUri: string
  now(): Date
}

/** What a call in the name of an account needs. */
export type AccountReach = {
  http: NetworkHttp
  endpoints: Endpoints
  accessToken: Secret
  account: {
    remoteId: string
    name: string
    handle: string | null
    kind: FoundAccount['kind']
    capabilities: Capabilities
    scopes: readonly string[]
  }
  now(): Date
}

/** Ids that the network gave out, kept from step to step and over a crash. Small and JSON. */
export type Progress = Record<string, unknown>

/** One picture or video as the network gets it: already a rendition that fits. */
export type PublishMedia = DraftMedia & {
  filename: string
  /** From `from` up to and without `to`; all of it when absent. Read from storage, never over HTTP. */
  read(range?: { from: number; to: number }): AsyncIterable<Uint8Array>
  /** An address that the network can read. */
  publicUrl(): Promise<string>
}

export type Outgoing = {
  /** Final, with the link where it is part of the caption. */
  caption: string
  /** Only where `limits.link` is `field`. */
  link: string | null
  options: Options
  media: readonly PublishMedia[]
  /** Other files that options name, such as a thumbnail. */
  optionMedia(mediaId: string): Promise<PublishMedia | null>
  /** Stays the same across retries of the same content. */
  idempotencyKey: string
  /** When the target's first try began: what is older on the network is not it. */
  since: Date
}

export type Publishing<P extends Progress> = AccountReach & {
  outgoing: Outgoing
  /** The progress last saved. */
  progress: Readonly<Partial<P>>
  /** Merges and commits. Call it with each remote id before the next call that depends on it. */
  save(progress: Partial<P>): Promise<void>
  signal: AbortSignal
}

export type Posted = { remoteId: string; url: string | null }

/**
 * How a post goes out. Each function may be called again from any point where the process could have died, with the
 * progress that was saved by then; it does what is left. All throw `NetworkFailure` or what `http` throws.
 */
export type Publisher<P extends Progress> = {
  /** Brings pictures and videos to the network; nothing can be seen by others after it. */
  upload(publishing: Publishing<P>): Promise<void>
  /** Asks once whether the network is done with them. The delays between the questions are not its business. */
  wait?(publishing: Publishing<P>): Promise<'ready' | 'processing'>
  /**
   * The one call after which the post is live. Before it, the worker has stored that it is about to be made; an answer
   * that does not come, or is a 5xx, leads to `reconcile` and never to a second call by itself.
   */
  commit(publishing: Publishing<P>): Promise<Posted>
  /** Whether the post went out although no answer came. `unknown` where the network cannot be asked. */
  reconcile(publishing: Publishing<P>): Promise<Posted | 'not-posted' | 'unknown'>
  /** After it is live: its address, the first comment. What fails here is a warning; the post is out. */
  confirm?(publishing: Publishing<P>, posted: Posted): Promise<Confirmed>
  /** Looks again for an address that comes later. The delays are from the moment of posting. */
  lookAgain?: { afterMs: readonly number[]; run(publishing: Publishing<P>, posted: Posted): Promise<string | null> }
}

export type Confirmed = { url: string | null; warnings: readonly string[] }

/** Types a network by its progress, and forgets it: outside, progress is what was saved. */
export const defineNetwork = <P extends Progress>(network: Network<P>): Network => network as unknown as Network
