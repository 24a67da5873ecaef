import type { List } from '@stoa/cms-model/lists.ts'
import type {
  CreateSocialPostInput,
  SocialAccounts,
  SocialCalendar,
  SocialNetworks,
  SocialOverview,
  UpdateSocialPostInput,
} from '@stoa/cms-model/social.ts'
import type { SaveSocialAppInput, SocialSettings } from '@stoa/cms-model/social-apps.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ifMatch, sendSignedIn } from '../api.ts'
import { settingsQuery } from '../settings/queries.ts'
import type { SocialApp, SocialPost, SocialPostDetail } from './wire.ts'

/** The common prefix of all social query keys: one socket event invalidates them all. */
export const socialKey = ['social'] as const

const POSTS_PER_PAGE = 25
/** Only a person's own patience bounds a tray; more drafts are in the list of posts. */
const DRAFTS_IN_TRAY = 50
/** While something is going out, what is shown is at most so old, also without a socket. */
const WATCH_MS = 3_000

export const overviewQuery = queryOptions({
  queryKey: [...socialKey, 'overview'],
  queryFn: ({ signal }) => sendSignedIn<SocialOverview>('GET', '/api/social/overview', { signal }),
})

export const networksQuery = queryOptions({
  queryKey: [...socialKey, 'networks'],
  queryFn: ({ signal }) => sendSignedIn<SocialNetworks>('GET', '/api/social/networks', { signal }),
})

export const postsQuery = ({ status, page }: { status: string; page: number }) =>
  queryOptions({
    queryKey: [...socialKey, 'posts', { status, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ page: String(page), limit: String(POSTS_PER_PAGE) })
      if (status !== '') query.set('status', status)
      return sendSignedIn<List<SocialPost>>('GET', `/api/social/posts?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

/** Posts without a time. */
export const draftsQuery = queryOptions({
  queryKey: [...socialKey, 'drafts'],
  queryFn: ({ signal }) =>
    sendSignedIn<List<SocialPost>>('GET', `/api/social/posts?status=draft&limit=${DRAFTS_IN_TRAY}`, { signal }),
})

export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...socialKey, 'post', id],
    queryFn: ({ signal }) => readPost(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'publishing' ? WATCH_MS : false),
  })

export const calendarQuery = ({ from, days }: { from: string; days: number }) =>
  queryOptions({
    queryKey: [...socialKey, 'calendar', { from, days }],
    queryFn: ({ signal }) =>
      sendSignedIn<SocialCalendar>('GET', `/api/social/calendar?${new URLSearchParams({ from, days: `${days}` })}`, {
        signal,
      }),
    placeholderData: (before) => before,
  })

export const accountsQuery = queryOptions({
  queryKey: [...socialKey, 'accounts'],
  queryFn: ({ signal }) => sendSignedIn<SocialAccounts>('GET', '/api/social/accounts', { signal }),
})

export const appsQuery = queryOptions({
  queryKey: [...socialKey, 'apps'],
  queryFn: ({ signal }) => readApps(signal),
})

export const readApps = (signal?: AbortSignal) =>
  sendSignedIn<SocialSettings>('GET', '/api/social/settings', { signal })

export const readPost = (id: string, signal?: AbortSignal) =>
  sendSignedIn<SocialPostDetail>('GET', postPath(id), { signal })

export const createPost = (body: CreateSocialPostInput) =>
  sendSignedIn<SocialPost>('POST', '/api/social/posts', { body })

export const updatePost = (id: string, body: UpdateSocialPostInput, version: number | 'any') =>
  sendSignedIn<SocialPost>('PUT', postPath(id), { body, headers: ifMatch(version) })

export const deletePost = (id: string, version: number | 'any') =>
  sendSignedIn<undefined>('DELETE', postPath(id), { body: {}, headers: ifMatch(version) })

export const schedulePost = (id: string, at: string, version: number | 'any') =>
  sendSignedIn<SocialPost>('POST', `${postPath(id)}/schedule`, { body: { at }, headers: ifMatch(version) })

/** Sends now, or again; some targets or all that are not out yet. */
export const publishPost = (id: string, version: number | 'any', targetIds?: readonly string[]) =>
  sendSignedIn<SocialPost>('POST', `${postPath(id)}/publish`, {
    body: targetIds ? { targetIds } : {},
    headers: ifMatch(version),
  })

export const cancelPost = (id: string, version: number | 'any') =>
  sendSignedIn<SocialPost>('POST', `${postPath(id)}/cancel`, { body: {}, headers: ifMatch(version) })

export const saveApp = (network: string, body: SaveSocialAppInput, version: number | 'any') =>
  sendSignedIn<SocialApp>('PUT', appPath(network), { body, headers: ifMatch(version) })

export const forgetApp = (network: string) =>
  sendSignedIn<undefined>('DELETE', appPath(network), { body: {}, headers: ifMatch('any') })

type AppTest = { ok: boolean; message: string }

export const testApp = (network: string) => sendSignedIn<AppTest>('POST', `${appPath(network)}/test`, { body: {} })

/** The network's consent page. */
export const startConsent = (network: string) =>
  sendSignedIn<{ url: string }>('POST', `/api/social/accounts/${encodeURIComponent(network)}/start`, { body: {} })

export const disconnectAccount = (id: string) =>
  sendSignedIn<undefined>('DELETE', `/api/social/accounts/${encodeURIComponent(id)}`, {
    body: {},
    headers: ifMatch('any'),
  })

/** The zone that times of posts are meant in. */
export const useSiteZone = (): string => {
  const { data } = useQuery(settingsQuery)
  return data?.timezone ?? 'UTC'
}

const postPath = (id: string) => `/api/social/posts/${encodeURIComponent(id)}`
const appPath = (network: string) => `/api/social/settings/${encodeURIComponent(network)}`
